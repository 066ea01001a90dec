package io.verbena.soft.os;

import static io.verbena.soft.os.CLibrary.call;
import static io.verbena.soft.os.CLibrary.function;
import static io.verbena.soft.os.CLibrary.plainFunction;
import static io.verbena.soft.os.CLibrary.unexpected;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/// The system calls that make sockets, and those of Unix sockets. A failed call returns its error number, negated, as
/// inside the kernel.
public final class SocketCalls {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_SEQPACKET = 5;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int FAMILY_BYTES = 2;

    private static final MethodHandle SOCKET = function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = function("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);

    private static final MethodHandle CONNECT = function("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle LISTEN = function("listen", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle ACCEPT = function("accept4", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMSG = function("sendmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle RECVMSG = function("recvmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            function("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);

    private static final MethodHandle SET_INT_OPTION =
            plainFunction("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);

    private SocketCalls() {}

    public static int socket(int family, int type, int protocol) {
        return call(state -> (int) SOCKET.invokeExact(state, family, type, protocol));
    }

    public static int bind(int fd, MemorySegment name, int bytes) {
        return call(state -> (int) BIND.invokeExact(state, fd, name, bytes));
    }

    /// A Unix socket that no child process inherits.
    static int unixSocket() {
        return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    }

    /// A Unix socket of messages, on which no call waits and that no child process inherits.
    static int messageSocket() {
        return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    }

    /// Gives a Unix socket an abstract name, one without a file. Such names begin with a zero, and end where the
    /// address ends.
    static int bindAbstract(int fd, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = abstractAddress(arena, name);
            return bind(fd, address, (int) address.byteSize());
        }
    }

    static int connectAbstract(int fd, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = abstractAddress(arena, name);
            int bytes = (int) address.byteSize();
            return call(state -> (int) CONNECT.invokeExact(state, fd, address, bytes));
        }
    }

    private static MemorySegment abstractAddress(Arena arena, String name) {
        byte[] text = name.getBytes(StandardCharsets.ISO_8859_1);
        MemorySegment address = arena.allocate(FAMILY_BYTES + 1 + text.length, FAMILY_BYTES);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(text, 0, address, JAVA_BYTE, FAMILY_BYTES + 1, text.length);
        return address;
    }

    static int listen(int fd, int backlog) {
        return call(state -> (int) LISTEN.invokeExact(state, fd, backlog));
    }

    static int accept(int fd) {
        return call(state -> (int) ACCEPT.invokeExact(state, fd, 0L, 0L, SOCK_CLOEXEC | SOCK_NONBLOCK));
    }

    /// @param message a `struct msghdr`
    static int send(int fd, MemorySegment message, int flags) {
        return call(state -> (long) SENDMSG.invokeExact(state, fd, message, flags));
    }

    /// @param message a `struct msghdr`
    static int receive(int fd, MemorySegment message, int flags) {
        return call(state -> (long) RECVMSG.invokeExact(state, fd, message, flags));
    }

    static int option(int fd, int level, int option, MemorySegment value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_INT, (int) value.byteSize());
            return call(state -> (int) GETSOCKOPT.invokeExact(state, fd, level, option, value, bytes));
        }
    }

    /// As the other form, for an option that is an int, without an error number: 0, or negative on any error. Allocates
    /// nothing.
    ///
    /// @param value its address
    public static int setIntOption(int fd, int level, int option, long value) {
        try {
            return (int) SET_INT_OPTION.invokeExact(fd, level, option, value, Integer.BYTES);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int setOption(int fd, int level, int option, MemorySegment value) {
        int bytes = (int) value.byteSize();
        return call(state -> (int) SETSOCKOPT.invokeExact(state, fd, level, option, value, bytes));
    }
}
