package io.verbena.bench.pair;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// What a run costs this process: CPU time of all its threads, and heap bytes that this thread allocates.
///
/// Java tells CPU time of a process in steps of 10 ms; Linux counts nanoseconds for each thread.
public final class Usage {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final Path TASKS = Path.of("/proc/self/task");

    private static final long LOOK_MS = 20;
    private static final long BUSY_NS = 5_000_000;
    private static final long LONGEST_NS = 1_000_000_000;

    private long cpuNs;
    private long allocated;

    public Usage() {}

    /// Waits until the other threads of this process have little to do, for a second at most. While two processes spin
    /// on
    /// two processors their compilers starve, and would go on in the middle of what is measured.
    static void awaitQuiet() throws InterruptedException {
        long end = System.nanoTime() + LONGEST_NS;
        long beforeNs = cpuTime();
        boolean busy = true;
        while (busy && System.nanoTime() - end < 0) {
            Thread.sleep(LOOK_MS);
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

    private static long cpuTime() {
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

    /// The first of three numbers; nothing for a thread that has just ended.
    private static long onProcessorNs(Path schedstat) {
        try {
            String text = Files.readString(schedstat);
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException | RuntimeException ended) {
            return 0;
        }
    }
}
