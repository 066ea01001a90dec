package io.verbena.soft.net;

import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import jdk.net.ExtendedSocketOptions;

/// Opens the datagram channels of a [UdpWire].
final class UdpChannels {
    private UdpChannels() {}

    /// The channel of a local address. It is never connected: only an unconnected socket numbers its IP packets 0, and
    /// the ICRC covers that number.
    static DatagramChannel open(InetAddress local) {
        DatagramChannel channel = null;
        try {
            channel = DatagramChannel.open(family(local));
            channel.configureBlocking(false);
            if (channel.supportedOptions().contains(ExtendedSocketOptions.IP_DONTFRAGMENT)) {
                channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, Wires.BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, Wires.BUFFER_BYTES);
            setMulticastOptions(channel, local);
            return channel.bind(new InetSocketAddress(local, Wires.PORT));
        } catch (BindException e) {
            closeQuietly(channel);
            throw canBind(local) ? OpenFailure.taken(local, e) : OpenFailure.notLocal(local, e);
        } catch (IOException e) {
            closeQuietly(channel);
            throw OpenFailure.channel(local, e);
        }
    }

    /// Opens a channel that only receives packets to one group. It is bound to the group, because on most systems a
    /// channel bound to a local address receives nothing else.
    static DatagramChannel openGroup(InetAddress local, Groups groups, Gid gid) {
        InetAddress group = gid.address();
        GroupRoute.require(local, group);
        DatagramChannel channel = null;
        try {
            NetworkInterface card = LocalInterface.of(local);
            if (card == null) {
                throw new IOException("no interface has the address");
            }
            channel = DatagramChannel.open(family(local));
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, Wires.BUFFER_BYTES);
            channel.bind(new InetSocketAddress(GroupRoute.scoped(group, GroupRoute.scope(local)), Wires.PORT));
            channel.join(group, card);
            return channel;
        } catch (IOException | RuntimeException e) {
            closeQuietly(channel);
            throw groups.refused(
                    group,
                    Errno.EOPNOTSUPP,
                    "the system refuses: " + e + "; check that the interface takes part in multicast, or use another"
                            + " device",
                    e);
        }
    }

    static void closeQuietly(AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            Wires.LOG.log(System.Logger.Level.DEBUG, "close of a UDP socket", e);
        }
    }

    private static StandardProtocolFamily family(InetAddress local) {
        return local instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }

    /// May fail: only a device that sends to groups needs it.
    private static void setMulticastOptions(DatagramChannel channel, InetAddress local) {
        try {
            channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, Traffic.DEFAULT_HOP_LIMIT);
            NetworkInterface card = LocalInterface.of(local);
            if (card != null) {
                channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, card);
            }
        } catch (IOException | RuntimeException e) {
            Wires.LOG.log(System.Logger.Level.DEBUG, "no multicast from " + AddressText.of(local), e);
        }
    }

    /// Whether another port of the address is free: then the address is of this host, and only the port is taken.
    private static boolean canBind(InetAddress local) {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.bind(new InetSocketAddress(local, 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
