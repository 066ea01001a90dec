package io.verbena.rdmacore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The kernel's counters of a device: the files of `counters` and `hw_counters` of each port.
final class SysfsCounters {
    private SysfsCounters() {}

    /// Counters by file name; with several ports, the port's number is in front.
    static Map<String, Long> read(Path device, int ports) {
        Map<String, Long> counters = new TreeMap<>();
        for (int port = 1; port <= ports; port++) {
            String prefix = ports == 1 ? "" : port + "/";
            Path folder = device.resolve("ports").resolve(String.valueOf(port));
            addFiles(counters, prefix, folder.resolve("counters"));
            addFiles(counters, prefix, folder.resolve("hw_counters"));
        }
        addFiles(counters, "", device.resolve("hw_counters"));
        return counters;
    }

    private static void addFiles(Map<String, Long> counters, String prefix, Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            files.forEach(file -> addFile(counters, prefix, file));
        } catch (IOException absent) {
            // not every device counts
        }
    }

    private static void addFile(Map<String, Long> counters, String prefix, Path file) {
        try {
            counters.put(
                    prefix + file.getFileName(),
                    Long.parseLong(Files.readString(file).strip()));
        } catch (IOException | NumberFormatException notCounted) {
            // some files cannot be read, or hold settings
        }
    }
}
