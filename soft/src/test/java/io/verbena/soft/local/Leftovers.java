package io.verbena.soft.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Names, files and mappings that software devices may leave on this host.
final class Leftovers {
    private Leftovers() {}

    /// Names under which devices of a process are announced.
    static List<String> names(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/net/unix"))) {
            return lines.filter(line -> line.contains("@verbena") && ofProcess(line, pid))
                    .toList();
        }
    }

    private static boolean ofProcess(String line, long pid) {
        return List.of(line.substring(line.indexOf("@verbena")).split("[^0-9a-zA-Z]"))
                .contains(Long.toString(pid));
    }

    /// Files in the folder where software devices of earlier versions have some.
    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            return files.filter(file -> file.getFileName().toString().contains("verbena"))
                    .sorted()
                    .toList();
        }
    }

    /// Names of shared memory that this process has mapped. Those of closed devices may stay until the next collection.
    static Set<String> mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:verbena"))
                    .map(line -> line.substring(line.indexOf("memfd:")))
                    .collect(Collectors.toSet());
        }
    }

    /// How many it has mapped that are not among those.
    static long mappingsSince(Set<String> before) throws IOException {
        return mappings().stream().filter(name -> !before.contains(name)).count();
    }
}
