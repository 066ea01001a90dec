package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/// The system calls that waiting needs. A failed call returns its error number, negated, as inside the kernel.
///
/// To be used only after a library was found ([Libraries]): loading this class needs native access.
public final class Libc {
    public static final int EINTR = 4;
    public static final int EAGAIN = 11;
    public static final short POLLIN = 1;

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800; // the same on x86-64 and aarch64
    private static final int EFD_NONBLOCK_CLOEXEC = 0x800 | 0x80000;
    private static final int RLIMIT_MEMLOCK = 8;
    private static final int SC_PAGESIZE = 30;

    private static final MethodHandle POLL = function("poll", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle FCNTL = variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle EVENTFD = function("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle READ = function("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = function("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle GETRLIMIT = function("getrlimit", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle SYSCONF = function("sysconf", JAVA_LONG, JAVA_INT);

    private Libc() {}

    /// How many of the `count` descriptors at `fds` ([PollFds]) are ready; waits that long at most.
    public static int poll(long fds, int count, int timeoutMs) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) POLL.invokeExact(state, fds, (long) count, timeoutMs));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// From now on reading an empty descriptor fails with EAGAIN instead of waiting.
    public static int setNonBlocking(int fd) {
        int flags = fcntl(fd, F_GETFL, 0);
        return flags < 0 ? flags : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    }

    private static int fcntl(int fd, int command, long argument) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) FCNTL.invokeExact(state, fd, command, argument));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// A counter with a descriptor, ready for reading while it is not 0.
    public static int eventfd() {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) EVENTFD.invokeExact(state, 0, EFD_NONBLOCK_CLOEXEC));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int read(int fd, long to, long bytes) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) (long) READ.invokeExact(state, fd, to, bytes));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int write(int fd, long from, long bytes) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) (long) WRITE.invokeExact(state, fd, from, bytes));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static int close(int fd) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) CLOSE.invokeExact(state, fd));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    /// How many bytes this process may lock into memory; empty when there is no limit (or it is not known).
    public static OptionalLong lockedMemoryLimit() {
        MemorySegment state = CallState.mine();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limits = arena.allocate(JAVA_LONG, 2);
            int failed = (int) GETRLIMIT.invokeExact(state, RLIMIT_MEMLOCK, limits.address());
            long soft = limits.get(JAVA_LONG, 0);
            return failed != 0 || soft < 0 ? OptionalLong.empty() : OptionalLong.of(soft);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static long pageSize() {
        MemorySegment state = CallState.mine();
        try {
            return (long) SYSCONF.invokeExact(state, SC_PAGESIZE);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    static MethodHandle function(String name, MemoryLayout returns, MemoryLayout... takes) {
        return Calls.link(symbol(name), FunctionDescriptor.of(returns, takes), CallState.CAPTURE);
    }

    private static MethodHandle variadic(String name, int fixed, MemoryLayout returns, MemoryLayout... takes) {
        return Calls.link(
                symbol(name),
                FunctionDescriptor.of(returns, takes),
                CallState.CAPTURE,
                Linker.Option.firstVariadicArg(fixed));
    }

    private static MemorySegment symbol(String name) {
        return Linker.nativeLinker()
                .defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
    }
}
