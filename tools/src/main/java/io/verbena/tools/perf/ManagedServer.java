package io.verbena.tools.perf;

import io.verbena.tools.program.ClientThreads;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramServer;
import io.verbena.tools.program.Refusal;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/// The server of clients with `-R`: their first connection and those of their queue pairs arrive at one port.
final class ManagedServer {
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

    private final ConnectionManager cm;
    private final InetSocketAddress address;
    private final PerfService service;
    private final Output output;
    private final ClientThreads clients;
    private final RequestDispatcher dispatcher = new RequestDispatcher();
    private FutureTask<Void> first;

    ManagedServer(ConnectionManager cm, InetSocketAddress address, PerfService service) {
        this.cm = cm;
        this.address = address;
        this.service = service;
        this.output = service.output();
        this.clients = new ClientThreads(output);
    }

    /// Listens, and serves one client (`once`) or all of them, each in a thread of its own, until stopped.
    void run(boolean once) {
        try (ConnectionId listener = cm.createSynchronousId(PortSpace.TCP)) {
            ProgramServer.listen(listener, address);
            output.listens(listener.localAddress());
            while (first == null || !first.isDone()) {
                ConnectionId request = listener.awaitRequest(CHECK_INTERVAL);
                if (request != null && !dispatcher.take(request)) {
                    take(request, once);
                }
            }
            join();
        } finally {
            clients.stop();
        }
    }

    private void take(ConnectionId request, boolean once) {
        if (first != null) {
            try (request) {
                output.trouble(Refusal.refuse(request, "the server has its one client (--once)")
                        .getMessage());
            }
            return;
        }
        Runnable task = () -> serve(request);
        if (once) {
            first = new FutureTask<>(task, null);
            task = first;
        }
        clients.start(String.valueOf(request.peerAddress()), task);
    }

    private void serve(ConnectionId request) {
        try (request) {
            service.serve(request, cm, dispatcher);
        }
    }

    private void join() {
        if (first.state() == Future.State.FAILED) {
            throw first.exceptionNow() instanceof RuntimeException e
                    ? e
                    : new IllegalStateException(first.exceptionNow());
        }
    }
}
