package io.verbena.bench.pair;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Measures the cost of a run: CPU time of all threads of this process, and heap bytes allocated by this thread.
///
/// Java reports the CPU time of a process in steps of 10 ms; Linux counts nanoseconds for each thread.
public final class UsageMeter {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final Path TASKS = Path.of("/proc/self/task");

    private static final long POLL_INTERVAL_MS = 20;
    private static final long BUSY_NS = 5_000_000;
    private static final long LONGEST_NS = 1_000_000_000;

    private long cpuNs;
    private long allocated;

    public UsageMeter() {}

    /// Waits until the other threads of this process have little to do, for a second at most. While two processes spin
    /// on two processors their compilers starve, and would run in the middle of a measurement.
    static void awaitQuiet() throws InterruptedException {
        long end = System.nanoTime() + LONGEST_NS;
        long beforeNs = cpuTime();
        boolean busy = true;
        while (busy && System.nanoTime() - end < 0) {
            Thread.sleep(POLL_INTERVAL_MS);
            long nowNs = cpuTime();
            busy = nowNs - beforeNs > BUSY_NS;
            beforeNs = nowNs;
        }
    }

    /// The bytes are read last here and first in [#stop], so that reading the times does not count.
    public void start() {
        cpuNs = cpuTime();
        allocated = THREADS.getCurrentThreadAllocatedBytes();
    }

    public void stop() {
        allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
        cpuNs = cpuTime() - cpuNs;
    }

    public long cpuNs() {
        return cpuNs;
    }

    public long allocated() {
        return allocated;
    }

    /// CPU time of all threads of this process until now.
    public static long cpuTime() {
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
}
