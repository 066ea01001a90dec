package io.verbena.bench.peer;

import io.verbena.bench.side.Child;
import io.verbena.bench.side.Network;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A program that runs twice, first as the server and then as the client that prints the result.
final class ProgramPair implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(5);
    private static final Duration END_LIMIT = Duration.ofSeconds(3);

    private final String name;
    private final Map<String, String> environment;
    private final Network network;
    private volatile Child server;
    private volatile Child client;

    ProgramPair(String name, Map<String, String> environment, Network network) {
        this.name = name;
        this.environment = environment;
        this.network = network;
    }

    /// - `cpuNs`: of both processes, from start to end
    record Output(List<String> lines, double cpuNs) {}

    /// Runs both to their end, the client within `limit`.
    Output run(List<String> serverCommand, List<String> clientCommand, int port, Duration limit)
            throws IOException, InterruptedException {
        double before = ChildrenCpu.nanoseconds();
        try {
            server = Child.command(name + " server", environment, network.command(true, serverCommand));
            if (!isListening(port)) {
                throw new IOException(name + " server does not listen on TCP port " + port + " after "
                        + START_LIMIT.toMillis() + " ms" + server.lastWords());
            }
            client = Child.command(name + " client", environment, network.command(false, clientCommand));
            List<String> lines = client.awaitOutput(limit);
            int code = client.awaitEnd(limit);
            if (code != 0) {
                throw new IOException(name + " client ended with code " + code + client.lastWords() + "; it ran as "
                        + String.join(" ", clientCommand));
            }
            server.awaitEnd(END_LIMIT);
            return new Output(lines, ChildrenCpu.nanoseconds() - before);
        } finally {
            close();
        }
    }

    private boolean isListening(int port) throws IOException, InterruptedException {
        return network.isLoopback()
                ? Ports.awaitListener(port, START_LIMIT)
                : Ports.awaitListener(server.pid(), port, START_LIMIT);
    }

    @Override
    public void close() {
        for (Child child : new Child[] {client, server}) {
            if (child != null) {
                List<Long> processes = Segments.processes(child.pid());
                child.close();
                processes.forEach(Segments::remove);
            }
        }
    }
}
