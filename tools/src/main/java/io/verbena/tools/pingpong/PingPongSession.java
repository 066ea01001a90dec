package io.verbena.tools.pingpong;

import io.verbena.tools.program.PeerDevice;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Progress;
import io.verbena.tools.program.SideChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// One run with one peer. Both sides do the same, but for the order of the first exchange.
final class PingPongSession {
    static final int PORT = 18515;

    /// How long a side stays after its last message. The peer's send would fail if its acknowledgement was lost and
    /// nobody repeated it. A C program does not say when it is done; in this time it retransmits twice.
    private static final Duration LAST_ANSWER = Duration.ofMillis(200);

    private static final Duration PEER_DONE = Duration.ofSeconds(1);

    private final PingPongSettings settings;
    private final ProgramOptions options;
    private final PingPongReport report;

    PingPongSession(PingPongSettings settings, ProgramOptions options) {
        this.settings = settings;
        this.options = options;
        this.report = new PingPongReport(settings, options);
    }

    void runClient() {
        InetSocketAddress server = options.serverAddress(PORT);
        reporting(() -> {
            try (SideChannel channel = SideChannel.connect(
                            options.output(),
                            server,
                            options.timeout(),
                            settings.kind().commands(server));
                    PeerDevice device = PeerDevice.towards(options.device(), server, options.step())) {
                run(channel, device);
            }
        });
    }

    void serve(SideChannel client) {
        reporting(() -> {
            InetAddress local = client.local().getAddress();
            try (PeerDevice device = PeerDevice.at(options.deviceAt(local), local, client.peer(), options.step())) {
                run(client, device);
            }
        });
    }

    private void reporting(Runnable body) {
        try {
            body.run();
        } catch (RuntimeException e) {
            report.failed(e);
            throw e;
        } finally {
            report.end();
        }
    }

    private void run(SideChannel channel, PeerDevice device) {
        try (PingPongEndpoint endpoint = PingPongEndpoint.on(device, settings)) {
            report.local(device, channel, endpoint.destinations());
            AddressExchange exchange = new AddressExchange(channel, settings.kind());
            if (settings.isServer()) {
                connectAsServer(exchange, endpoint);
            } else {
                connectAsClient(exchange, endpoint);
            }
            PingPongLoop loop = new PingPongLoop(
                    settings, endpoint, new PingPongWatch(settings, () -> channel.isClosedByPeer(Duration.ZERO)));
            try (Progress _ = settings.isServer() ? null : progress(loop)) {
                loop.run();
            } finally {
                report.ended(loop);
            }
            stayForTheLastAnswer(channel);
        }
    }

    private Progress progress(PingPongLoop loop) {
        return Progress.start(options.output(), loop::received, settings.iterations());
    }

    /// The client sends at once, so the server must be able to receive before it sends its address.
    private void connectAsServer(AddressExchange exchange, PingPongEndpoint endpoint) {
        List<Destination> remote = exchange.receive(settings.queuePairs());
        report.remote(remote);
        endpoint.connect(remote);
        exchange.send(endpoint.destinations());
        exchange.awaitDone();
    }

    private void connectAsClient(AddressExchange exchange, PingPongEndpoint endpoint) {
        exchange.send(endpoint.destinations());
        List<Destination> remote = exchange.receive(settings.queuePairs());
        report.remote(remote);
        exchange.sendDone();
        endpoint.connect(remote);
    }

    private void stayForTheLastAnswer(SideChannel channel) {
        if (!settings.kind().isReliable()) {
            return;
        }
        boolean isClosedEarly = channel.isClosedByPeer(Duration.ZERO);
        channel.endOutput();
        if (!isClosedEarly) {
            channel.isClosedByPeer(PEER_DONE);
            return;
        }
        try {
            Thread.sleep(LAST_ANSWER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
