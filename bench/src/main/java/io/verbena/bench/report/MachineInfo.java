package io.verbena.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/// The machine and the time of a run.
///
/// - `collector`: the garbage collector of the JVMs that are measured
public record MachineInfo(String processor, int processors, String system, String java, String collector, String date) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    public static MachineInfo here(String collector) {
        return new MachineInfo(
                processorName(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor.version", "") + " " + Runtime.version(),
                collector,
                OffsetDateTime.now(ZoneOffset.UTC)
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString());
    }

    private static String processorName() {
        try {
            return Files.readAllLines(CPU_INFO).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException notLinux) {
            return System.getProperty("os.arch");
        }
    }

    @Override
    public String toString() {
        return processors + " processors (" + processor + "), " + system + ", Java " + java.trim() + " with "
                + collector + ", " + date;
    }
}
