package io.verbena.lab.peers;

import io.verbena.endpoint.Connection;
import io.verbena.endpoint.Endpoint;
import io.verbena.endpoint.EndpointOptions;
import io.verbena.endpoint.EndpointServer;
import io.verbena.endpoint.Export;
import io.verbena.lab.Host;
import io.verbena.lab.peers.Results.Attempt;
import io.verbena.verbs.attr.Access;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Endpoints on devices of the kernel and on the software device, with each other and with the C program
/// `endpoint-peer`: `EndpointPeer PROGRAM`, in the network namespace of the software device. Writes a line for each
/// into results.tsv. Exits with 1 when one failed.
public final class EndpointPeer {
    static final Duration LONG = Duration.ofSeconds(60);

    private static final Duration START = Duration.ofSeconds(30);
    private static final int PORT = 18_500;
    private static final Host C_HOST = Host.RXE0;

    private static final String C_PROGRAM = "endpoint-peer";
    private static final String WHAT = "messages of 0 to 1,000,000 bytes, calls, an export";

    /// More than the first queues of a server have room for.
    private static final int CLIENTS = 8;

    private final Results results = new Results();
    private final String program;
    private int port = PORT;

    private EndpointPeer(String program) {
        this.program = program;
    }

    public static void main(String[] arguments) {
        EndpointPeer peer = new EndpointPeer(arguments[0]);
        for (Host ours : List.of(Host.SOFT, Host.RXE1)) {
            String device = ours == Host.SOFT ? "software device" : "rxe through rdma-core";
            peer.attempt(
                    new Attempt("C " + C_PROGRAM, C_PROGRAM, Peer.Direction.C_CLIENT.toString(), device, WHAT),
                    () -> peer.serveC(ours));
            peer.attempt(
                    new Attempt("C " + C_PROGRAM, C_PROGRAM, Peer.Direction.OUR_CLIENT.toString(), device, WHAT),
                    () -> peer.callC(ours));
        }
        peer.attempt(ours("ours to rxe", "software device"), () -> peer.callOurs(Host.SOFT, Host.RXE0));
        peer.attempt(ours("rxe to ours", "software device"), () -> peer.callOurs(Host.RXE0, Host.SOFT));
        peer.attempt(ours("both", "rxe through rdma-core"), () -> peer.callOurs(Host.RXE0, Host.RXE1));
        peer.attempt(
                new Attempt("rxe", "endpoint", "ours to rxe", "software device", CLIENTS + " clients at once"),
                () -> peer.callTogether(Host.SOFT, Host.RXE0));
        System.out.println(peer.results);
        System.exit(peer.results.isGood() ? 0 : 1);
    }

    private static Attempt ours(String direction, String device) {
        return new Attempt("rxe", "endpoint", direction, device, WHAT);
    }

    /// Throws when something is wrong.
    private interface Work {
        void run() throws Exception;
    }

    private void attempt(Attempt attempt, Work work) {
        long startNs = System.nanoTime();
        port++;
        String wrong = "";
        try {
            work.run();
        } catch (Exception e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            wrong = trace.toString();
        }
        results.add(attempt, wrong, startNs);
    }

    private static EndpointOptions options(Host host) {
        return EndpointOptions.defaults()
                .connectionManager(host.connections())
                .timeout(LONG)
                .connectTimeout(START);
    }

    /// A server of ours that takes one client.
    private static final class Server implements AutoCloseable {
        private final Arena arena = Arena.ofShared();
        private final EndpointServer server;
        private final Export table;

        Server(Host host, int port) {
            server = Endpoint.listen(host.address().getHostAddress(), port, options(host));
            MemorySegment memory = arena.allocate(EndpointTraffic.TABLE_BYTES, Long.BYTES);
            EndpointTraffic.fillTable(memory);
            table = server.export(
                    EndpointTraffic.TABLE, memory, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        }

        /// Until the client ends the connection.
        void serve() {
            Connection accepted = server.accept(LONG);
            if (accepted == null) {
                throw new IllegalStateException("no client came within " + LONG);
            }
            try (accepted) {
                EndpointTraffic.echo(accepted, table);
            }
        }

        /// Until it is closed.
        void serveAll() {
            server.serve(accepted -> EndpointTraffic.echo(accepted, table));
        }

        @Override
        public void close() {
            server.close();
            arena.close();
        }
    }

    private static Connection connect(Host from, Host to, int port) {
        return Endpoint.connect(
                to.address().getHostAddress(),
                port,
                options(from).localAddress(from.address().getHostAddress()));
    }

    private CProgram c(String... words) {
        List<String> all = new ArrayList<>(List.of(program));
        all.addAll(List.of(words));
        return new CProgram(all);
    }

    private void serveC(Host ours) throws InterruptedException {
        try (Server server = new Server(ours, port);
                CProgram client = c(
                        "client",
                        ours.address().getHostAddress(),
                        String.valueOf(port),
                        C_HOST.address().getHostAddress())) {
            andThenRequireEnded(client, server::serve);
        }
    }

    private void callC(Host ours) throws InterruptedException {
        try (CProgram server = c("server", C_HOST.address().getHostAddress(), String.valueOf(port))) {
            if (!server.awaitReady(Peer.Ready.CONNECTION_MANAGER, port, START)) {
                throw new IllegalStateException("the C server is not ready: " + server.output());
            }
            andThenRequireEnded(server, () -> {
                try (Connection connection = connect(ours, C_HOST, port)) {
                    EndpointTraffic.check(connection);
                }
            });
        }
    }

    /// When both sides fail, that of ours failed first most probably, and the C program waits for it in vain.
    private static void andThenRequireEnded(CProgram c, Runnable ours) throws InterruptedException {
        try {
            ours.run();
        } catch (RuntimeException e) {
            try {
                requireEnded(c);
            } catch (IllegalStateException next) {
                e.addSuppressed(next);
            }
            throw e;
        }
        requireEnded(c);
    }

    private static void requireEnded(CProgram c) throws InterruptedException {
        int code = c.await(START);
        if (code != 0) {
            throw new IllegalStateException(
                    "the C program " + (code < 0 ? "did not end" : "ended with " + code) + ": " + c.output());
        }
    }

    private void callOurs(Host from, Host to) throws Exception {
        try (Server server = new Server(to, port)) {
            CompletableFuture<Void> served = new CompletableFuture<>();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    server.serve();
                    served.complete(null);
                } catch (Throwable e) {
                    served.completeExceptionally(e);
                }
            });
            try (Connection connection = connect(from, to, port)) {
                EndpointTraffic.check(connection);
                EndpointTraffic.checkRevocation(connection);
            }
            served.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void callTogether(Host from, Host to) {
        List<Connection> clients = new ArrayList<>();
        try (Server server = new Server(to, port)) {
            Thread.ofPlatform().daemon().start(server::serveAll);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(connect(from, to, port));
            }
            EndpointTraffic.checkTogether(clients);
            clients.forEach(Connection::close);
        }
    }
}
