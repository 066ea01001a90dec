package io.verbena.soft.fabric;

import io.verbena.soft.cm.SoftConnectionManager;
import io.verbena.soft.device.Network;
import io.verbena.soft.device.SimulatedGround;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.local.Neighbourhood;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.verbs.Device;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionManager;
import java.net.InetAddress;
import java.util.List;
import java.util.random.RandomGenerator;

/// A host of a [SimulatedFabric]: one device, and a connection manager that knows only it. All calls come from the
/// thread that runs the fabric; waiting calls move the virtual clock.
public final class SimulatedHost {
    private final InetAddress address;
    private final SimulatedNetwork network;
    private final SoftDevice device;
    private final ConnectionManager connectionManager;

    SimulatedHost(SimulatedNetwork network, InetAddress address, RandomGenerator random, Neighbourhood neighbourhood) {
        this.address = address;
        this.network = network;
        this.device = new SoftDevice(address, new SimulatedGround(network, random, neighbourhood));
        this.connectionManager = new SoftConnectionManager(new OnlyThisHost());
    }

    public InetAddress address() {
        return address;
    }

    public Device device() {
        return device;
    }

    public ConnectionManager connectionManager() {
        return connectionManager;
    }

    /// The host loses its address: its port is down, and nothing leaves or reaches it any more but what is on its way
    /// already.
    public void goDown() {
        network.link(address, false);
        device.lookAtLink();
    }

    /// The host has its address again.
    public void comeUp() {
        network.link(address, true);
        device.lookAtLink();
    }

    private final class OnlyThisHost implements Network {
        @Override
        public SoftDevice at(InetAddress local) {
            if (!local.equals(address)) {
                throw new RdmaException(
                        "open soft device " + AddressText.of(local),
                        Errno.EADDRNOTAVAIL,
                        "this simulated host is " + AddressText.of(address));
            }
            return device;
        }

        @Override
        public SoftDevice towards(InetAddress peer) {
            return device;
        }

        @Override
        public List<SoftDevice> all() {
            return List.of(device);
        }
    }
}
