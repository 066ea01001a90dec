package io.verbena.soft.fabric;

import io.verbena.soft.cm.SoftConnectionManager;
import io.verbena.soft.device.Network;
import io.verbena.soft.device.SimulatedEnvironment;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.local.Neighbourhood;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.verbs.Device;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// A host of a [SimulatedFabric]: one device, and a connection manager that knows only it. Waiting calls move the
/// virtual clock.
public final class SimulatedHost {
    private final InetAddress address;
    private final SimulatedNetwork network;
    private final SoftDevice device;
    private final SoftConnectionManager connectionManager;

    SimulatedHost(SimulatedNetwork network, InetAddress address, RandomGenerator random, Neighbourhood neighbourhood) {
        this.address = address;
        this.network = network;
        this.device = new SoftDevice(address, new SimulatedEnvironment(network, random, neighbourhood));
        this.connectionManager = new SoftConnectionManager(new OnlyThisHost());
    }

    /// The IP address of the host and its device.
    public InetAddress address() {
        return address;
    }

    /// The one device of the host.
    public Device device() {
        return device;
    }

    /// The connection manager of the host: it connects to other hosts of the fabric.
    public ConnectionManager connectionManager() {
        return connectionManager;
    }

    /// The host loses its address: its port is down, and only frames that are on the way already still arrive.
    public void goDown() {
        network.link(address, false);
        device.checkLink();
    }

    /// The host has its address again.
    public void comeUp() {
        network.link(address, true);
        device.checkLink();
    }

    /// Whether the device waits only for late messages of connections that are over.
    boolean waitsForLateMessages() {
        connectionManager.closeUnusedDevices();
        return device.isOpen() && openObjects().isEmpty();
    }

    /// The objects that programs have not closed.
    List<AutoCloseable> openObjects() {
        List<AutoCloseable> open = new ArrayList<>(OpenObjects.listOf(device));
        open.addAll(connectionManager.unboundIds());
        return open;
    }

    void closeAll() {
        connectionManager.unboundIds().forEach(ConnectionId::close);
        OpenObjects.closeAll(device);
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
        public SoftDevice deviceTowards(InetAddress peer) {
            return device;
        }

        @Override
        public List<SoftDevice> all() {
            return List.of(device);
        }
    }
}
