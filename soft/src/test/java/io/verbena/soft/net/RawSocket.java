package io.verbena.soft.net;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.SocketCalls;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.Arrays;

/// Receives datagrams with their IPv4 headers, which a UDP socket hides. Needs the capability CAP_NET_RAW.
final class RawSocket implements AutoCloseable {
    private static final int RAW_NONBLOCK_CLOEXEC = 3 | 0x800 | 0x80000;
    private static final int UDP = 17;
    private static final int SOURCE_AT = 12;
    private static final int LONGEST = 1 << 16;

    private final MemorySegment packet = Arena.ofAuto().allocate(LONGEST);
    private final int fd;

    private RawSocket(int fd) {
        this.fd = fd;
    }

    /// Opens a socket for datagrams to one address; null without the capability.
    static RawSocket open(InetAddress destination) {
        SocketAddresses addresses = new SocketAddresses(destination);
        int fd = SocketCalls.socket(addresses.family(), RAW_NONBLOCK_CLOEXEC, UDP);
        if (fd < 0) {
            return null;
        }
        MemorySegment name = Arena.ofAuto().allocate(SocketAddresses.SLOT_BYTES, Long.BYTES);
        Gid gid = Gid.of(destination);
        addresses.prepare(name, 0, 0);
        addresses.write(name, 0, gid.high(), gid.low(), 0);
        int bound = SocketCalls.bind(fd, name, addresses.bytes());
        if (bound < 0) {
            throw new IllegalStateException("bind raw socket: error " + -bound);
        }
        RawSocket socket = new RawSocket(fd);
        // Until it is bound, the socket receives all datagrams to this machine, which may fill it.
        while (socket.receive() >= 0) {}
        return socket;
    }

    /// The next packet of a sender, from its IP header on; null when there is none.
    byte[] next(InetAddress source) {
        for (int length = receive(); length >= 0; length = receive()) {
            byte[] bytes = packet.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            if (Arrays.equals(bytes, SOURCE_AT, SOURCE_AT + 4, source.getAddress(), 0, 4)) {
                return bytes;
            }
        }
        return null;
    }

    private int receive() {
        return LinuxWireCalls.recvfrom(fd, packet.address(), packet.byteSize(), 0, 0, 0);
    }

    @Override
    public void close() {
        DescriptorCalls.close(fd);
    }
}
