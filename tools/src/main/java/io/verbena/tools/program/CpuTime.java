package io.verbena.tools.program;

import java.io.IOException;
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
