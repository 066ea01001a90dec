package io.verbena.report.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The CPU time of a process: in user mode and in the kernel.
public record CpuTime(Duration user, Duration kernel) {
    /// `USER_HZ`, the unit of times in `/proc`, is 100 on every Linux that Java runs on.
    private static final long TICK_NS = 10_000_000;
    // counted after the name of the program, which may contain spaces
    private static final int USER_FIELD = 11;
    private static final int KERNEL_FIELD = 12;

    private static final Path TASKS = Path.of("/proc/self/task");
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /// No time yet.
    public static final CpuTime NONE = new CpuTime(Duration.ZERO, Duration.ZERO);

    /// Of this process.
    public static CpuTime now() {
        return of(ProcessHandle.current());
    }

    /// The CPU time of a process; zero when it has ended. Where the system does not separate the two, all is user time.
    public static CpuTime of(ProcessHandle process) {
        return fromProc(process)
                .orElseGet(() -> new CpuTime(process.info().totalCpuDuration().orElse(Duration.ZERO), Duration.ZERO));
    }

    private static Optional<CpuTime> fromProc(ProcessHandle process) {
        Path stat = Path.of("/proc", String.valueOf(process.pid()), "stat");
        if (!Files.isReadable(stat)) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(Files.readString(stat)));
        } catch (IOException | RuntimeException unreadable) {
            return Optional.empty(); // another system has another format
        }
    }

    static CpuTime parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        return new CpuTime(ticks(fields[USER_FIELD]), ticks(fields[KERNEL_FIELD]));
    }

    /// The nanoseconds of all threads of this process until now, those of the JVM included; a thread that has ended no
    /// longer counts. Java reports the time of a process in steps of 10 ms, which is more than a short run takes.
    public static long ofThreadsNs() {
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

    private static Duration ticks(String text) {
        return Duration.ofNanos(Long.parseLong(text) * TICK_NS);
    }

    public CpuTime plus(CpuTime other) {
        return new CpuTime(user.plus(other.user), kernel.plus(other.kernel));
    }

    public CpuTime minus(CpuTime earlier) {
        return new CpuTime(user.minus(earlier.user), kernel.minus(earlier.kernel));
    }

    public Duration total() {
        return user.plus(kernel);
    }
}
