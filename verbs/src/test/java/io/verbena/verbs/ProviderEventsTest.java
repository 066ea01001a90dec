package io.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the choice among providers tells the flight recorder.
class ProviderEventsTest {
    private static final String ADAPTERS = "adapters of ProviderEventsTest";

    private record Without(String name, Availability availability) implements RdmaProvider {
        @Override
        public List<Device> devices() {
            return List.of();
        }

        @Override
        public Optional<Device> device(String nameOrAddress) {
            return Optional.empty();
        }

        @Override
        public ConnectionManager connectionManager() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void shouldTellWhichProviderWasChosenAndWhyNotTheOthers(@TempDir Path folder) throws Exception {
        RdmaProvider named = new Without(ADAPTERS, Availability.AVAILABLE);
        RdmaProvider absent = new Without("absent", Availability.unavailable("no libibverbs", "install rdma-core"));
        Path file = folder.resolve("choice.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("verbena.verbs.ProviderChoice").with("throttle", "off");
            recording.start();
            new Providers(List.of(named, absent)).preferred(ADAPTERS);
            recording.stop();
            recording.dump(file);
        }
        RecordedEvent choice = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("verbena.verbs.ProviderChoice"))
                .filter(event -> event.getString("provider").equals(ADAPTERS))
                .findFirst()
                .orElseThrow();
        assertEquals("any device", choice.getString("asked"));
        assertTrue(choice.getString("reason").contains(Rdma.PROVIDER_PROPERTY), choice::toString);
        assertEquals("absent: unavailable: no libibverbs; install rdma-core", choice.getString("unavailable"));
    }
}
