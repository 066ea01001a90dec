package io.verbena.soft.program;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.Access;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// The environment of the peers of a program: their devices, and how their engines are run.
interface ProgramEnvironment extends AutoCloseable {
    Context open(String address);

    /// One round of a host's program.
    void poll(ProgramHost host);

    boolean runUntil(BooleanSupplier ready, Duration timeout);

    /// Whether completion queues are armed now and then.
    boolean hasEvents();

    /// How many connections two hosts have.
    default int connections() {
        return 1;
    }

    GuardedMemory memory(ProtectionDomain pd, int bytes, Access... rights);

    /// Before and after a request is posted.
    default void onPosting() {}

    /// Something happened that a run is to show.
    default void note(String what) {}

    @Override
    void close();

    /// Hosts that send each other packets.
    static ProgramEnvironment of(SimulatedFabric fabric) {
        return new ProgramEnvironment() {
            @Override
            public Context open(String address) {
                return fabric.host(address).device().open();
            }

            @Override
            public void poll(ProgramHost host) {
                host.poll(64);
            }

            @Override
            public boolean runUntil(BooleanSupplier ready, Duration timeout) {
                return fabric.runUntil(ready, timeout);
            }

            @Override
            public boolean hasEvents() {
                return false;
            }

            @Override
            public GuardedMemory memory(ProtectionDomain pd, int bytes, Access... rights) {
                return new GuardedMemory(pd, bytes, rights);
            }

            @Override
            public void close() {}
        };
    }
}
