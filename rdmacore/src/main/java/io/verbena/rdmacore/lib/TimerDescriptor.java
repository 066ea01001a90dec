package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// A timer with a descriptor (`timerfd`), which is ready for reading from the expiry on, until the timer is set again.
public final class TimerDescriptor implements AutoCloseable {
    private static final int CLOCK_MONOTONIC = 1;
    private static final int NONBLOCK_CLOEXEC = 0x800 | 0x80000;
    private static final long NS_PER_S = 1_000_000_000;
    /// `struct itimerspec`: an interval, here none, and the time until the first expiry.
    private static final long SPEC_BYTES = 32;

    private static final long FIRST_S = 16;
    private static final long FIRST_NS = 24;

    private static final MethodHandle CREATE = Libc.function("timerfd_create", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SET_TIME =
            Libc.function("timerfd_settime", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);

    private final int fd;

    public TimerDescriptor() {
        MemorySegment state = CallState.mine();
        try {
            fd = CallState.result(state, (int) CREATE.invokeExact(state, CLOCK_MONOTONIC, NONBLOCK_CLOEXEC));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
        if (fd < 0) {
            throw Failures.of(Failures.Subject.EVENT, "timerfd_create", fd);
        }
    }

    public int fd() {
        return fd;
    }

    /// Arms the timer to expire after that time.
    public void set(long delayNs) {
        arm(Math.max(1, delayNs));
    }

    /// Disarms the timer.
    public void clear() {
        arm(0);
    }

    private void arm(long delayNs) {
        MemorySegment state = CallState.mine();
        int failed;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment spec = arena.allocate(SPEC_BYTES, Long.BYTES);
            spec.set(JAVA_LONG, FIRST_S, delayNs / NS_PER_S);
            spec.set(JAVA_LONG, FIRST_NS, delayNs % NS_PER_S);
            failed = CallState.result(state, (int) SET_TIME.invokeExact(state, fd, 0, spec.address(), 0L));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
        if (failed < 0) {
            throw Failures.of(Failures.Subject.EVENT, "timerfd_settime", failed);
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
