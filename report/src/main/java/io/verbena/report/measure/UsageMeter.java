package io.verbena.report.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/// Measures the cost of a run: CPU time of all threads of this process, and heap bytes allocated by this thread.
public final class UsageMeter {
    /// The JVM does not know.
    public static final long UNKNOWN = -1;

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private static final long POLL_INTERVAL_MS = 20;
    private static final long BUSY_NS = 5_000_000;
    private static final long LONGEST_NS = 1_000_000_000;

    private long cpuNs;
    private long allocated;

    public UsageMeter() {}

    /// Waits until the other threads of this process have little to do, for a second at most. While two processes spin
    /// on two processors their compilers starve, and would run in the middle of a measurement.
    public static void awaitQuiet() throws InterruptedException {
        long end = System.nanoTime() + LONGEST_NS;
        long beforeNs = CpuTime.ofThreadsNs();
        boolean busy = true;
        while (busy && System.nanoTime() - end < 0) {
            Thread.sleep(POLL_INTERVAL_MS);
            long nowNs = CpuTime.ofThreadsNs();
            busy = nowNs - beforeNs > BUSY_NS;
            beforeNs = nowNs;
        }
    }

    /// The bytes are read last here and first in [#stop], so that reading the times does not count.
    public void start() {
        cpuNs = CpuTime.ofThreadsNs();
        allocated = THREADS.getCurrentThreadAllocatedBytes();
    }

    public void stop() {
        allocated = difference(allocated, THREADS.getCurrentThreadAllocatedBytes());
        cpuNs = difference(cpuNs, CpuTime.ofThreadsNs());
    }

    private static long difference(long before, long after) {
        return before < 0 || after < before ? UNKNOWN : after - before;
    }

    public long cpuNs() {
        return cpuNs;
    }

    public long allocated() {
        return allocated;
    }
}
