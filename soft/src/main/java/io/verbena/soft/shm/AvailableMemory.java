package io.verbena.soft.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Keeps a large file from taking the host's last memory: a file system in memory may promise more than there is, and
/// then the kernel kills a process of its choice instead of refusing.
final class AvailableMemory {
    /// Reading costs more than a small file does.
    private static final long WORTH_ASKING = 64L << 20;

    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";
    private static final long UNKNOWN = Long.MAX_VALUE;

    private AvailableMemory() {}

    static void require(Path path, long bytes) {
        if (bytes < WORTH_ASKING) {
            return;
        }
        long available = availableBytes();
        if (bytes > available) {
            throw FolderFailure.noRoom(path, bytes, "this host has " + available + " available");
        }
    }

    private static long availableBytes() {
        try {
            List<String> lines = Files.readAllLines(MEMORY);
            return lines.stream()
                    .filter(line -> line.startsWith(AVAILABLE))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
    }
}
