package io.verbena.bench.ours;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.endpoint.Connection;
import io.verbena.endpoint.Endpoint;
import io.verbena.endpoint.EndpointOptions;
import io.verbena.endpoint.EndpointServer;
import io.verbena.endpoint.Message;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A program that uses a connection of the endpoint with its default options: one thread on either side, which sends
/// and receives. Long messages are sent from registered memory.
class EndpointSide implements BenchSide {
    static final Duration LIMIT = Duration.ofSeconds(20);

    private final String home;
    private final int largest;
    final Payload payload;
    private EndpointServer server;
    /// Shows the counters of the client's device.
    private ConnectionId device;

    Connection connection;
    boolean client;
    MemoryRegion region;

    /// Arguments: the address of the server, and the largest size.
    EndpointSide(List<String> arguments) {
        home = arguments.get(0);
        largest = Integer.parseInt(arguments.get(1));
        payload = new Payload(largest);
    }

    private static EndpointOptions options() {
        return EndpointOptions.defaults().connectionManager(VerbsSide.manager());
    }

    @Override
    public String address() {
        server = Endpoint.listen(home, 0, options());
        return home + " " + server.port();
    }

    @Override
    public void accept() {
        ready(server.accept(LIMIT));
    }

    @Override
    public void connect(String address) {
        client = true;
        String[] words = address.split(" ");
        int port = Integer.parseInt(words[1]);
        device = VerbsSide.manager().createEndpoint(PortSpace.TCP, null, new InetSocketAddress(words[0], port), LIMIT);
        ready(Endpoint.connect(words[0], port, options()));
    }

    private void ready(Connection connected) {
        if (connected == null) {
            throw new IllegalStateException("no client came within " + LIMIT);
        }
        connection = connected;
        region = connection.allocate(largest);
    }

    @Override
    public void prepare(Measurement measurement, long messages) {
        payload.write(region.memory(), 0, measurement.size());
    }

    @Override
    public void run(Measurement measurement, long messages, Samples samples) throws InterruptedException {
        int size = measurement.size();
        MemorySegment bytes = region.memory().asSlice(0, size);
        boolean read = measurement.read();
        if (measurement.kind() == Kind.STREAM) {
            if (client) {
                stream(bytes, messages, samples);
            } else {
                for (long n = 0; n < messages; n++) {
                    take(size, read).close();
                }
                connection.send(bytes.asSlice(0, 1)); // the client's clock stops at this confirmation
            }
        } else if (client) {
            ask(bytes, messages, samples, read);
        } else {
            for (long n = 0; n < messages; n++) {
                try (Message message = take(size, read)) {
                    connection.send(message);
                }
            }
        }
    }

    private void ask(MemorySegment bytes, long messages, Samples samples, boolean read) {
        int size = (int) bytes.byteSize();
        samples.begin();
        for (long n = 0; n < messages; n++) {
            connection.send(bytes);
            samples.record();
            take(size, read).close();
            samples.endRoundTrip();
        }
        samples.end();
    }

    Message take(int size, boolean read) {
        Message message = connection.receive(LIMIT);
        if (message == null || message.length() != size) {
            throw new IllegalStateException(message + " came where " + size + " bytes were sent");
        }
        if (read) {
            payload.check(message.memory(), 0, size);
        }
        return message;
    }

    private void stream(MemorySegment bytes, long messages, Samples samples) {
        int size = (int) bytes.byteSize();
        boolean isLong = size > connection.mostEagerBytes();
        samples.begin();
        for (long n = 0; n < messages; n++) {
            if (isLong) {
                connection.sendAsync(region, 0, size); // waits while the peer has not read those before
            } else {
                connection.send(bytes);
            }
        }
        take(1, false).close();
        samples.end();
    }

    @Override
    public Map<String, Long> counters() {
        return device == null ? Map.of() : device.context().counters();
    }

    @Override
    public void close() {
        region.close();
        connection.close();
        if (device != null) {
            device.close();
        }
        if (server != null) {
            server.close();
        }
    }
}
