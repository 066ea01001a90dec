package io.verbena.soft.device;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The environment of a device: its wire, its clock, its random numbers, and the thread that runs its engine.
public interface DeviceEnvironment {
    Wire openWire(InetAddress local, SoftOptions options);

    /// Another wire at the same address, for another shard of a device.
    ///
    /// @throws RdmaException when there can be one only
    default Wire openAnother(Wire first, SoftOptions options) {
        throw new RdmaException("open another shard", Errno.EOPNOTSUPP, "the network is simulated");
    }

    /// Whether the host has the address just now; devices ask every few seconds.
    default boolean hasAddress(InetAddress local) {
        return true;
    }

    /// The memory that the device shares with other devices of the host; null for none.
    ///
    /// @param found is told whether, and if not, why
    default LocalDevice share(InetAddress local, Wire wire, SoftOptions options, Consumer<Availability> found) {
        found.accept(Availability.unavailable("the network is simulated", "open a device of the host"));
        return null;
    }

    NanoClock clock();

    RandomGenerator random();

    /// The simulated network, or null in real time.
    Simulation simulation();

    /// Makes the engine run also while no program's thread runs it.
    void start(Engine engine, String name);

    /// Called before the engine closes.
    void stop(Engine engine);

    /// A device was opened; in the thread that opened it.
    default void onOpen(SoftDevice device) {}
}
