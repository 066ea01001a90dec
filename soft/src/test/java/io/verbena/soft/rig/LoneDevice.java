package io.verbena.soft.rig;

import io.verbena.soft.device.Network;
import io.verbena.soft.device.SimulatedEnvironment;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.net.SimulatedNetwork;
import java.net.InetAddress;
import java.util.List;
import java.util.Random;

/// One device in a simulated network that the test holds, so that it can play other hosts by hand.
public record LoneDevice(SoftDevice device) implements Network {
    public LoneDevice(SimulatedNetwork network, InetAddress address, long seed) {
        this(new SoftDevice(address, new SimulatedEnvironment(network, new Random(seed))));
    }

    @Override
    public SoftDevice at(InetAddress local) {
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
