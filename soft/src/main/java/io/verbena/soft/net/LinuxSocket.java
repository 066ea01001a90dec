package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/// Opens the UDP sockets of a [LinuxWire] with the options that RoCEv2 needs.
final class LinuxSocket {
    private static final int DATAGRAM_NONBLOCK_CLOEXEC = 2 | 0x800 | 0x80000;
    private static final int UDP = 17;

    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int SO_TYPE = 3;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SO_TIMESTAMPING = 37;

    /// `SOF_TIMESTAMPING_TX_SCHED` and `SOF_TIMESTAMPING_SOFTWARE`.
    private static final int TIMESTAMP_WHEN_QUEUED = 1 << 8 | 1 << 4;

    private static final int IPPROTO_IP = 0;
    private static final int IP_TTL = 2;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_RECVTTL = 12;
    private static final int IP_RECVTOS = 13;
    private static final int IP_MULTICAST_IF = 32;
    private static final int IP_MULTICAST_TTL = 33;
    private static final int IP_ADD_MEMBERSHIP = 35;
    private static final int IP_MULTICAST_ALL = 49;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_FLOWINFO = 11;
    private static final int IPV6_UNICAST_HOPS = 16;
    private static final int IPV6_MULTICAST_IF = 17;
    private static final int IPV6_MULTICAST_HOPS = 18;
    private static final int IPV6_ADD_MEMBERSHIP = 20;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_V6ONLY = 26;
    private static final int IPV6_MULTICAST_ALL = 29;
    private static final int IPV6_FLOWINFO_SEND = 33;
    private static final int IPV6_RECVHOPLIMIT = 51;
    private static final int PMTUDISC_DO = 2;
    private static final int UDP_NO_CHECK6_RX = 102;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment state = arena.allocate(Libc.stateLayout());
    private final MemorySegment value = arena.allocate(SocketAddresses.SLOT_BYTES, Long.BYTES);
    private final InetAddress local;
    private final SocketAddresses addresses;
    private final int fd;

    private LinuxSocket(InetAddress local, SocketAddresses addresses) {
        this.local = local;
        this.addresses = addresses;
        fd = require("socket", Libc.socket(state, addresses.family(), DATAGRAM_NONBLOCK_CLOEXEC, UDP));
    }

    /// A bound socket's descriptor. It is not connected, since it hears all peers. Unconnected and with don't-fragment,
    /// Linux gives every IPv4 packet the identification 0, which the ICRC covers.
    static int open(InetAddress local, SocketAddresses addresses) {
        LinuxSocket socket = new LinuxSocket(local, addresses);
        try {
            socket.setReceiveOptions();
            socket.setSendOptions();
            socket.bindLocal();
            return socket.fd;
        } catch (RuntimeException e) {
            Libc.close(socket.state, socket.fd);
            throw e;
        }
    }

    /// The descriptor of a socket that sends from a port of its own to one destination only, or the error number,
    /// negated. Nobody reads what arrives there, so there is as little room for it as the system allows.
    static int openConnected(InetAddress local, SocketAddresses addresses, int port, long high, long low) {
        LinuxSocket socket = new LinuxSocket(local, addresses);
        int result = -Errno.EIO.number();
        try {
            socket.setSendOptions();
            socket.set(SOL_SOCKET, SO_RCVBUF, 0);
            result = socket.bind(Gid.of(local), port);
            if (result >= 0) {
                MemorySegment name = socket.name(high, low, Wires.PORT);
                result = Libc.connect(socket.state, socket.fd, name.address(), addresses.bytes());
            }
            return result < 0 ? result : socket.fd;
        } finally {
            if (result < 0) {
                Libc.close(socket.state, socket.fd);
            }
        }
    }

    /// Makes the kernel give back each packet that is sent from here on, with its headers, to the socket's queue of
    /// errors, or ends that.
    static boolean giveBackPackets(int fd, boolean on) {
        return setOnce(fd, SOL_SOCKET, SO_TIMESTAMPING, on ? TIMESTAMP_WHEN_QUEUED : 0);
    }

