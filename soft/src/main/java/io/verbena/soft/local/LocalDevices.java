package io.verbena.soft.local;

import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.Wire;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.spi.Availability;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.function.Consumer;

/// Opens a device's part of the local path, or says why there is none.
public final class LocalDevices {
    private static final Logger LOG = System.getLogger(LocalDevices.class.getName());

    private LocalDevices() {}

    /// Null when the device's connections all go over the network: because that was asked for, or because the
    /// system has nothing else.
    ///
    /// @param found learns whether there is a local path, and if not, why
    public static LocalDevice open(InetAddress local, Wire wire, Consumer<Availability> found) {
        PathOption option = PathOption.current();
        Availability availability = Obstacle.of(option, wire);
        found.accept(availability);
        if (!availability.isAvailable()) {
            if (option == PathOption.SHARED) {
                throw Obstacle.failure(local, availability);
            }
            return null;
        }
        try {
            return new LocalDevice(HostNeighbourhood.open(), option, Gid.of(local), wire);
        } catch (RdmaException e) {
            if (option == PathOption.SHARED) {
                throw e;
            }
            found.accept(Obstacle.of(e));
            LOG.log(Level.DEBUG, () -> AddressText.of(local) + " has no shared memory: " + e.getMessage());
            return null;
        }
    }

    /// As [#open(InetAddress, Wire, Consumer)], for a device of a simulated network, whatever properties say. Its
    /// wire need not hear the bell: nobody sleeps there.
    public static LocalDevice open(
            Neighbourhood neighbourhood, InetAddress local, Wire wire, Consumer<Availability> found) {
        Availability availability = Obstacle.ofPlatform();
        if (availability.isAvailable()) {
            try {
                HostNeighbourhood.tryMemory();
                found.accept(availability);
                return new LocalDevice(neighbourhood, PathOption.AUTO, Gid.of(local), wire);
            } catch (RdmaException e) {
                availability = Obstacle.of(e);
            }
        }
        found.accept(availability);
        return null;
    }
}
