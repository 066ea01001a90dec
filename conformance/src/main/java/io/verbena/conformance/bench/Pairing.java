package io.verbena.conformance.bench;

import io.verbena.verbs.Context;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Two devices that can reach each other, of the same provider or not.
public interface Pairing {
    /// For the report, e.g. `soft-soft over UDP`.
    String name();

    Availability availability();

    InetAddress leftAddress();

    InetAddress rightAddress();

    Context openLeft();

    Context openRight();

    ConnectionManager leftConnections();

    ConnectionManager rightConnections();

    /// An address that the left device can send to and where nobody answers; empty when there is none for sure.
    default Optional<InetAddress> silentAddress() {
        return Optional.empty();
    }

    /// The accepted deviations of the left device from the rules.
    default Quirks leftQuirks() {
        return Quirks.NONE;
    }

    /// The accepted deviations of the right device from the rules.
    default Quirks rightQuirks() {
        return Quirks.NONE;
    }

    /// Tests that are known to fail here, by name (`PostingContract.shouldX`), each with the reason: they are skipped
    /// until the device is fixed.
    default Map<String, String> knownDefects() {
        return Map.of();
    }

    /// Whether one of the two is known not to have that verb: its tests are skipped. A verb that is missing although
    /// this says otherwise fails them.
    default boolean mayLack(String verb) {
        return true;
    }

    /// Threads of the library that work for the two devices; none may be left once both are closed.
    default List<Thread> threads() {
        return List.of();
    }
}
