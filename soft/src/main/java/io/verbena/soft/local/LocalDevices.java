package io.verbena.soft.local;

import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SocketKind;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftPath;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.os.CLibrary;
import io.verbena.soft.os.Platform;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.spi.Availability;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.function.Consumer;

/// Opens a device's part of the local path, or reports why it cannot share memory.
public final class LocalDevices {
    private static final Logger LOG = System.getLogger(LocalDevices.class.getName());

    private LocalDevices() {}

    /// Null when all connections of the device take the network: by option, or because the system does not support
    /// shared memory.
    ///
    /// @param found learns whether there is a local path, and if not, why
    public static LocalDevice open(InetAddress local, Wire wire, SoftOptions options, Consumer<Availability> found) {
        return open(new Neighbourhood(), options.path(), local, wire, availability(options, wire), found);
    }

    /// Opens the local path for a device of a simulated network, whatever the properties are. Its wire need not listen
    /// to the bell, because no thread sleeps there.
    public static LocalDevice open(
            Neighbourhood neighbourhood, InetAddress local, Wire wire, Consumer<Availability> found) {
        return open(neighbourhood, SoftPath.AUTO, local, wire, ofPlatform(), found);
    }

    private static LocalDevice open(
            Neighbourhood neighbourhood,
            SoftPath option,
            InetAddress local,
            Wire wire,
            Availability availability,
            Consumer<Availability> found) {
        found.accept(availability);
        if (!availability.isAvailable()) {
            if (option == SoftPath.SHARED) {
                throw new RdmaException(
                        "open soft device " + AddressText.of(local),
                        Errno.EOPNOTSUPP,
                        "the path is shared (%s), but %s; %s"
                                .formatted(SoftProperties.PATH, availability.cause(), availability.remedy()));
            }
            return null;
        }
        try {
            tryMemory();
            return new LocalDevice(neighbourhood, option, Gid.of(local), wire);
        } catch (RdmaException e) {
            if (option == SoftPath.SHARED) {
                throw e;
            }
            found.accept(Availability.unavailable(e.getMessage(), "'verbena doctor' looks at shared memory"));
            LOG.log(Level.DEBUG, () -> AddressText.of(local) + " has no shared memory: " + e.getMessage());
            return null;
        }
    }

    private static void tryMemory() {
        try {
            SealedMemory.create(1, false).close();
        } catch (LinkageError | IllegalCallerException e) {
            throw new RdmaException(
                    "share memory", Errno.EOPNOTSUPP, "it needs native access; run with " + CLibrary.accessOption(), e);
        }
    }

    /// As far as is known without trying.
    static Availability availability(SoftOptions options, Wire wire) {
        if (options.path() == SoftPath.UDP) {
            return Availability.unavailable(
                    "the path is udp", "set " + SoftProperties.PATH + " to auto, on the command line --path auto");
        }
        if (options.needsPackets()) {
            return Availability.unavailable(
                    "a capture or faults are asked for, which are about packets",
                    "leave out " + SoftProperties.CAPTURE + " and " + SoftProperties.FAULTS);
        }
        Availability platform = ofPlatform();
        if (!platform.isAvailable() || wire.canListen()) {
            return platform;
        }
        return options.socket() == SocketKind.NIO
                ? Availability.unavailable("packets go through a DatagramChannel", "leave out " + SoftProperties.SOCKET)
                : Availability.unavailable("there is no native access", "run with " + CLibrary.accessOption());
    }

    private static Availability ofPlatform() {
        return Platform.isKnown()
                ? Availability.AVAILABLE
                : Availability.unavailable(
                        "this is " + Platform.text(), "it needs Linux on x86-64 or aarch64; UDP works everywhere");
    }
}
