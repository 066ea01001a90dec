package io.verbena.tools.demo;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// One of the two processes of the demo. [Session] starts it.
@Command(name = "demo-peer", hidden = true, description = "One of the two processes of the demo.")
public final class DemoPeer implements Callable<Integer> {
    enum Role {
        SERVER,
        CLIENT
    }

    enum Phase {
        /// The rdma-example exchange.
        EXCHANGE,
        /// A few round trips, for a trace.
        SAMPLE,
        /// Latency and bandwidth, beside plain sockets.
        MEASURE
    }

    @Parameters(index = "0")
    private Role role;

    @Option(names = "--phases", split = ",", required = true)
    private List<Phase> phases;

    @Option(names = "--addresses", split = ",", description = "Where the server listens: the first that is free.")
    private List<String> addresses = List.of();

    @Option(names = "--provider", required = true)
    private String provider;

    @Option(names = "--options", split = ",", description = "The client's, as PeerOptions writes them.")
    private long[] options;

    private final Report report = new Report(System.out);

    @Override
    public Integer call() {
        var parent = new ParentLine(System.in);
        try {
            if (role == Role.SERVER) {
                serve();
            } else {
                connect(parent.awaitServer());
            }
            report.done();
            return 0;
        } catch (Exception e) {
            if ("1".equals(System.getenv("VERBENA_STACKTRACE"))) {
                e.printStackTrace();
            }
            report.failed(e);
            return 1;
        }
    }

    private void serve() throws IOException {
        report.step("listening");
        try (ConnectionId listener = listen()) {
            int port = listener.localAddress().getPort();
            String address = listener.localAddress().getAddress().getHostAddress();
            report.event("process %d listens on %s, port %d", pid(), address, port);
            report.send(Report.Kind.LISTENING, address, port);
            for (Phase phase : phases) {
                report.flush();
                try (ConnectionId request = DemoConnection.awaitRequest(listener, report)) {
                    report.send(Report.Kind.VERIFIED, serve(phase, request));
                }
            }
        }
    }

    private ConnectionId listen() {
        RdmaException taken = null;
        for (String address : addresses) {
            try {
                return DemoConnection.listen(provider, new InetSocketAddress(address, 0));
            } catch (RdmaException e) {
                if (e.errno() != Errno.EADDRINUSE) {
                    throw e;
                }
                taken = taken == null ? e : taken;
            }
        }
        throw taken == null ? new ProgramException("no address to listen on") : taken;
    }

    private long serve(Phase phase, ConnectionId request) throws IOException {
        if (phase == Phase.EXCHANGE) {
            return Exchange.server(request, report);
        }
        try (var server = new MeasureServer(request, report)) {
            return server.run();
        }
    }

    private void connect(InetSocketAddress server) throws IOException {
        for (Phase phase : phases) {
            report.step(phase == Phase.EXCHANGE ? "exchange" : "connecting");
            try (ConnectionId id = DemoConnection.resolve(provider, server, report)) {
                if (phase == phases.getFirst()) {
                    var local = id.localAddress().getAddress().getHostAddress();
                    report.event("process %d has the device of %s", pid(), local);
                }
                run(phase, id);
            }
        }
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    private void run(Phase phase, ConnectionId id) throws IOException {
        if (phase == Phase.EXCHANGE) {
            long bytes = Exchange.client(id, report);
            report.send(Report.Kind.WRITTEN, bytes);
            report.send(Report.Kind.VERIFIED, bytes);
            return;
        }
        try (var client = new MeasureClient(id, PeerOptions.of(options), report)) {
            if (phase == Phase.SAMPLE) {
                client.sample();
            } else {
                client.run();
            }
        }
    }
}
