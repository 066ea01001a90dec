package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.SocketCalls;
import io.verbena.soft.shard.SharedAddress;
import io.verbena.soft.shard.SocketOpener;
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
    private static final int SO_REUSEPORT = 15;
    private static final int SO_TYPE = 3;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;

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
    private final InetAddress local;
    private final SocketAddresses addresses;
    private final int fd;

    private LinuxSocket(InetAddress local, SocketAddresses addresses) {
        this.local = local;
        this.addresses = addresses;
        fd = require("socket", SocketCalls.socket(addresses.family(), DATAGRAM_NONBLOCK_CLOEXEC, UDP));
    }

    /// Opens a bound socket. It is not connected, because it receives from all peers. For an unconnected socket with
    /// don't-fragment, Linux gives every IPv4 packet the identification 0, which the ICRC covers.
    static int open(InetAddress local, SocketAddresses addresses) {
        int fd = openBound(local, addresses, false);
        if (fd == -Errno.EADDRINUSE.number()) {
            throw OpenFailure.taken(local, SharedAddress.squatter(AddressText.of(local)));
        }
        if (fd == -Errno.EADDRNOTAVAIL.number()) {
            throw OpenFailure.notLocal(local, null);
        }
        return requireBound(local, fd);
    }

    /// As [#open], of the sockets that processes share. The first one is bound alone, so that it succeeds only where no
    /// other socket is, and lets others in after that.
    static SocketOpener shared(InetAddress local, SocketAddresses addresses) {
        return new SocketOpener() {
            @Override
            public int openFirst() {
                int fd = openBound(local, addresses, false);
                int error = fd < 0 ? 0 : -letOthersIn(fd);
                if (error > 0) {
                    DescriptorCalls.close(fd);
                    throw OpenFailure.call(local, "set SO_REUSEPORT", error);
                }
                return fd;
            }

            @Override
            public Bound bound() {
                return PortOwner.bound(local, DescriptorCalls.user());
            }

            @Override
            public int openNext() {
                return requireBound(local, openBound(local, addresses, true));
            }
        };
    }

    private static int requireBound(InetAddress local, int fd) {
        if (fd < 0) {
            throw OpenFailure.call(local, "bind", -fd);
        }
        return fd;
    }

    /// The descriptor, or the error number of binding, negated.
    private static int openBound(InetAddress local, SocketAddresses addresses, boolean amongOthers) {
        LinuxSocket socket = new LinuxSocket(local, addresses);
        try {
            socket.setReceiveOptions();
            socket.setSendOptions();
            if (amongOthers) {
                socket.require("set SO_REUSEPORT", letOthersIn(socket.fd));
            }
            int result = socket.bind(Gid.of(local));
            if (result < 0) {
                DescriptorCalls.close(socket.fd);
                return result;
            }
            return socket.fd;
        } catch (RuntimeException | Error e) {
            DescriptorCalls.close(socket.fd);
            throw e;
        }
    }

    private static int letOthersIn(int fd) {
        return LinuxWireCalls.setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, 1);
    }

    /// Opens a socket that only receives packets to one group. The wire's own socket is bound to an address and
    /// receives nothing else. So the destination of a packet follows from its socket.
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
            DescriptorCalls.close(socket.fd);
            throw e;
        }
    }

    /// Makes the kernel report hop limit and traffic class of each datagram, where it supports that.
    static void revealTraffic(int fd, SocketAddresses addresses) {
        int level = addresses.isIpv4() ? IPPROTO_IP : IPPROTO_IPV6;
        LinuxWireCalls.setsockopt(fd, level, addresses.isIpv4() ? IP_RECVTTL : IPV6_RECVHOPLIMIT, 1);
        LinuxWireCalls.setsockopt(fd, level, addresses.isIpv4() ? IP_RECVTOS : IPV6_FLOWINFO, 1);
    }

    /// Whether the system splits datagrams into frames (GSO, Linux 4.18 or newer).
    static boolean cutsTrains(int fd) {
        return LinuxWireCalls.setsockopt(fd, UDP, UDP_SEGMENT, 0) >= 0;
    }

    /// Turns GRO on or off: the kernel coalesces frames that arrive together into one datagram, and reports their
    /// length. False where it is not supported (before Linux 5.0).
    static boolean coalesce(int fd, boolean on) {
        return LinuxWireCalls.setsockopt(fd, UDP, UDP_GRO, on ? 1 : 0) >= 0;
    }

    /// The granted receive buffer. The system counts the memory that frames occupy, not their bytes.
    static int receiveBufferBytes(int fd) {
        int granted = LinuxWireCalls.getsockopt(fd, SOL_SOCKET, SO_RCVBUF);
        return granted < 0 ? Wires.BUFFER_BYTES : granted;
    }

    /// Throws when the descriptor is no socket any more.
    static void requireAlive(int fd, InetAddress local) {
        int type = LinuxWireCalls.getsockopt(fd, SOL_SOCKET, SO_TYPE);
        if (type < 0) {
            throw new IllegalStateException(
                    "the UDP socket of " + AddressText.of(local) + " is gone (error " + -type + ")");
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

    /// May fail: only a device that sends to groups needs it.
    private void setMulticastInterface() {
        if (addresses.isIpv4()) {
            LinuxWireCalls.setsockopt(
                    fd, IPPROTO_IP, IP_MULTICAST_IF, arena.allocateFrom(JAVA_BYTE, local.getAddress()));
        } else {
            set(IPPROTO_IPV6, IPV6_MULTICAST_IF, GroupRoute.scope(local));
        }
    }

    /// Several devices of a host may be members of one group, so they share the port. Each receives only from its own
    /// interface.
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
        MemorySegment value = arena.allocate(ipv4 ? 12 : 20, Integer.BYTES);
        value.copyFrom(MemorySegment.ofArray(group.address().getAddress()));
        if (ipv4) {
            MemorySegment.copy(MemorySegment.ofArray(local.getAddress()), 0, value, 4, 4);
        } else {
            value.set(JAVA_INT, 16, GroupRoute.scope(local));
        }
        int level = ipv4 ? IPPROTO_IP : IPPROTO_IPV6;
        int option = ipv4 ? IP_ADD_MEMBERSHIP : IPV6_ADD_MEMBERSHIP;
        requireGroup(group, "join", LinuxWireCalls.setsockopt(fd, level, option, value));
    }

    private int bind(Gid gid) {
        MemorySegment name = arena.allocate(SocketAddresses.SLOT_BYTES, Long.BYTES);
        addresses.prepare(name, 0, Wires.PORT);
        addresses.write(name, 0, gid.high(), gid.low(), 0);
        return SocketCalls.bind(fd, name, addresses.bytes());
    }

    private int set(int level, int option, int number) {
        return LinuxWireCalls.setsockopt(fd, level, option, number);
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
