package io.verbena.tools.perf;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.program.ConnectNotice;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.Context;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Function;

/// The client's side of a run: finds the device that reaches the server, connects, tells a Verbena server the
/// parameters, and measures.
final class PerfClient {
    private static final String START_SERVER = "verbena perf";
    private static final Duration LONGEST_STEP = Duration.ofMinutes(2);

    private final InetSocketAddress server;
    private final DeviceChoice device;
    private final int gidIndex;
    private final SessionSettings settings;
    private final PerfListener listener;

    PerfClient(
            InetSocketAddress server,
            DeviceChoice device,
            int gidIndex,
            SessionSettings settings,
            PerfListener listener) {
        this.server = server;
        this.device = device;
        this.gidIndex = gidIndex;
        this.settings = settings;
        this.listener = listener;
    }

    /// @param parameters completes what the options say by what the device can do, or refuses it
    void run(Function<Port, PerfParameters> parameters) {
        if (device.device() != null) {
            Context context = device.device().open();
            try {
                run(parameters, Port.choose(context, device.address(), gidIndex));
            } finally {
                context.closeAll();
            }
            return;
        }
        try (ConnectionId id = device.provider().connectionManager().createSynchronousId(PortSpace.TCP)) {
            // only to find the device: the queue pairs are brought up by hand
            id.resolveAddress(null, server, step());
            InetAddress local = id.localAddress().getAddress();
            run(parameters, Port.choose(id.context(), local, gidIndex));
        }
    }

    private Duration step() {
        Duration patience = settings.patience();
        return patience.isZero() || patience.compareTo(LONGEST_STEP) > 0 ? LONGEST_STEP : patience;
    }

    private void run(Function<Port, PerfParameters> completed, Port port) {
        PerfParameters parameters = completed.apply(port);
        try (var channel = new PeerChannel(connect(), true, settings.patience())) {
            Greeting peer = Greeting.parse(channel.exchange(Greeting.bytes(true), Greeting.BYTES, "greeting"));
            if (peer.isVerbena()) {
                ParameterBlock.sendParameters(channel, parameters);
                ParameterBlock.requireAccepted(channel);
            } else {
                CPeers.require(parameters);
                WarmUp.onLoopback(parameters, port, settings);
            }
            String address = server.getAddress().getHostAddress();
            new Session(parameters, port, channel, peer, address, settings, listener).run();
        }
    }

    private Socket connect() {
        var socket = new Socket();
        try (var _ = ConnectNotice.start(settings.progress(), server, step(), START_SERVER)) {
            socket.connect(server, (int) step().toMillis());
            return socket;
        } catch (IOException e) {
            throw new ProgramException(
                    "cannot connect to " + server.getAddress().getHostAddress() + " port " + server.getPort() + ": "
                            + e.getMessage() + "; start the server there first: " + START_SERVER,
                    e);
        }
    }
}
