package io.verbena.bench.plain;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The C functions that measure the limits of the machine.
final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SOCKET = function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = function("bind", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CONNECT = function("connect", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKNAME = function("getsockname", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SEND = function("send", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECV = function("recv", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle MEMCPY = function("memcpy", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Libc() {}

    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, ValueLayout returns, MemoryLayout... takes) {
        MemorySegment address = LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
        return LINKER.downcallHandle(address, FunctionDescriptor.of(returns, takes));
    }

    static int socket(int domain, int type, int protocol) {
        try {
            return (int) SOCKET.invokeExact(domain, type, protocol);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int bind(int fd, long address, int length) {
        try {
            return (int) BIND.invokeExact(fd, address, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int connect(int fd, long address, int length) {
        try {
            return (int) CONNECT.invokeExact(fd, address, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int getsockname(int fd, long address, long length) {
        try {
            return (int) GETSOCKNAME.invokeExact(fd, address, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int setsockopt(int fd, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment holder = arena.allocateFrom(JAVA_INT, value);
            return (int) SETSOCKOPT.invokeExact(fd, level, option, holder.address(), Integer.BYTES);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long send(int fd, long address, long length, int flags) {
        try {
            return (long) SEND.invokeExact(fd, address, length, flags);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long recv(int fd, long address, long length, int flags) {
        try {
            return (long) RECV.invokeExact(fd, address, length, flags);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void close(int fd) {
        try {
            int ignored = (int) CLOSE.invokeExact(fd);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void memcpy(long to, long from, long bytes) {
        try {
            long ignored = (long) MEMCPY.invokeExact(to, from, bytes);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
