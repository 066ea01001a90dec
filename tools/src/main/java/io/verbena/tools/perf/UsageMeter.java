package io.verbena.tools.perf;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.verbena.tools.perf.report.Measurement.Usage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Measures the CPU time of the process and the heap bytes allocated by this thread.
///
/// Java reports the CPU time of a process in steps of 10 ms, which is more than a short run takes. Linux counts
/// nanoseconds for each thread, also those of the JVM: their sum is used where it can be read.
final class UsageMeter {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final long UNKNOWN = -1;

    private long cpuNs;
    private long allocated;
    private long cpuSpentNs;
    private long allocatedMeanwhile;

    /// Memory of the machine, or of the container that this process runs in.
    static long memoryBytes() {
        return SYSTEM.getTotalMemorySize();
    }

    void start() {
        cpuNs = cpuNs();
        allocated = THREADS.getCurrentThreadAllocatedBytes();
    }

    void stop() {
        allocatedMeanwhile = difference(allocated, THREADS.getCurrentThreadAllocatedBytes());
        cpuSpentNs = difference(cpuNs, cpuNs());
    }

    private static long cpuNs() {
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                sum += onProcessorNs(task.resolve("schedstat"));
            }
        } catch (IOException notLinux) {
            return SYSTEM.getProcessCpuTime();
        }
        return sum > 0 ? sum : SYSTEM.getProcessCpuTime();
    }

    /// The first of the three numbers in the file; 0 for a thread that has just ended.
    private static long onProcessorNs(Path schedstat) {
        try {
            String text = Files.readString(schedstat);
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException | RuntimeException ended) {
            return 0;
        }
    }

    private static long difference(long before, long after) {
        return before < 0 || after < before ? UNKNOWN : after - before;
    }

    Usage usage(long messages) {
        return new Usage(messages, cpuSpentNs, allocatedMeanwhile);
    }
}
