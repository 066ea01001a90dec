package io.verbena.soft.os;

import static io.verbena.soft.os.CLibrary.call;
import static io.verbena.soft.os.CLibrary.function;
import static io.verbena.soft.os.CLibrary.plainFunction;
import static io.verbena.soft.os.CLibrary.unexpected;
import static io.verbena.soft.os.CLibrary.variadicFunction;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The system calls on any file descriptor, and those that make a pipe. A failed call returns its error number,
/// negated, as inside the kernel.
///
/// [#write], [#read] and [#poll] are called often, and allocate nothing.
public final class DescriptorCalls {
    static final int O_WRONLY = 1;
    static final int O_RDWR = 2;
    static final int O_NONBLOCK = 0x800;
    static final int O_CLOEXEC = 0x80000;
    /// Names a file without opening it.
    static final int O_PATH = 0x200000;

    private static final MethodHandle OPEN = variadicFunction("open", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle PIPE = function("pipe2", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle PPOLL =
            plainFunction("ppoll", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle READ = plainFunction("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = plainFunction("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = plainFunction("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle GETEUID = plainFunction("geteuid", JAVA_INT);

    private DescriptorCalls() {}

    /// Follows links, and no child process inherits the descriptor.
    static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path);
            return call(state -> (int) OPEN.invokeExact(state, name, flags | O_CLOEXEC));
        }
    }

    /// Creates a non-blocking pipe that no child process inherits.
    ///
    /// @param ends takes the descriptor of the end to read from, then that of the end to write to
    static int pipe(int[] ends) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_INT, 2);
            int returned = call(state -> (int) PIPE.invokeExact(state, made, O_NONBLOCK | O_CLOEXEC));
            ends[0] = made.getAtIndex(JAVA_INT, 0);
            ends[1] = made.getAtIndex(JAVA_INT, 1);
            return returned;
        }
    }

    /// As [#pipe], but throws when the process has too many descriptors.
    public static void makePipe(int[] ends) {
        Errors.require("make a pipe", "pipe2", pipe(ends));
    }

    /// How many of the descriptors have events; negative on any error.
    ///
    /// @param polls address of as many `struct pollfd`
    /// @param timeout address of a `struct timespec`; 0 to wait for ever
    public static int poll(long polls, int count, long timeout) {
        try {
            return (int) PPOLL.invokeExact(polls, (long) count, timeout, 0L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative when nothing was read, for any reason.
    public static int read(int fd, long to, long bytes) {
        try {
            return (int) (long) READ.invokeExact(fd, to, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative when nothing was written, for any reason.
    public static int write(int fd, long from, long bytes) {
        try {
            return (int) (long) WRITE.invokeExact(fd, from, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static void close(int fd) {
        try {
            int ignored = (int) CLOSE.invokeExact(fd);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// The effective user id of this process.
    public static int user() {
        try {
            return (int) GETEUID.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }
}
