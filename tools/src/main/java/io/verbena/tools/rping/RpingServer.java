package io.verbena.tools.rping;

import io.verbena.tools.text.AddressText;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Listens, and serves one client, or with `-P` every client, each in a thread of its own.
final class RpingServer {
    private static final Duration UNTIL_LOOK_AGAIN = Duration.ofMinutes(1);

    private final RpingSettings settings;
    private final RpingOutput output;

    RpingServer(RpingSettings settings, RpingOutput output) {
        this.settings = settings;
        this.output = output;
    }

    void run() {
        try (ConnectionId listener = settings.newId()) {
            listener.bind(settings.address());
            output.debug("rdma_bind_addr successful");
            listener.listen(0);
            InetSocketAddress local = listener.localAddress();
            output.say("server listens on " + AddressText.of(local.getAddress()) + " port " + local.getPort());
            serveUntilStopped(listener);
        } catch (RdmaException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
            output.debug("stopped");
        }
    }

    private void serveUntilStopped(ConnectionId listener) {
        if (!settings.persistent()) {
            new PingServing(settings, output).serve(nextClient(listener));
            return;
        }
        while (true) {
            ConnectionId client = nextClient(listener);
            Thread.ofPlatform().name("rping " + client.peerAddress()).start(() -> serve(client));
        }
    }

    private void serve(ConnectionId client) {
        try {
            new PingServing(settings, output).serve(client);
        } catch (RuntimeException e) {
            output.trouble(e.getMessage());
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
