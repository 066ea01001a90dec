package io.verbena.tools.perf;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.program.MemoryBudget;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.text.AddressText;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Function;

/// The server's side of one run. A Verbena client brings its parameters, and is told why when they cannot be
/// met; for a C client the server's own options count.
///
/// - `devices`: the device for the local address that the client connected to
/// - `gidIndex`: the row of its GID table, or -1
/// - `forCClients`: the parameters of the server's own options, or null when they name no test
/// - `memory`: what all clients together may take
record Serving(
        Function<InetAddress, DeviceChoice> devices,
        int gidIndex,
        Function<Port, PerfParameters> forCClients,
        MemoryBudget memory,
        SessionSettings settings,
        Output output) {

    /// Serves a client to its end, and closes its connection.
    void serve(Socket client) {
        String name = AddressText.of(client.getInetAddress());
        try (var channel = new PeerChannel(client, false, settings.patience())) {
            Greeting peer = Greeting.parse(channel.receive(Greeting.BYTES, "greeting"));
            if (peer.isVerbena()) {
                serveVerbena(channel, peer, name, client.getLocalAddress());
            } else {
                serveC(channel, peer, name, client.getLocalAddress());
            }
        } catch (StoppedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new ProgramException("client " + name + ": " + e.getMessage(), e);
        }
    }

    private void serveVerbena(PeerChannel channel, Greeting peer, String name, InetAddress local) {
        channel.send(Greeting.bytes(true));
        boolean accepted = false;
        Context context = null;
        try {
            PerfParameters parameters = ParameterBlock.receiveParameters(channel);
            require(Limits.ofTest(parameters));
            context = device(local).open();
            Port port = Port.choose(context, local, gidIndex);
            require(Limits.ofDevice(parameters, context, port.number()));
            try (var _ = memory.take(Limits.memory(parameters))) {
                ParameterBlock.accept(channel);
                accepted = true;
                run(new Session(parameters, port, channel, peer, name, settings, new Summary(output)));
            }
        } catch (RuntimeException e) {
            if (!accepted) {
                ParameterBlock.refuse(channel, String.valueOf(e.getMessage()));
            }
            throw e;
        } finally {
            closeAll(context);
        }
    }

    private void serveC(PeerChannel channel, Greeting peer, String name, InetAddress local) {
        if (forCClients == null) {
            throw new ProgramException(
                    "it is a program of perftest, which does not tell its test; start the server with"
                            + " that test and the client's options, such as: verbena perf send-lat");
        }
        Context context = device(local).open();
        try {
            Port port = Port.choose(context, local, gidIndex);
            PerfParameters parameters = forCClients.apply(port);
            CPeers.require(parameters);
            WarmUp.onLoopback(parameters, port, settings);
            channel.send(Greeting.bytes(false));
            run(new Session(parameters, port, channel, peer, name, settings, new Summary(output)));
        } finally {
            closeAll(context);
        }
    }

    private static void run(Session session) {
        session.run();
        session.listener().finished(null);
    }

    private static void require(String wrong) {
        if (wrong != null) {
            throw new ProgramException(wrong);
        }
    }

    private static void closeAll(Context context) {
        if (context != null) {
            context.closeAll();
        }
    }

    private Device device(InetAddress local) {
        DeviceChoice choice = devices.apply(local);
        if (choice.device() != null) {
            return choice.device();
        }
        return choice.provider()
                .device(local.getHostAddress())
                .orElseThrow(() -> new ProgramException("no device of provider "
                        + choice.provider().name() + " has the address " + AddressText.of(local)
                        + " that the client connected to; --device chooses one"));
    }
}
