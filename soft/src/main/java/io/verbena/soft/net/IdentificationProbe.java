package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// Finds out which identification Linux gives the next IPv4 datagram of a connected socket. A program cannot ask, but
/// it can have packets given back with their headers when they leave, as those do that want to know the time of it.
///
/// The packets go to the socket's own address and port, where nobody hears them: the socket takes its one peer's only.
final class IdentificationProbe {
    static final int UNKNOWN = -1;

    private static final int FROM_QUEUE_OF_ERRORS = 0x2000;
    private static final int NO_SIGNAL = 0x4000;
    private static final int PAYLOAD_BYTES = 8;
    private static final int IPV4_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int PACKET_BYTES = IPV4_BYTES + UDP_BYTES + PAYLOAD_BYTES;
    private static final int VERSION_AND_LENGTH = 0x45;
    private static final int LENGTH_AT = 2;
    private static final int IDENTIFICATION_AT = 4;
    private static final int FLAGS_AT = 6;
    private static final int SOURCE_AT = 12;
    private static final int DONT_FRAGMENT = 0x4000;
    private static final int ROOM = 256;

    /// Packets in a row that must count.
    private static final int PACKETS = 3;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment state = arena.allocate(Libc.stateLayout());
    private final MemorySegment payload = arena.allocate(PAYLOAD_BYTES);
    private final MemorySegment packet = arena.allocate(ROOM);
    private final MessageHeaders message;
    private final SocketAddresses addresses;
    private final InetAddress local;
    private final int fd;

    private IdentificationProbe(int fd, InetAddress local, SocketAddresses addresses, int port) {
        this.fd = fd;
        this.local = local;
        this.addresses = addresses;
        message = new MessageHeaders(1, addresses, port);
        Gid own = Gid.of(local);
        addresses.write(message.names(), message.nameAt(0), own.high(), own.low(), 0);
        message.buffer(0, packet.address(), ROOM);
    }

    /// [#UNKNOWN] where the kernel does not tell, or does not count by one.
    static int next(int fd, InetAddress local, SocketAddresses addresses, int port) {
        if (!LinuxSocket.giveBackPackets(fd, true)) {
            return UNKNOWN;
        }
        try {
            return new IdentificationProbe(fd, local, addresses, port).count();
        } finally {
            LinuxSocket.giveBackPackets(fd, false);
        }
    }

    private int count() {
        int next = UNKNOWN;
        for (int i = 0; i < PACKETS; i++) {
            int seen = ofOnePacket();
            if (seen == UNKNOWN || next != UNKNOWN && seen != next) {
                return UNKNOWN;
            }
            next = seen + 1 & 0xFFFF;
        }
        return next;
    }

    private int ofOnePacket() {
        int sent =
                Libc.sendto(state, fd, payload.address(), PAYLOAD_BYTES, NO_SIGNAL, message.name(0), addresses.bytes());
        if (sent != PAYLOAD_BYTES) {
            return UNKNOWN;
        }
        // Before there is a header of a link, whose length nobody tells.
        message.named(0, false);
        int length = Libc.recvmsg(fd, message.header(0), FROM_QUEUE_OF_ERRORS);
        return length < PACKET_BYTES || length > ROOM
                ? UNKNOWN
                : identification(packet.asSlice(length - PACKET_BYTES, PACKET_BYTES));
    }

    private int identification(MemorySegment header) {
        ByteBuffer ip = header.asByteBuffer();
        boolean expected = ip.get(0) == VERSION_AND_LENGTH
                && ip.getShort(LENGTH_AT) == PACKET_BYTES
                && ip.getShort(FLAGS_AT) == DONT_FRAGMENT
                && header.asSlice(SOURCE_AT, 4).asByteBuffer().equals(ByteBuffer.wrap(local.getAddress()));
        return expected ? Short.toUnsignedInt(ip.getShort(IDENTIFICATION_AT)) : UNKNOWN;
    }
}