    /// The descriptor of a socket that only receives what is sent to a group. The wire's own socket cannot: bound to
    /// an address, it hears nothing else. So the destination of what arrives here needs no asking.
    static int openGroup(InetAddress local, SocketAddresses addresses, Gid group) {
        GroupRoute.require(local, group.address());
        LinuxSocket socket = new LinuxSocket(local, addresses);
        try {
            socket.setReceiveOptions();
            socket.bindGroup(group);
            socket.join(group);
            revealTraffic(socket.fd, addresses);
            return socket.fd;
        } catch (RuntimeException e) {
            Libc.close(socket.state, socket.fd);
            throw e;
        }
    }

    /// Makes the kernel tell hop limit and traffic class beside each datagram. Nothing happens where it does not know
    /// how.
    static void revealTraffic(int fd, SocketAddresses addresses) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Libc.stateLayout());
            long one = arena.allocateFrom(JAVA_INT, 1).address();
            int level = addresses.isIpv4() ? IPPROTO_IP : IPPROTO_IPV6;
            int hops = addresses.isIpv4() ? IP_RECVTTL : IPV6_RECVHOPLIMIT;
            int traffic = addresses.isIpv4() ? IP_RECVTOS : IPV6_FLOWINFO;
            Libc.setsockopt(state, fd, level, hops, one, Integer.BYTES);
            Libc.setsockopt(state, fd, level, traffic, one, Integer.BYTES);
        }
    }

    /// Whether the system cuts datagrams into frames when told so beside one (Linux 4.18 or newer).
    static boolean cutsTrains(int fd) {
        return setOnce(fd, UDP, UDP_SEGMENT, 0);
    }

    /// Makes the kernel put frames that arrive together into one buffer, and tell beside it how long each is, or ends
    /// that; false where it does not know how (before Linux 5.0).
    static boolean coalesce(int fd, boolean on) {
        return setOnce(fd, UDP, UDP_GRO, on ? 1 : 0);
    }

    private static boolean setOnce(int fd, int level, int option, int number) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Libc.stateLayout());
            long value = arena.allocateFrom(JAVA_INT, number).address();
            return Libc.setsockopt(state, fd, level, option, value, Integer.BYTES) >= 0;
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

    /// Throws when the descriptor is no socket any more.
    static void requireAlive(int fd, InetAddress local) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Libc.stateLayout());
            MemorySegment type = arena.allocate(JAVA_INT);
            MemorySegment typeBytes = arena.allocateFrom(JAVA_INT, Integer.BYTES);
            int result = Libc.getsockopt(state, fd, SOL_SOCKET, SO_TYPE, type.address(), typeBytes.address());
            if (result < 0) {
                throw new IllegalStateException(
                        "the UDP socket of " + AddressText.of(local) + " is gone (error " + -result + ")");
            }
        }
    }

    private void setReceiveOptions() {
        if (!addresses.isIpv4()) {
            require("set IPV6_V6ONLY", set(IPPROTO_IPV6, IPV6_V6ONLY, 1));
            // Kernel and hardware peers send IPv6 datagrams without a UDP checksum.
            require("set UDP_NO_CHECK6_RX", set(UDP, UDP_NO_CHECK6_RX, 1));
        }
        // The forcing options need a capability; the plain ones take what the system's limits allow.
        if (set(SOL_SOCKET, SO_RCVBUFFORCE, Wires.BUFFER_BYTES) < 0) {
            set(SOL_SOCKET, SO_RCVBUF, Wires.BUFFER_BYTES);
        }
    }

    private void setSendOptions() {
        if (addresses.isIpv4()) {
            require("set IP_MTU_DISCOVER", set(IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_DO));
            require("set IP_TTL", set(IPPROTO_IP, IP_TTL, Traffic.DEFAULT_HOP_LIMIT));
            require("set IP_MULTICAST_TTL", set(IPPROTO_IP, IP_MULTICAST_TTL, Traffic.DEFAULT_HOP_LIMIT));
        } else {
            require("set IPV6_MTU_DISCOVER", set(IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_DO));
            require("set IPV6_UNICAST_HOPS", set(IPPROTO_IPV6, IPV6_UNICAST_HOPS, Traffic.DEFAULT_HOP_LIMIT));
            require("set IPV6_MULTICAST_HOPS", set(IPPROTO_IPV6, IPV6_MULTICAST_HOPS, Traffic.DEFAULT_HOP_LIMIT));
            require("set IPV6_FLOWINFO_SEND", set(IPPROTO_IPV6, IPV6_FLOWINFO_SEND, 1));
        }
        setMulticastInterface();
        if (set(SOL_SOCKET, SO_SNDBUFFORCE, Wires.BUFFER_BYTES) < 0) {
            set(SOL_SOCKET, SO_SNDBUF, Wires.BUFFER_BYTES);
        }
    }

    /// A device that never sends to a group works without, so this may fail.
    private void setMulticastInterface() {
        if (addresses.isIpv4()) {
            MemorySegment.copy(MemorySegment.ofArray(local.getAddress()), 0, value, 0, 4);
            Libc.setsockopt(state, fd, IPPROTO_IP, IP_MULTICAST_IF, value.address(), 4);
        } else {
            set(IPPROTO_IPV6, IPV6_MULTICAST_IF, GroupRoute.scope(local));
        }
    }

    private void bindLocal() {
        int error = -bind(Gid.of(local));
        if (error == Errno.EADDRINUSE.number()) {
            throw OpenFailure.taken(local, null);
        }
        if (error == Errno.EADDRNOTAVAIL.number()) {
            throw OpenFailure.notLocal(local, null);
        }
        require("bind", -error);
    }

    /// Several devices of a host may be members of one group, hence the shared port; and each hears only what comes
    /// through its own interface.
    private void bindGroup(Gid group) {
        requireGroup(group, "set SO_REUSEADDR", set(SOL_SOCKET, SO_REUSEADDR, 1));
        boolean ipv4 = addresses.isIpv4();
        int level = ipv4 ? IPPROTO_IP : IPPROTO_IPV6;
        requireGroup(group, "set MULTICAST_ALL", set(level, ipv4 ? IP_MULTICAST_ALL : IPV6_MULTICAST_ALL, 0));
        requireGroup(group, "bind", bind(group));
    }

    /// With `struct ip_mreqn` or `struct ipv6_mreq`.
    private void join(Gid group) {
        boolean ipv4 = addresses.isIpv4();
        byte[] raw = group.address().getAddress();
        MemorySegment.copy(MemorySegment.ofArray(raw), 0, value, 0, raw.length);
        if (ipv4) {
            MemorySegment.copy(MemorySegment.ofArray(local.getAddress()), 0, value, 4, 4);
            value.set(JAVA_INT, 8, 0);
        } else {
            value.set(JAVA_INT, 16, GroupRoute.scope(local));
        }
        int level = ipv4 ? IPPROTO_IP : IPPROTO_IPV6;
        int option = ipv4 ? IP_ADD_MEMBERSHIP : IPV6_ADD_MEMBERSHIP;
        requireGroup(group, "join", Libc.setsockopt(state, fd, level, option, value.address(), ipv4 ? 12 : 20));
    }

    private int bind(Gid gid) {
        return bind(gid, Wires.PORT);
    }

    private int bind(Gid gid, int port) {
        return Libc.bind(state, fd, name(gid.high(), gid.low(), port).address(), addresses.bytes());
    }

    private MemorySegment name(long high, long low, int port) {
        MemorySegment name = arena.allocate(SocketAddresses.SLOT_BYTES, Long.BYTES);
        addresses.prepare(name, 0, port);
        addresses.write(name, 0, high, low, 0);
        return name;
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

    private void requireGroup(Gid group, String call, int result) {
        if (result < 0) {
            throw new RdmaException(
                    Groups.verb(group.address(), local),
                    Errno.of(-result),
                    call + " failed with error " + -result
                            + "; check that the interface of the address is up and has the MULTICAST flag (`ip link"
                            + " show`)");
        }
    }
}
