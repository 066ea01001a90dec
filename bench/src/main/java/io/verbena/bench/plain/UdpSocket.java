package io.verbena.bench.plain;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.nio.ByteOrder;

/// A connected UDP socket over IPv4, by direct system calls without Java's channels. Linux only.
final class UdpSocket implements AutoCloseable {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int BUFFER = 4 << 20;
    private static final int ADDRESS_BYTES = 16;
    private static final int PORT_AT = 2;
    private static final int HOST_AT = 4;
    private static final ValueLayout.OfShort BE_SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private final int fd;

    UdpSocket(String home) {
        fd = Libc.socket(AF_INET, SOCK_DGRAM, 0);
        check(fd, "open a UDP socket");
        try (Arena arena = Arena.ofConfined()) {
            check(Libc.bind(fd, address(arena, home, 0), ADDRESS_BYTES), "bind a UDP socket to " + home);
        }
        check(Libc.setsockopt(fd, SOL_SOCKET, SO_SNDBUF, BUFFER), "set the send buffer");
        check(Libc.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, BUFFER), "set the receive buffer");
    }

    private static long address(Arena arena, String host, int port) {
        MemorySegment address = arena.allocate(ADDRESS_BYTES, Integer.BYTES);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
        address.set(BE_SHORT, PORT_AT, (short) port);
        byte[] bytes = Inet4Address.ofLiteral(host).getAddress();
        MemorySegment.copy(bytes, 0, address, ValueLayout.JAVA_BYTE, HOST_AT, bytes.length);
        return address.address();
    }

    private static void check(int result, String what) {
        if (result < 0) {
            throw new IllegalStateException("cannot " + what);
        }
    }

    int port() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ADDRESS_BYTES, Integer.BYTES);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, ADDRESS_BYTES);
            check(Libc.getsockname(fd, address.address(), length.address()), "read the port of a UDP socket");
            return address.get(BE_SHORT, PORT_AT) & 0xFFFF;
        }
    }

    void connect(String host, int port) {
        try (Arena arena = Arena.ofConfined()) {
            check(
                    Libc.connect(fd, address(arena, host, port), ADDRESS_BYTES),
                    "connect to UDP port " + port + " of " + host);
        }
    }

    /// Sets the segment size: a longer buffer is sent as datagrams of so many bytes (UDP_SEGMENT); 0 turns it off.
    void segments(int bytes) {
        check(Libc.setsockopt(fd, SOL_UDP, UDP_SEGMENT, bytes), "set UDP_SEGMENT, which needs Linux 4.18,");
    }

    /// Whether datagrams of one sender are received together (UDP_GRO).
    void coalesce(boolean on) {
        check(Libc.setsockopt(fd, SOL_UDP, UDP_GRO, on ? 1 : 0), "set UDP_GRO, which needs Linux 5.0,");
    }

    /// Negative when the kernel cannot send it now.
    long send(MemorySegment bytes, long length) {
        return Libc.send(fd, bytes.address(), length, MSG_DONTWAIT);
    }

    /// Negative when there is no datagram.
    long receive(MemorySegment into) {
        return Libc.recv(fd, into.address(), into.byteSize(), MSG_DONTWAIT);
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
