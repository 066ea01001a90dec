package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Listens, and serves one client (`--once`) or every client, each in a thread of its own, until stopped.
public final class ProgramServer {
    private static final Duration UNTIL_LOOK_AGAIN = Duration.ofMinutes(1);

    /// The server's side of one connection.
    @FunctionalInterface
    public interface Service {
        /// Serves a connection request to its end. The id is closed by the caller.
        void serve(ConnectionId request);
    }

    private final ProgramOptions options;
    private final Service service;
    private final ClientThreads clients;

    private ProgramServer(ProgramOptions options, Service service) {
        this.options = options;
        this.service = service;
        this.clients = new ClientThreads(options.output());
    }

    /// Listens where the options say, else on all addresses and `usualPort`.
    public static void serve(ProgramOptions options, int usualPort, Service service) {
        new ProgramServer(options, service).run(usualPort);
    }

    private void run(int usualPort) {
        try (ConnectionId listener = options.newId()) {
            listener.bind(options.serverAddress(usualPort));
            listener.listen(0);
            InetSocketAddress local = listener.localAddress();
            options.output()
                    .say("server listens on " + AddressText.of(local.getAddress()) + " port " + local.getPort());
            if (options.once()) {
                serve(nextClient(listener));
                return;
            }
            while (true) {
                ConnectionId client = nextClient(listener);
                clients.start(String.valueOf(client.peerAddress()), () -> serve(client));
            }
        } finally {
            clients.stop();
        }
    }

    private void serve(ConnectionId client) {
        try (ConnectionId id = client) {
            id.timeout(options.step());
            service.serve(id);
        }
    }

    /// Waits for ever: a server has nothing else to do.
    private static ConnectionId nextClient(ConnectionId listener) {
        ConnectionId client;
        do {
            client = listener.awaitRequest(UNTIL_LOOK_AGAIN);
        } while (client == null);
        return client;
    }
}
