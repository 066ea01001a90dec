package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// A Unix socket of messages, by which processes of one user give each other descriptors (`SCM_RIGHTS`) and notice each
/// other's end: the kernel closes it with its process.
///
/// Its name is abstract. The kernel takes such a name back when its process ends, and shows it only inside one network
/// namespace.
public final class UnixSocket implements AutoCloseable {
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int SO_PEERCRED = 17;
    private static final int NO_SIGNAL = 0x4000;
    private static final int CMSG_CLOEXEC = 0x4000_0000;
    private static final int EADDRINUSE = 98;
    private static final int ECONNREFUSED = 111;
    private static final int BACKLOG = 128;

    private static final int HEADER_BYTES = 56;
    private static final int BUFFERS_AT = 16;
    private static final int BUFFER_COUNT_AT = 24;
    private static final int CONTROL_AT = 32;
    private static final int CONTROL_LENGTH_AT = 40;
    private static final int FLAGS_AT = 48;
    /// `MSG_CTRUNC`.
    private static final int CONTROL_CUT = 8;
    private static final int BUFFER_BYTES = 16;
    /// Of `struct cmsghdr`: length, level, type.
    private static final int CONTROL_HEADER_BYTES = 16;

    private static final int CREDENTIAL_BYTES = 12;
    private static final int USER_AT = 4;

    private static final int POLL_BYTES = 8;
    private static final int EVENTS_AT = 4;
    private static final short POLLIN = 1;

    private final int fd;

    private UnixSocket(int fd) {
        this.fd = fd;
    }

    /// A message, and the descriptors that came with it, which are the receiver's from now on.
    ///
    /// @param isCut whether there were more descriptors: than asked for, or than this process may have
    public record Message(byte kind, int[] descriptors, boolean isCut) {}

    /// A socket that others can connect to, or null when the name is taken.
    public static UnixSocket listen(String name) {
        String verb = "listen on Unix socket " + name;
        UnixSocket socket = open(verb);
        int result = SocketCalls.bindAbstract(socket.fd, name);
        if (result == 0) {
            result = SocketCalls.listen(socket.fd, BACKLOG);
        }
        return socket.unless(verb, result, EADDRINUSE);
    }

    /// A connection, or null when nobody listens under that name.
    public static UnixSocket connect(String name) {
        String verb = "connect to Unix socket " + name;
        UnixSocket socket = open(verb);
        int result = SocketCalls.connectAbstract(socket.fd, name);
        // A listener whose queue is full is one that does not answer: EAGAIN.
        return socket.unless(verb, result == -Errors.EAGAIN ? -ECONNREFUSED : result, ECONNREFUSED);
    }

    private static UnixSocket open(String verb) {
        return new UnixSocket(Errors.require(verb, "socket", SocketCalls.messageSocket()));
    }

    private UnixSocket unless(String verb, int result, int expected) {
        if (result == 0) {
            return this;
        }
        close();
        if (result == -expected) {
            return null;
        }
        throw Errors.make(verb, "bind, listen or connect", -result);
    }

    public int fd() {
        return fd;
    }

    /// The next connection of a listening socket, or null when there is none.
    public UnixSocket accept() {
        int accepted = SocketCalls.accept(fd);
        return accepted < 0 ? null : new UnixSocket(accepted);
    }

    /// Whether the process at the other end belongs to the user of this one.
    public boolean isOfThisUser() {
        return user() == DescriptorCalls.user();
    }

    /// The user of the process at the other end.
    public int user() {
        return credential(USER_AT);
    }

    /// The process at the other end: the one that connected, or that listens.
    public long pid() {
        return credential(0);
    }

