package io.verbena.bench.pair;

import io.verbena.bench.side.Measurement;
import java.util.Map;

/// One side of a connection, inside its own JVM. The loops in [#run] allocate nothing and have no timeout: the
/// benchmark kills the process when a run takes too long.
public interface BenchSide extends AutoCloseable {
    /// Server: the address that clients connect to.
    String address() throws Exception;

    /// Server: waits for the client.
    void accept() throws Exception;

    /// Client: connects.
    void connect(String address) throws Exception;

    /// Prepares a run; the server before the client.
    void prepare(Measurement measurement, long messages) throws Exception;

    /// Runs that many messages. The client records times in `samples`; the server has none.
    void run(Measurement measurement, long messages, Samples samples) throws Exception;

    /// The counters of the connection, which show the path of its messages.
    default Map<String, Long> counters() {
        return Map.of();
    }

    /// Whether threads of a library do the work, so that what all threads of the process allocate counts.
    default boolean allocatesElsewhere() {
        return false;
    }

    /// An order that only this kind of side knows; returns the answer, in one line.
    default String obey(String order, String argument) throws Exception {
        throw new IllegalArgumentException("not an order: " + order);
    }

    @Override
    void close();
}
