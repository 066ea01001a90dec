package io.verbena.bench.side;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The resources that this process uses at one moment. Bytes are in KiB.
public record Sample(long residentKb, long heapKb, long descriptors, long threads) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /// Takes a sample after a garbage collection.
    public static Sample take() throws IOException {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long heapKb = runtime.totalMemory() - runtime.freeMemory() >> 10;
        return new Sample(
                readResidentKb(),
                heapKb,
                countDescriptors(),
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    private static long readResidentKb() throws IOException {
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException(STATUS + " does not have VmRSS");
    }

    private static long countDescriptors() throws IOException {
        try (Stream<Path> files = Files.list(DESCRIPTORS)) {
            return files.count();
        }
    }

    public String encode() {
        return residentKb + "," + heapKb + "," + descriptors + "," + threads;
    }

    public static Sample decode(String text) {
        String[] parts = text.split(",");
        return new Sample(
                Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
    }
}
