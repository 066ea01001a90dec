package io.verbena.soft.local;

import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.Wire;
import io.verbena.soft.net.Wires;
import io.verbena.soft.os.Platform;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;

/// What keeps a device from sharing memory.
final class Obstacle {
    private Obstacle() {}

    /// As far as can be told before it is tried.
    static Availability of(PathOption option, Wire wire) {
        if (option == PathOption.UDP) {
            return Availability.unavailable(
                    PathOption.PROPERTY + " is udp", "set it to auto, on the command line --path auto");
        }
        if (option == PathOption.AUTO && !Wires.mayBypass()) {
            return Availability.unavailable(
                    "a capture or faults are asked for, which are about packets",
                    "leave out " + Wires.CAPTURE_PROPERTY + " and " + Wires.FAULTS_PROPERTY);
        }
        Availability platform = ofPlatform();
        if (!platform.isAvailable() || wire.canListen()) {
            return platform;
        }
        String kind = System.getProperty(Wires.KIND_PROPERTY, "");
        return kind.isEmpty()
                ? Availability.unavailable(
                        "there is no native access", "run with --enable-native-access=io.verbena.soft")
                : Availability.unavailable(Wires.KIND_PROPERTY + " is " + kind, "leave it out");
    }

    static Availability ofPlatform() {
        return Platform.isKnown()
                ? Availability.AVAILABLE
                : Availability.unavailable(
                        "this is " + Platform.text(), "it needs Linux on x86-64 or aarch64; UDP works everywhere");
    }

    /// What trying it said.
    static Availability of(RdmaException failure) {
        return Availability.unavailable(failure.getMessage(), "'verbena doctor' looks at shared memory");
    }

    static RdmaException failure(InetAddress local, Availability missing) {
        return new RdmaException(
                "open soft device " + AddressText.of(local),
                Errno.EOPNOTSUPP,
                "%s is shared, but %s; %s".formatted(PathOption.PROPERTY, missing.cause(), missing.remedy()));
    }
}
