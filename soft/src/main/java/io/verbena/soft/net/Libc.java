package io.verbena.soft.net;

import static io.verbena.soft.os.CLibrary.function;
import static io.verbena.soft.os.CLibrary.plainFunction;
import static io.verbena.soft.os.CLibrary.result;
import static io.verbena.soft.os.CLibrary.unexpected;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.soft.os.CLibrary;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The system calls of [LinuxWire]. A failed call returns its error number, negated, as inside the kernel.
///
/// Each call takes the memory that its error number is left in: one per thread that may call at the same time.
/// Addresses are plain longs, which costs less than segments; the caller keeps the memory alive. No call is linked
/// as critical: each enters the kernel, and a critical call holds up the garbage collector until it is back.
///
/// Capturing the error number makes the JDK allocate a little in each call, unless its compiler happens to see
/// through it. So the calls of every packet are linked without: receiving needs no error number, and sending asks
/// for it by calling again when it failed.
///
/// Loading this class fails with a [LinkageError] where native access is denied or a function is missing.
final class Libc {
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EAGAIN = 11;
    static final int EINVAL = 22;
    static final int ECONNREFUSED = 111;

    private static final MethodHandle SOCKET = function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = function("bind", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CONNECT = function("connect", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            function("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle RECVFROM =
            plainFunction("recvfrom", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle RECVMMSG =
            plainFunction("recvmmsg", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle RECVMSG = plainFunction("recvmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDTO =
            plainFunction("sendto", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDTO_AGAIN =
            function("sendto", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMSG = plainFunction("sendmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMSG_AGAIN = function("sendmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMMSG =
            plainFunction("sendmmsg", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle SENDMMSG_AGAIN =
            function("sendmmsg", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle PPOLL = function("ppoll", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle EPOLL_CREATE = function("epoll_create1", JAVA_INT, JAVA_INT);
    private static final MethodHandle EPOLL_CTL =
            function("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle EPOLL_WAIT =
            plainFunction("epoll_wait", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle EVENTFD = function("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle READ = function("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = function("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);

    private Libc() {}

    /// The layout of the memory that calls leave their error number in.
    static MemoryLayout stateLayout() {
        return CLibrary.stateLayout();
    }

    static int socket(MemorySegment state, int family, int type, int protocol) {
        try {
            return result(state, (int) SOCKET.invokeExact(state, family, type, protocol));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int bind(MemorySegment state, int fd, long name, int nameBytes) {
        try {
            return result(state, (int) BIND.invokeExact(state, fd, name, nameBytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int connect(MemorySegment state, int fd, long name, int nameBytes) {
        try {
            return result(state, (int) CONNECT.invokeExact(state, fd, name, nameBytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int setsockopt(MemorySegment state, int fd, int level, int option, long value, int valueBytes) {
        try {
            return result(state, (int) SETSOCKOPT.invokeExact(state, fd, level, option, value, valueBytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int getsockopt(MemorySegment state, int fd, int level, int option, long value, long valueBytes) {
        try {
            return result(state, (int) GETSOCKOPT.invokeExact(state, fd, level, option, value, valueBytes));
        } catch (Throwable e) {
            throw unexpected(e);
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

    static int sendto(MemorySegment state, int fd, long from, long bytes, int flags, long name, int nameBytes) {
        try {
            long sent = (long) SENDTO.invokeExact(fd, from, bytes, flags, name, nameBytes);
            return sent >= 0
                    ? (int) sent
                    : result(state, (int)
                            (long) SENDTO_AGAIN.invokeExact(state, fd, from, bytes, flags, name, nameBytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int sendmsg(MemorySegment state, int fd, long message, int flags) {
        try {
            long sent = (long) SENDMSG.invokeExact(fd, message, flags);
            return sent >= 0
                    ? (int) sent
                    : result(state, (int) (long) SENDMSG_AGAIN.invokeExact(state, fd, message, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int sendmmsg(MemorySegment state, int fd, long messages, int count, int flags) {
        try {
            int sent = (int) SENDMMSG.invokeExact(fd, messages, count, flags);
            return sent >= 0
                    ? sent
                    : result(state, (int) SENDMMSG_AGAIN.invokeExact(state, fd, messages, count, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int ppoll(MemorySegment state, long fds, int count, long timeout) {
        try {
            return result(state, (int) PPOLL.invokeExact(state, fds, (long) count, timeout, 0L));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int epollCreate(MemorySegment state, int flags) {
        try {
            return result(state, (int) EPOLL_CREATE.invokeExact(state, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int epollControl(MemorySegment state, int epollFd, int operation, int fd, long event) {
        try {
            return result(state, (int) EPOLL_CTL.invokeExact(state, epollFd, operation, fd, event));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Negative when there is nothing, for whatever reason.
    static int epollWait(int epollFd, long events, int count, int timeoutMs) {
        try {
            return (int) EPOLL_WAIT.invokeExact(epollFd, events, count, timeoutMs);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int eventfd(MemorySegment state, int flags) {
        try {
            return result(state, (int) EVENTFD.invokeExact(state, 0, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int read(MemorySegment state, int fd, long to, long bytes) {
        try {
            return result(state, (int) (long) READ.invokeExact(state, fd, to, bytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int write(MemorySegment state, int fd, long from, long bytes) {
        try {
            return result(state, (int) (long) WRITE.invokeExact(state, fd, from, bytes));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int close(MemorySegment state, int fd) {
        try {
            return result(state, (int) CLOSE.invokeExact(state, fd));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }
}
