package io.verbena.verbs;

import io.verbena.verbs.spi.RdmaProvider;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/// The event of a choice among providers. Loaded only where there is a flight recorder.
final class ProviderEvents {
    private ProviderEvents() {}

    /// A program asked for a device or a connection, and a provider was chosen.
    @Name("verbena.verbs.ProviderChoice")
    @Label("Provider Choice")
    @Description("A provider was chosen: adapters, or the software device")
    @Category({"Verbena", "Verbs"})
    @Throttle("100/s")
    static final class ProviderChoice extends Event {
        @Label("Asked For")
        @Description("The device or the address that the program named")
        String asked;

        @Label("Provider")
        String provider;

        @Label("Reason")
        String reason;

        @Label("Unavailable")
        @Description("Installed providers that cannot be used here, and why")
        String unavailable;
    }

    static void chosen(List<RdmaProvider> installed, String asked, RdmaProvider provider, String reason) {
        ProviderChoice event = new ProviderChoice();
        if (event.shouldCommit()) {
            event.asked = asked;
            event.provider = provider.name();
            event.reason = reason;
            event.unavailable = installed.stream()
                    .filter(other -> !other.availability().isAvailable())
                    .map(other -> other.name() + ": " + other.availability())
                    .collect(Collectors.joining("; "));
            event.commit();
        }
    }
}
