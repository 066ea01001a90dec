package io.verbena.tools.rping;

import io.verbena.tools.program.ClientThreads;
import io.verbena.tools.program.ProgramServer;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;

/// Listens, and serves one client, or with `-P` every client, each in a thread of its own.
final class RpingServer {
    private final RpingSettings settings;
    private final RpingOutput output;

    RpingServer(RpingSettings settings, RpingOutput output) {
        this.settings = settings;
        this.output = output;
    }

    void run() {
        try (ConnectionId listener = settings.newId()) {
            ProgramServer.listen(listener, settings.address());
            output.debug("rdma_bind_addr successful");
            InetSocketAddress local = listener.localAddress();
            output.listens(local);
            serveUntilStopped(listener);
        }
    }

    private void serveUntilStopped(ConnectionId listener) {
        if (!settings.persistent()) {
            new RpingService(settings, output).serve(ProgramServer.nextClient(listener));
            return;
        }
        ClientThreads clients = output.newClientThreads();
        try {
            while (true) {
                ConnectionId client = ProgramServer.nextClient(listener);
                clients.start(
                        String.valueOf(client.peerAddress()), () -> new RpingService(settings, output).serve(client));
            }
        } finally {
            clients.stop();
        }
    }
}
