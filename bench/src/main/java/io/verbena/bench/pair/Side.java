package io.verbena.bench.pair;

import io.verbena.bench.side.Measurement;
import java.util.Map;

/// One side of a connection, inside its own JVM. The loops in [#run] allocate nothing and have no deadline of their
/// own: the benchmark ends the whole process when a run takes too long.
public interface Side extends AutoCloseable {
    /// A server's: where clients find it.
    String address() throws Exception;

    /// A server's: waits for the client.
    void accept() throws Exception;

    /// A client's.
    void connect(String address) throws Exception;

    /// Gets ready for a run; the server before the client.
    void prepare(Measurement measurement, long messages) throws Exception;

    /// A run of so many messages. The client marks times in `samples`; the server has none.
    void run(Measurement measurement, long messages, Samples samples) throws Exception;

    /// What the connection counted, to see which way messages took.
    default Map<String, Long> counters() {
        return Map.of();
    }

    @Override
    void close();
}
