package io.verbena.tools.perf;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.program.MemoryBudget;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.PeerDevice;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Result;
import io.verbena.tools.text.AddressText;
import io.verbena.verbs.Context;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Consumer;
import java.util.function.Function;

/// The server of one run. A Verbena client sends its parameters, or gets the reason why they are refused. For a C
/// client the server's own options count.
///
/// - `devices`: the device for the local address that the client connected to
/// - `gidIndex`: the row of its GID table, or -1
/// - `forCClients`: the parameters of the server's own options, or null when they name no test
/// - `memory`: the limit for all clients together
record PerfService(
        Function<InetAddress, DeviceChoice> devices,
        int gidIndex,
        Function<PerfPort, PerfParameters> forCClients,
        MemoryBudget memory,
        SessionSettings settings,
        Output output) {

    /// Serves a client until its run ends, and closes its connection.
    void serve(Socket client) {
        InetAddress local = client.getLocalAddress();
        var peer = (InetSocketAddress) client.getRemoteSocketAddress();
        serve(AddressText.of(client.getInetAddress()), name -> {
            try (var channel = new PeerChannel(client, false, settings.patience())) {
                serve(new Client(channel, new HandWiring(), name, local, peer, null));
            }
        });
    }

    /// As [#serve(Socket)], for the first connection request of a client with `-R`. Also closes the id.
    void serve(ConnectionId request, ConnectionManager cm, RequestDispatcher dispatcher) {
        InetSocketAddress local = request.localAddress();
        InetAddress client = request.peerAddress().getAddress();
        serve(AddressText.of(client), name -> {
            var link = ManagedLink.accept(request, settings);
            try (var wiring = new ServerWiring(cm, dispatcher, local, client, settings.step());
                    var channel = new PeerChannel(link, false, settings.patience())) {
                serve(new Client(channel, wiring, name, local.getAddress(), request.peerAddress(), request.context()));
            }
        });
    }

    private static void serve(String name, Consumer<String> service) {
        try {
            service.accept(name);
        } catch (RuntimeException e) {
            throw Result.isInterrupt(e) ? e : new ProgramException("client " + name + ": " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new ProgramException("a client needs more memory than there is: " + e.getMessage(), e);
        }
    }

    /// - `local`, `peer`: the address that the client connected to, and its own
    /// - `context`: the device of the connection; null: open the device of `local`
    private record Client(
            PeerChannel channel,
            Wiring wiring,
            String name,
            InetAddress local,
            InetSocketAddress peer,
            Context context) {}

    private void serve(Client client) {
        Greeting peer = Greeting.parse(client.channel.receive(Greeting.BYTES, "greeting"));
        if (peer.isVerbena()) {
            serveVerbena(client, peer);
        } else {
            serveC(client, peer);
        }
    }

    private void serveVerbena(Client client, Greeting peer) {
        PeerChannel channel = client.channel;
        channel.send(Greeting.bytes(true));
        boolean accepted = false;
        try {
            PerfParameters parameters = ParameterBlock.receiveParameters(channel);
            var limits = new Limits(parameters, ProgramException::require);
            limits.checkTest(client.wiring.isManaged());
            try (PeerDevice device = open(client)) {
                PerfPort port = PerfPort.choose(device.context(), client.local, gidIndex);
                limits.checkDevice(port);
                try (var _ = memory.take(limits.memory())) {
                    ParameterBlock.accept(channel);
                    accepted = true;
                    run(parameters, port, client, peer);
                }
            }
        } catch (RuntimeException e) {
            if (!accepted) {
                ParameterBlock.refuse(channel, String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    private void serveC(Client client, Greeting peer) {
        if (forCClients == null) {
            throw new ProgramException(
                    "it is a program of perftest, which does not send its test; start the server with"
                            + " that test and the client's options, such as: verbena perf send-lat");
        }
        try (PeerDevice device = open(client)) {
            PerfPort port = PerfPort.choose(device.context(), client.local, gidIndex);
            PerfParameters parameters = forCClients.apply(port);
            new Limits(parameters, ProgramException::require).checkCPeer();
            WarmUp.onLoopback(parameters, port, settings);
            client.channel.send(Greeting.bytes(false));
            run(parameters, port, client, peer);
        }
    }

    private void run(PerfParameters parameters, PerfPort port, Client client, Greeting peer) {
        var summary = new Summary(output);
        new PerfSession(parameters, port, client.channel, client.wiring, peer, client.name, settings, summary).run();
        summary.finished(null);
    }

    private PeerDevice open(Client client) {
        return client.context != null
                ? PeerDevice.of(client.context, client.local)
                : PeerDevice.at(devices.apply(client.local), client.local, client.peer, settings.step());
    }
}
