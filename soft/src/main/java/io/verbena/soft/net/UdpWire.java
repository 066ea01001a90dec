package io.verbena.soft.net;

import io.verbena.soft.os.CLibrary;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A non-blocking datagram channel: runs everywhere and needs no native access.
///
/// It has three limits that [LinuxWire] has not. Over IPv6 it receives only from peers that send UDP checksums, as
/// Verbena does; kernel and hardware peers send none, and the system drops such datagrams. It sets the traffic class of
/// what it sends, but the hop limit only of what goes to a group, and never a flow label. And it cannot read the
/// traffic class and hop limit of received packets: frames have the defaults.
final class UdpWire extends QueuedWire {
    private static final long NS_PER_MS = 1_000_000;

    private final boolean ipv4;
    private final DatagramChannel channel;
    private final Selector selector;
    private final SelectionKey key;

    private final ByteBuffer outgoing = queue.bytes().duplicate();
    private final long[] traffics = new long[FrameQueue.ENTRIES];
    private final InetSocketAddress[] destinations = new InetSocketAddress[FrameQueue.ENTRIES];
    private final DestinationCache cache;
    private final UdpReceiver incoming;
    private final Map<Gid, UdpReceiver> memberships = new HashMap<>();

    /// The same receivers, for iteration without an iterator object.
    private List<UdpReceiver> members = List.of();

    private int firstMember;

    /// The present setting of the socket.
    private int trafficClass;

    private int groupHopLimit = Traffic.DEFAULT_HOP_LIMIT;
    private volatile boolean closed;

    UdpWire(InetAddress local, int maxPayload) {
        super(local, maxPayload);
        ipv4 = local instanceof Inet4Address;
        cache = new DestinationCache(local);
        channel = UdpChannels.open(local);
        incoming = new UdpReceiver(channel, Gid.of(local));
        try {
            selector = Selector.open();
            key = channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            UdpChannels.closeQuietly(channel);
            throw OpenFailure.channel(local, e);
        }
        if (!ipv4) {
            Wires.LOG.log(
                    System.Logger.Level.INFO,
                    () -> AddressText.of(local) + ": without native access, packets of kernel and hardware peers,"
                            + " which have no UDP checksum, do not arrive over IPv6; on Linux run with"
                            + " " + CLibrary.accessOption());
        }
    }

    @Override
    public int receiveBufferBytes() {
        try {
            // Java returns half of what Linux grants.
            return 2 * channel.getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException closed) {
            return Wires.BUFFER_BYTES;
        }
    }

    @Override
    public void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic) {
        if (SocketAddresses.isIpv4(destinationHigh, destinationLow) != ipv4) {
            sendFailures++;
            return;
        }
        int entry = queue.commit(offset, length);
        traffics[entry] = traffic;
        destinations[entry] = cache.get(destinationHigh, destinationLow);
    }

    @Override
    public boolean flush() {
        if (queue.isEmpty()) {
            return true;
        }
        boolean room = true;
        while (room && !queue.isEmpty()) {
            room = send(queue.head());
            if (room) {
                queue.release(1);
            }
        }
        waitForRoom(!room);
        return room;
    }

    @Override
    public int receive(FrameHandler handler, int limit) {
        // Half of the limit for the groups, beginning with another group each time, so that none starves the others.
        List<UdpReceiver> now = members;
        int most = now.isEmpty() ? 0 : (limit + 1) / 2;
        int received = 0;
        firstMember++;
        for (int i = 0; i < now.size() && received < most; i++) {
            received += now.get(((firstMember & 0xFFFF) + i) % now.size()).receive(handler, most - received);
        }
        return received + incoming.receive(handler, limit - received);
    }

    @Override
    public void await(long timeoutNs) {
        try {
            long timeoutMs = timeoutNs / NS_PER_MS + (timeoutNs % NS_PER_MS > 0 ? 1 : 0);
            if (timeoutMs <= 0) {
                selector.selectNow(UdpWire::ignore);
            } else {
                selector.select(UdpWire::ignore, timeoutMs);
            }
        } catch (IOException | RuntimeException e) {
            if (selector.isOpen()) {
                throw new IllegalStateException("wait for datagrams on " + AddressText.of(local) + ": " + e, e);
            }
        }
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    void enter(Gid group) {
        DatagramChannel opened = UdpChannels.openGroup(local, groups, group);
        try {
            opened.register(selector, SelectionKey.OP_READ);
        } catch (IOException | RuntimeException e) {
            UdpChannels.closeQuietly(opened);
            throw OpenFailure.channel(local, e);
        }
        memberships.put(group, new UdpReceiver(opened, group));
        members = new ArrayList<>(memberships.values());
        selector.wakeup();
    }

    @Override
    void exit(Gid group) {
        UdpReceiver receiver = memberships.remove(group);
        if (receiver != null) {
            members = new ArrayList<>(memberships.values());
            UdpChannels.closeQuietly(receiver.channel());
            selector.wakeup(); // deregisters it
        }
    }

    @Override
    public void check() {
        if (!channel.isOpen() && !closed) {
            throw new IllegalStateException("the UDP channel of " + AddressText.of(local) + " is gone");
        }
    }

    @Override
    public void close() {
        closed = true;
        UdpChannels.closeQuietly(channel);
        members.forEach(member -> UdpChannels.closeQuietly(member.channel()));
        UdpChannels.closeQuietly(selector);
    }

    /// Sends the frame of an entry or counts it as failed. False when the socket is full.
    private boolean send(int entry) {
        int offset = queue.start(entry);
        outgoing.limit(offset + queue.length(entry)).position(offset);
        try {
            setTraffic(traffics[entry], destinations[entry]);
            return channel.send(outgoing, destinations[entry]) > 0;
        } catch (IOException e) {
            sendFailures++;
            return true;
        }
    }

    /// Changes the options of the socket where they differ, which is rare.
    private void setTraffic(long traffic, InetSocketAddress destination) throws IOException {
        int wantedClass = Traffic.trafficClass(traffic);
        if (wantedClass != trafficClass) {
            channel.setOption(StandardSocketOptions.IP_TOS, wantedClass);
            trafficClass = wantedClass;
        }
        int hopLimit = Traffic.hopLimit(traffic);
        if (hopLimit != groupHopLimit && destination.getAddress().isMulticastAddress()) {
            channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, hopLimit);
            groupHopLimit = hopLimit;
        }
    }

    private void waitForRoom(boolean wait) {
        int interest = wait ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.isValid() && key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    private static void ignore(SelectionKey ready) {
        // The caller polls the channels itself.
    }
}
