package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/// Opens the UDP socket of a [LinuxWire] with the options that RoCEv2 needs.
final class LinuxSocket {
    private static final int DATAGRAM_NONBLOCK_CLOEXEC = 2 | 0x800 | 0x80000;
    private static final int UDP = 17;

    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int IPPROTO_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_V6ONLY = 26;
    private static final int PMTUDISC_DO = 2;
    private static final int UDP_NO_CHECK6_RX = 102;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment state = arena.allocate(Libc.stateLayout());
    private final MemorySegment value = arena.allocate(JAVA_INT);
    private final InetAddress local;
    private final int fd;

    private LinuxSocket(InetAddress local, SocketAddresses addresses) {
        this.local = local;
        fd = require("socket", Libc.socket(state, addresses.family(), DATAGRAM_NONBLOCK_CLOEXEC, UDP));
    }

    /// A bound socket's descriptor. It is never connected: a connected socket numbers its IP packets from a random
    /// start, and the ICRC covers that number. Unconnected and with don't-fragment, Linux numbers every packet 0.
    static int open(InetAddress local, SocketAddresses addresses, int port) {
        LinuxSocket socket = new LinuxSocket(local, addresses);
        try {
            socket.setOptions(addresses);
            socket.bind(addresses, port);
            return socket.fd;
        } catch (RuntimeException e) {
            Libc.close(socket.state, socket.fd);
            throw e;
        }
    }

    /// What the system granted for arriving frames; it counts the memory they take up, not their bytes.
    static int receiveBufferBytes(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Libc.stateLayout());
            MemorySegment value = arena.allocate(JAVA_INT);
            MemorySegment valueBytes = arena.allocateFrom(JAVA_INT, Integer.BYTES);
            int result = Libc.getsockopt(state, fd, SOL_SOCKET, SO_RCVBUF, value.address(), valueBytes.address());
            return result < 0 ? Wires.BUFFER_BYTES : value.get(JAVA_INT, 0);
        }
    }

    private void setOptions(SocketAddresses addresses) {
        if (addresses.isIpv4()) {
            require("set IP_MTU_DISCOVER", set(IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_DO));
        } else {
            require("set IPV6_V6ONLY", set(IPPROTO_IPV6, IPV6_V6ONLY, 1));
            require("set IPV6_MTU_DISCOVER", set(IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_DO));
            // Kernel and hardware peers send IPv6 datagrams without a UDP checksum.
            require("set UDP_NO_CHECK6_RX", set(UDP, UDP_NO_CHECK6_RX, 1));
        }
        // The forcing options need a capability; the plain ones take what the system's limits allow.
        if (set(SOL_SOCKET, SO_RCVBUFFORCE, Wires.BUFFER_BYTES) < 0) {
            set(SOL_SOCKET, SO_RCVBUF, Wires.BUFFER_BYTES);
        }
        if (set(SOL_SOCKET, SO_SNDBUFFORCE, Wires.BUFFER_BYTES) < 0) {
            set(SOL_SOCKET, SO_SNDBUF, Wires.BUFFER_BYTES);
        }
    }

    private void bind(SocketAddresses addresses, int port) {
        MemorySegment name = arena.allocate(SocketAddresses.SLOT_BYTES, Long.BYTES);
        Gid gid = Gid.of(local);
        addresses.prepare(name, 0, port);
        addresses.write(name, 0, gid.high(), gid.low());
        int error = -Libc.bind(state, fd, name.address(), addresses.bytes());
        if (error == Errno.EADDRINUSE.number()) {
            throw OpenFailure.taken(local, null);
        }
        if (error == Errno.EADDRNOTAVAIL.number()) {
            throw OpenFailure.notLocal(local, null);
        }
        require("bind", -error);
    }

    private int set(int level, int option, int number) {
        value.set(JAVA_INT, 0, number);
        return Libc.setsockopt(state, fd, level, option, value.address(), Integer.BYTES);
    }

    private int require(String call, int result) {
        if (result < 0) {
            throw OpenFailure.call(local, call, -result);
        }
        return result;
    }
}
