package io.verbena.tools.perf;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.verbena.tools.perf.report.Measurement.Usage;
import java.lang.management.ManagementFactory;

/// What a run costs: CPU time of the process, and heap bytes allocated by this thread.
final class UsageMeter {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final long UNKNOWN = -1;

    private long cpuNs;
    private long allocated;
    private long cpuSpentNs;
    private long allocatedMeanwhile;

    void start() {
        cpuNs = SYSTEM.getProcessCpuTime();
        allocated = THREADS.getCurrentThreadAllocatedBytes();
    }

    void stop() {
        allocatedMeanwhile = difference(allocated, THREADS.getCurrentThreadAllocatedBytes());
        cpuSpentNs = difference(cpuNs, SYSTEM.getProcessCpuTime());
    }

    private static long difference(long before, long after) {
        return before < 0 || after < 0 ? UNKNOWN : after - before;
    }

    Usage usage(long messages) {
        return new Usage(messages, cpuSpentNs, allocatedMeanwhile);
    }
}
