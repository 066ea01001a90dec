package io.verbena.rdmacore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.NodeType;
import io.verbena.verbs.attr.TransportType;
import io.verbena.verbs.spi.Availability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeProviderTest {
    private static final NativeDevice DEVICE = new NativeDevice(
            "fake0", "uverbs7", 1, NodeType.CHANNEL_ADAPTER, TransportType.INFINIBAND, Path.of("/nowhere"));

    @Test
    void shouldBeFoundAndSayWhetherItCanBeUsed() {
        var provider = Rdma.providers().stream()
                .filter(p -> p.name().equals(NativeProvider.NAME))
                .findFirst()
                .orElseThrow();
        Availability availability = provider.availability();
        assertEquals(availability.isAvailable(), !provider.devices().isEmpty());
        if (!availability.isAvailable()) {
            assertFalse(availability.cause().isBlank());
            assertFalse(availability.remedy().isBlank());
        }
        assertTrue(provider.device("no-such-device").isEmpty());
    }

    @Test
    void shouldTellNoDeviceFromNoFileAndNoPermission(@TempDir Path files) throws IOException {
        assertTrue(NativeProvider.availabilityOf(List.of(), files).cause().contains("no RDMA device"));
        assertTrue(NativeProvider.availabilityOf(List.of(DEVICE), files).cause().contains("is missing"));
        Path file = Files.createFile(files.resolve("uverbs7"));
        assertTrue(NativeProvider.availabilityOf(List.of(DEVICE), files).isAvailable());
        file.toFile().setWritable(false);
        if (!Files.isWritable(file)) { // root may write everything
            assertTrue(NativeProvider.availabilityOf(List.of(DEVICE), files)
                    .cause()
                    .contains("no permission"));
        }
    }
}