    /// Of `struct ucred`; -1 when the kernel does not tell it.
    private int credential(int at) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(CREDENTIAL_BYTES, Integer.BYTES);
            boolean told = SocketCalls.option(fd, SOL_SOCKET, SO_PEERCRED, credentials) == 0;
            return told ? credentials.get(JAVA_INT, at) : -1;
        }
    }

    /// False when the other end is gone, or does not read.
    public boolean send(byte kind, int... descriptors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = message(arena, arena.allocateFrom(JAVA_BYTE, kind), descriptors.length);
            if (descriptors.length > 0) {
                MemorySegment control = control(message, descriptors.length);
                control.set(JAVA_LONG, 0, CONTROL_HEADER_BYTES + (long) Integer.BYTES * descriptors.length);
                control.set(JAVA_INT, 8, SOL_SOCKET);
                control.set(JAVA_INT, 12, SCM_RIGHTS);
                MemorySegment.copy(descriptors, 0, control, JAVA_INT, CONTROL_HEADER_BYTES, descriptors.length);
            }
            return SocketCalls.send(fd, message, NO_SIGNAL) == 1;
        }
    }

    /// The next message, or null when the other end is gone or says nothing for that long.
    ///
    /// @param most how many descriptors may come with it
    public Message receive(int most, Duration patience) {
        if (!await(patience)) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment kind = arena.allocate(JAVA_BYTE);
            MemorySegment message = message(arena, kind, most);
            int bytes = SocketCalls.receive(fd, message, CMSG_CLOEXEC);
            if (bytes < 0) {
                return null;
            }
            int[] descriptors = received(message, most);
            if (bytes == 0) {
                for (int descriptor : descriptors) {
                    DescriptorCalls.close(descriptor);
                }
                return null;
            }
            boolean isCut = (message.get(JAVA_INT, FLAGS_AT) & CONTROL_CUT) != 0;
            return new Message(kind.get(JAVA_BYTE, 0), descriptors, isCut);
        }
    }

    private static int[] received(MemorySegment message, int most) {
        if (message.get(JAVA_LONG, CONTROL_LENGTH_AT) < CONTROL_HEADER_BYTES) {
            return new int[0];
        }
        MemorySegment control = control(message, most);
        long bytes = control.get(JAVA_LONG, 0) - CONTROL_HEADER_BYTES;
        boolean rights = control.get(JAVA_INT, 8) == SOL_SOCKET && control.get(JAVA_INT, 12) == SCM_RIGHTS;
        int count = rights ? (int) Math.min(most, bytes / Integer.BYTES) : 0;
        int[] descriptors = new int[count];
        MemorySegment.copy(control, JAVA_INT, CONTROL_HEADER_BYTES, descriptors, 0, count);
        return descriptors;
    }

    private boolean await(Duration patience) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment poll = arena.allocate(POLL_BYTES, Integer.BYTES);
            poll.set(JAVA_INT, 0, fd);
            poll.set(JAVA_SHORT, EVENTS_AT, POLLIN);
            MemorySegment timeout = arena.allocate(JAVA_LONG, 2);
            timeout.setAtIndex(JAVA_LONG, 0, patience.toSeconds());
            timeout.setAtIndex(JAVA_LONG, 1, patience.toNanosPart());
            return DescriptorCalls.poll(poll.address(), 1, timeout.address()) > 0;
        }
    }

    /// A `struct msghdr` with one byte of text, and room for descriptors.
    private static MemorySegment message(Arena arena, MemorySegment text, int descriptors) {
        MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
        buffer.set(ADDRESS, 0, text);
        buffer.set(JAVA_LONG, 8, text.byteSize());
        MemorySegment message = arena.allocate(HEADER_BYTES, Long.BYTES);
        message.set(ADDRESS, BUFFERS_AT, buffer);
        message.set(JAVA_LONG, BUFFER_COUNT_AT, 1);
        if (descriptors > 0) {
            long bytes = controlBytes(descriptors);
            message.set(ADDRESS, CONTROL_AT, arena.allocate(bytes, Long.BYTES));
            // Without the padding, or the kernel would put one more descriptor there.
            message.set(JAVA_LONG, CONTROL_LENGTH_AT, CONTROL_HEADER_BYTES + (long) Integer.BYTES * descriptors);
        }
        return message;
    }

    private static long controlBytes(int descriptors) {
        long bytes = CONTROL_HEADER_BYTES + (long) Integer.BYTES * descriptors;
        return bytes + 7 & ~7L;
    }

    @SuppressWarnings("restricted")
    private static MemorySegment control(MemorySegment message, int descriptors) {
        return message.get(ADDRESS, CONTROL_AT).reinterpret(controlBytes(descriptors));
    }

    @Override
    public void close() {
        DescriptorCalls.close(fd);
    }
}
