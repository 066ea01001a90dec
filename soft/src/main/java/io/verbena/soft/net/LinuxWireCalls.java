package io.verbena.soft.net;

import static io.verbena.soft.os.CLibrary.call;
import static io.verbena.soft.os.CLibrary.function;
import static io.verbena.soft.os.CLibrary.plainFunction;
import static io.verbena.soft.os.CLibrary.unexpected;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.soft.os.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The system calls that only [LinuxWire] makes. A failed call returns its error number, negated, as inside the kernel.
///
/// Calls made for every packet, and calls that wait, take addresses as plain longs, which costs less than segments. The
/// caller keeps the memory alive. They allocate nothing, and do not report the error number: receiving needs none, and
/// sending gets it by [#sendAgain].
final class LinuxWireCalls {
    static final int EIO = 5;
    static final int EAGAIN = 11;
    static final int EINVAL = 22;

    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            function("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle RECVFROM =
            plainFunction("recvfrom", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle RECVMMSG =
            plainFunction("recvmmsg", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECVMSG = plainFunction("recvmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDTO =
            plainFunction("sendto", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMSG = plainFunction("sendmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMMSG =
            plainFunction("sendmmsg", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle SENDMMSG_AGAIN =
            function("sendmmsg", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle EPOLL_CREATE = function("epoll_create1", JAVA_INT, JAVA_INT);
    private static final MethodHandle EPOLL_CTL =
            function("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle EPOLL_WAIT =
            plainFunction("epoll_wait", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle EVENTFD = function("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);

    private LinuxWireCalls() {}

    static int setsockopt(int fd, int level, int option, MemorySegment value) {
        int bytes = (int) value.byteSize();
        return call(state -> (int) SETSOCKOPT.invokeExact(state, fd, level, option, value, bytes));
    }

    static int setsockopt(int fd, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            return setsockopt(fd, level, option, arena.allocateFrom(JAVA_INT, value));
        }
    }

    /// The value, for options whose values are not negative.
    static int getsockopt(int fd, int level, int option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            MemorySegment bytes = arena.allocateFrom(JAVA_INT, Integer.BYTES);
            int result = call(state -> (int) GETSOCKOPT.invokeExact(state, fd, level, option, value, bytes));
            return result < 0 ? result : value.get(JAVA_INT, 0);
        }
    }

    /// Negative when there is nothing, for whatever reason.
    static int recvfrom(int fd, long to, long bytes, int flags, long name, long nameBytes) {
        try {
            return (int) (long) RECVFROM.invokeExact(fd, to, bytes, flags, name, nameBytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative when there is nothing, for whatever reason.
    static int recvmsg(int fd, long message, int flags) {
        try {
            return (int) (long) RECVMSG.invokeExact(fd, message, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative when there is nothing, for whatever reason.
    static int recvmmsg(int fd, long messages, int count, int flags) {
        try {
            return (int) RECVMMSG.invokeExact(fd, messages, count, flags, 0L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative on any error.
    static int sendto(int fd, long from, long bytes, int flags, long name, int nameBytes) {
        try {
            return (int) (long) SENDTO.invokeExact(fd, from, bytes, flags, name, nameBytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative on any error.
    static int sendmsg(int fd, long message, int flags) {
        try {
            return (int) (long) SENDMSG.invokeExact(fd, message, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative on any error.
    static int sendmmsg(int fd, long messages, int count, int flags) {
        try {
            return (int) SENDMMSG.invokeExact(fd, messages, count, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Like [#sendmmsg], but returns the negated error number when it fails. That happens whenever the socket is full,
    /// so the caller provides reusable memory for the number.
    ///
    /// @param state of [CLibrary#newState]
    static int sendAgain(MemorySegment state, int fd, long messages, int count, int flags) {
        try {
            int sent = (int) SENDMMSG_AGAIN.invokeExact(state, fd, messages, count, flags);
            return sent >= 0 ? sent : -CLibrary.errorNumber(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int epollCreate(int flags) {
        return call(state -> (int) EPOLL_CREATE.invokeExact(state, flags));
    }

    static int epollControl(int epollFd, int operation, int fd, MemorySegment event) {
        return call(state -> (int) EPOLL_CTL.invokeExact(state, epollFd, operation, fd, event));
    }

    /// Negative when there is nothing, for whatever reason.
    static int epollWait(int epollFd, long events, int count, int timeoutMs) {
        try {
            return (int) EPOLL_WAIT.invokeExact(epollFd, events, count, timeoutMs);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int eventfd(int flags) {
        return call(state -> (int) EVENTFD.invokeExact(state, 0, flags));
    }
}
