package io.verbena.tools.top;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What the kernel counts for each port of an adapter. Adapters count for all processes together, and tell nothing
/// about a connection.
final class AdapterCounters {
    static final Path HERE = Path.of("/sys/class/infiniband");

    /// By the names of the software device's counters. The kernel counts data in words of 4 bytes.
    private static final Map<String, String> FILES = Map.of(
            ShardRow.PACKETS_OUT, "counters/port_xmit_packets",
            ShardRow.PACKETS_IN, "counters/port_rcv_packets",
            ShardRow.BYTES_OUT, "counters/port_xmit_data",
            ShardRow.BYTES_IN, "counters/port_rcv_data",
            ShardRow.RETRANSMITTED, "hw_counters/retransmitted_pkts");

    private static final int WORD_BYTES = 4;

    private final Path folder;
    private Map<String, Map<String, Long>> before = Map.of();
    private long beforeNs;

    AdapterCounters(Path folder) {
        this.folder = folder;
    }

    /// One row for each port.
    List<ShardRow> read(long nowNs) {
        Map<String, Map<String, Long>> now = new TreeMap<>();
        List<ShardRow> rows = new ArrayList<>();
        for (Path adapter : children(folder)) {
            for (Path port : children(adapter.resolve("ports"))) {
                String name = adapter.getFileName() + "/" + port.getFileName();
                Map<String, Long> counters = counters(port);
                now.put(name, counters);
                Map<String, Long> past = before.get(name);
                rows.add(new ShardRow(
                        0,
                        "",
                        name,
                        state(port),
                        ShardRow.NO_SHARD,
                        0,
                        counters,
                        past == null ? Map.of() : Rates.of(past, counters, nowNs - beforeNs)));
            }
        }
        before = now;
        beforeNs = nowNs;
        return rows;
    }

    private static List<Path> children(Path parent) {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent)) {
            found.forEach(all::add);
        } catch (IOException none) {
            return List.of(); // a host without adapters
        }
        all.sort(null);
        return all;
    }

    /// `4: ACTIVE` in the file.
    private static String state(Path port) {
        String text = text(port.resolve("state"));
        return text.substring(text.indexOf(':') + 1).strip().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Long> counters(Path port) {
        Map<String, Long> counters = new HashMap<>();
        FILES.forEach((name, file) -> {
            String text = text(port.resolve(file));
            if (text.matches("\\d{1,18}")) {
                counters.put(name, Long.parseLong(text) * (file.endsWith("_data") ? WORD_BYTES : 1));
            }
        });
        return counters;
    }

    /// Empty for a counter that the adapter does not have.
    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException missing) {
            return "";
        }
    }
}
