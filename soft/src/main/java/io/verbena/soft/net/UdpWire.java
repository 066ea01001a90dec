package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import jdk.net.ExtendedSocketOptions;

/// A non-blocking datagram channel: runs everywhere and needs no native access.
///
/// Over IPv6 it hears only peers that send UDP checksums, as Verbena does; kernel and hardware peers send none, and
/// Java cannot ask the system to let such datagrams in.
final class UdpWire extends QueuedWire {
    private static final long NS_PER_MS = 1_000_000;

    private final boolean ipv4;
    private final DatagramChannel channel;
    private final Selector selector;
    private final SelectionKey key;

    private final ByteBuffer outgoing = queue.bytes().duplicate();
    private final int[] lengths = new int[FrameQueue.SLOTS];
    private final InetSocketAddress[] destinations = new InetSocketAddress[FrameQueue.SLOTS];
    private final DestinationCache cache;

    private final MemorySegment receiveMemory = FrameQueue.frames(1);
    private final ByteBuffer receiveBytes = receiveMemory.asByteBuffer();
    private final ByteBuffer incoming = receiveBytes.duplicate();

    private InetSocketAddress lastSource;
    private Gid lastSourceGid;
    private volatile long sendFailures;

    UdpWire(InetAddress local, int maxPayload) {
        super(local, maxPayload);
        ipv4 = local instanceof Inet4Address;
        cache = new DestinationCache(local);
        channel = open(local);
        try {
            selector = Selector.open();
            key = channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            closeQuietly(channel);
            throw OpenFailure.channel(local, e);
        }
    }

    @Override
    public int receiveBufferBytes() {
        try {
            // Java tells half of what Linux grants, as it asked for it.
            return 2 * channel.getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException closed) {
            return Wires.BUFFER_BYTES;
        }
    }

    @Override
    public void commit(int offset, int length, long destinationHigh, long destinationLow) {
        if (SocketAddresses.isIpv4(destinationHigh, destinationLow) != ipv4) {
            countFailure();
            return;
        }
        int slot = queue.commit(offset);
        lengths[slot] = length;
        destinations[slot] = cache.get(destinationHigh, destinationLow);
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
        int received = 0;
        while (received < limit && receiveOne(handler)) {
            received++;
        }
        return received;
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
                throw new IllegalStateException("wait for datagrams on " + local.getHostAddress() + ": " + e, e);
            }
        }
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public long sendFailures() {
        return sendFailures;
    }

    @Override
    public void close() {
        closeQuietly(channel);
        closeQuietly(selector);
    }

    /// Sends the frame of a slot or counts it as failed; false when the socket has no room.
    private boolean send(int slot) {
        int offset = slot * FRAME_BYTES;
        outgoing.limit(offset + lengths[slot]).position(offset);
        try {
            return channel.send(outgoing, destinations[slot]) > 0;
        } catch (IOException e) {
            countFailure();
            return true;
        }
    }

    private boolean receiveOne(FrameHandler handler) {
        incoming.position(0);
        InetSocketAddress source;
        try {
            source = (InetSocketAddress) channel.receive(incoming);
        } catch (IOException closed) {
            return false;
        }
        if (source == null) {
            return false;
        }
        // The channel gives the same object again while the sender stays the same.
        if (source != lastSource) {
            lastSource = source;
            lastSourceGid = Gid.of(source.getAddress());
        }
        int length = incoming.position();
        handler.onFrame(
                receiveMemory, receiveBytes, 0, length, lastSourceGid.high(), lastSourceGid.low(), source.getPort());
        return true;
    }

    private void waitForRoom(boolean wait) {
        int interest = wait ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.isValid() && key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    private void countFailure() {
        sendFailures++; // one writer, the owner
    }

    private static DatagramChannel open(InetAddress local) {
        DatagramChannel channel = null;
        try {
            channel = DatagramChannel.open(
                    local instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
            channel.configureBlocking(false);
            if (channel.supportedOptions().contains(ExtendedSocketOptions.IP_DONTFRAGMENT)) {
                channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, Wires.BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, Wires.BUFFER_BYTES);
            // Never connected: only an unconnected socket numbers its IP packets 0, and the ICRC covers that number.
            return channel.bind(new InetSocketAddress(local, Wires.PORT));
        } catch (BindException e) {
            closeQuietly(channel);
            throw canBind(local) ? OpenFailure.taken(local, e) : OpenFailure.notLocal(local, e);
        } catch (IOException e) {
            closeQuietly(channel);
            throw OpenFailure.channel(local, e);
        }
    }

    /// Whether another port of the address is to be had: then the address is of this host and it is the port that
    /// is taken.
    private static boolean canBind(InetAddress local) {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.bind(new InetSocketAddress(local, 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            if (resource != null) {
                resource.close();
            }
        } catch (Exception e) {
            Wires.LOG.log(System.Logger.Level.DEBUG, "close of a UDP socket", e);
        }
    }

    private static void ignore(SelectionKey ready) {
        // The caller polls the channel itself.
    }
}
