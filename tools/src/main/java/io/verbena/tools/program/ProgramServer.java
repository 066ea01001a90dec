package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Listens, and serves one client (`--once`) or every client, each in a thread of its own, until stopped.
public final class ProgramServer {
    private static final Duration REQUEST_POLL_INTERVAL = Duration.ofMinutes(1);

    /// The server's part of one connection.
    @FunctionalInterface
    public interface Service {
        /// Serves a connection request until the connection ends. The caller closes the id, and puts the client's
        /// address in front of errors.
        void serve(ConnectionId request);
    }

    private ProgramServer() {}

    /// Listens where the options say, else on all addresses and `usualPort`.
    public static void serve(ProgramOptions options, int usualPort, Service service) {
        ConnectionId listener = options.newId();
        serve(
                options,
                usualPort,
                listener,
                () -> nextClient(listener).event(),
                request -> ClientThreads.serveNamed(request.id().peerAddress(), () -> service.serve(request.id())));
    }

    /// As [#serve(ProgramOptions, int, Service)] with another listener, which is closed at the end.
    ///
    /// @param requests waits for the next CONNECT_REQUEST
    /// @param service serves it until the connection ends; the caller closes its id
    public static void serve(
            ProgramOptions options,
            int usualPort,
            ConnectionId listener,
            Supplier<CmEvent> requests,
            Consumer<CmEvent> service) {
        try (listener) {
            listen(listener, options.serverAddress(usualPort));
            serve(listener, options.once(), options.output(), requests, client -> {
                try (ConnectionId id = client.id()) {
                    id.timeout(options.step());
                    service.accept(client);
                }
            });
        }
    }

    /// As [#serve(ProgramOptions, int, Service)] with an id that listens already.
    ///
    /// @param service serves a client until the connection ends, and closes its id
    public static void serve(
            ConnectionId listener, boolean once, Output output, Supplier<CmEvent> requests, Consumer<CmEvent> service) {
        var clients = new ClientThreads(output);
        try {
            output.listens(listener.localAddress());
            if (once) {
                service.accept(requests.get());
                return;
            }
            while (true) {
                CmEvent client = requests.get();
                clients.start(String.valueOf(client.id().peerAddress()), () -> service.accept(client));
            }
        } finally {
            clients.stop();
        }
    }

    /// Binds and listens. The error for a port in use says what to do.
    public static void listen(ConnectionId listener, InetSocketAddress address) {
        try {
            listener.bind(address);
            listener.listen(0);
        } catch (RdmaException e) {
            throw e.errno() == Errno.EADDRINUSE ? taken(e, address) : e;
        }
    }

    private static ProgramException taken(RdmaException e, InetSocketAddress address) {
        boolean isPort = e.verb().startsWith("rdma_"); // else the device could not be opened
        return new ProgramException(
                isPort
                        ? "port " + address.getPort() + " of " + AddressText.of(address.getAddress())
                                + " is taken; stop the other server, or take another with -p"
                        : e.getMessage() + "; --device names the address to use",
                e);
    }

    /// Waits for the next client, for ever.
    public static ConnectionId nextClient(ConnectionId listener) {
        ConnectionId client;
        do {
            client = listener.awaitRequest(REQUEST_POLL_INTERVAL);
        } while (client == null);
        return client;
    }
}
