package io.verbena.soft.device;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.net.Wire;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// What a device stands on: where its wire, its time and its chance come from, and who runs its engine.
public interface Host {
    Wire openWire(InetAddress local);

    /// Whether the host has the address just now; devices ask every few seconds.
    default boolean hasAddress(InetAddress local) {
        return true;
    }

    /// What the device shares with others of the host; null when nothing.
    ///
    /// @param found is told whether, and if not, why
    default LocalDevice share(InetAddress local, Wire wire, Consumer<Availability> found) {
        found.accept(Availability.unavailable("the network is simulated", "open a device of the host"));
        return null;
    }

    NanoClock clock();

    RandomGenerator random();

    /// The world under a virtual clock, or null in the real one.
    Simulation simulation();

    /// Sees to it that the engine runs even when no program does it.
    void start(Engine engine, String name);

    /// Called before the engine closes.
    void stop(Engine engine);

    /// A device has come into use; in the thread that opened it.
    default void onOpen(SoftDevice device) {}
}
