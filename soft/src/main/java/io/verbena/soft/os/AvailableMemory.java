package io.verbena.soft.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Keeps a large reservation from using up the memory of the host: the kernel would not refuse it, but kill some
/// process (OOM killer).
final class AvailableMemory {
    /// Below this size the check costs more than the reservation.
    private static final long WORTH_ASKING = 64L << 20;

    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";
    private static final long UNKNOWN = Long.MAX_VALUE;

    private AvailableMemory() {}

    static void require(String verb, long bytes) {
        if (bytes < WORTH_ASKING) {
            return;
        }
        long available = availableBytes();
        if (bytes > available) {
            throw Errors.noRoom(
                    verb, "this host has only " + available + " bytes available; ask for less, or free memory");
        }
    }

    private static long availableBytes() {
        try {
            return Files.readAllLines(MEMORY).stream()
                    .filter(line -> line.startsWith(AVAILABLE))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
    }
}
