package io.verbena.tools.perf;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.program.ConnectFailure;
import io.verbena.tools.program.ConnectNotice;
import io.verbena.tools.program.PeerDevice;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ServerCommand;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Function;

/// The client of a run: finds the device that reaches the server, connects, sends the parameters to a Verbena server,
/// and measures.
record PerfClient(
        InetSocketAddress server, DeviceChoice device, int gidIndex, SessionSettings settings, PerfListener listener) {
    /// @param command `verbena perf`, or with `-R`
    private String startServer(String command) {
        return ServerCommand.of(command, server, PerfCommand.USUAL_PORT);
    }

    /// @param parameters completes the options for a port, or refuses them
    void run(Function<PerfPort, PerfParameters> parameters) {
        try (PeerDevice found = PeerDevice.towards(device, server, settings.step())) {
            PerfPort port = PerfPort.choose(found.context(), found.address(), gidIndex);
            PerfParameters completed = parameters.apply(port);
            try (var channel = new PeerChannel(connect(), true, settings.patience())) {
                run(completed, port, channel, new HandWiring());
            }
        }
    }

    /// As [#run], with `-R`: all connections are made by the connection manager.
    void runManaged(Function<PerfPort, PerfParameters> parameters) {
        ConnectionManager cm = device.provider().connectionManager();
        InetSocketAddress source = device.address() == null ? null : new InetSocketAddress(device.address(), 0);
        ConnectionId id = cm.createEndpoint(PortSpace.TCP, source, server, settings.step());
        try (var wiring = new ClientWiring(cm, source, server, settings.step())) {
            PerfPort port = PerfPort.choose(id.context(), id.localAddress().getAddress(), gidIndex);
            PerfParameters completed = parameters.apply(port);
            try (var channel = new PeerChannel(connect(id), true, settings.patience())) {
                run(completed, port, channel, wiring);
            }
        } finally {
            id.close();
        }
    }

    private PeerLink connect(ConnectionId id) {
        try (var _ =
                ConnectNotice.start(settings.progress(), server, settings.step(), startServer("verbena perf -R"))) {
            return ManagedLink.connect(id, settings);
        } catch (RdmaException e) {
            throw ConnectFailure.of(startServer("verbena perf -R"), server, id.event(), e);
        }
    }

    private void run(PerfParameters parameters, PerfPort port, PeerChannel channel, Wiring wiring) {
        Greeting peer = Greeting.parse(channel.exchange(Greeting.bytes(true), Greeting.BYTES, "greeting"));
        if (peer.isVerbena()) {
            ParameterBlock.sendParameters(channel, parameters);
            ParameterBlock.requireAccepted(channel);
        } else {
            new Limits(parameters, ProgramException::require).checkCPeer();
            WarmUp.onLoopback(parameters, port, settings);
        }
        String address = server.getAddress().getHostAddress();
        new PerfSession(parameters, port, channel, wiring, peer, address, settings, listener).run();
    }

    private Socket connect() {
        var socket = new Socket();
        try (var _ = ConnectNotice.start(settings.progress(), server, settings.step(), startServer("verbena perf"))) {
            socket.connect(server, (int) settings.step().toMillis());
            return socket;
        } catch (IOException e) {
            throw new ProgramException(
                    "cannot connect to " + server.getAddress().getHostAddress() + " port " + server.getPort() + ": "
                            + e.getMessage() + "; start the server there first: " + startServer("verbena perf"),
                    e);
        }
    }
}
