package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Counters of adapters, as the kernel shows them in files.
class AdapterCountersTest {
    @TempDir
    private Path folder;

    private void write(String file, String text) throws Exception {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    @Test
    void shouldReadEachPortAndItsRates() throws Exception {
        write("mlx5_0/ports/1/state", "4: ACTIVE");
        write("mlx5_0/ports/1/counters/port_xmit_data", "1000");
        write("mlx5_0/ports/1/counters/port_rcv_packets", "N/A (no PMA)");
        write("mlx5_0/ports/2/state", "1: DOWN");
        AdapterCounters adapters = new AdapterCounters(folder);
        List<ShardRow> first = adapters.read(0);
        assertEquals(
                List.of("mlx5_0/1", "mlx5_0/2"),
                first.stream().map(ShardRow::device).toList());
        assertEquals("active", first.getFirst().state());
        assertEquals(4000, first.getFirst().count("bytes sent"), "the kernel counts words of 4 bytes");
        assertTrue(Double.isNaN(first.getFirst().rate("bytes sent")));
        write("mlx5_0/ports/1/counters/port_xmit_data", "1500");
        assertEquals(1000, adapters.read(2 * MadeUpProcess.SECOND_NS).getFirst().rate("bytes sent"), 0.001);
    }

    @Test
    void shouldFindNothingOnAHostWithoutAdapters() {
        assertEquals(List.of(), new AdapterCounters(folder.resolve("missing")).read(0));
    }
}
