package io.verbena.tools.plain;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;

/// The baseline for bandwidth: a plain stream of 4 KiB datagrams over a non-blocking `DatagramChannel`.
///
/// The sender keeps at most [#WINDOW] datagrams unacknowledged. The receiver acknowledges every [#ACK_EVERY] datagrams
/// with its count, and copies each payload to its place in the target, as RDMA must do. There is no checksum, no
/// sequence check and no retransmission: a reliable transport does more.
public final class DatagramStream implements AutoCloseable {
    public static final int DATAGRAM_BYTES = 4096;
    public static final int WINDOW = 256;
    public static final int ACK_EVERY = 32;

    private static final int SOCKET_BUFFER_BYTES = 4 << 20;
    // the space of a 4 KiB datagram in a Linux receive buffer, with the kernel's own data
    private static final int BUFFER_BYTES_PER_DATAGRAM = 6 << 10;

    private final DatagramChannel channel;
    private final SpinLimit limit;
    private int window = WINDOW;

    private DatagramStream(DatagramChannel channel, Duration patience) {
        this.channel = channel;
        this.limit = new SpinLimit(
                "stream of plain datagrams; one may have been lost, raise the limit net.core.rmem_max", patience);
    }

    public static DatagramStream open(InetAddress local, Duration patience) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
        channel.bind(new InetSocketAddress(local, 0));
        channel.configureBlocking(false);
        return new DatagramStream(channel, patience);
    }

    public int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    public void connect(InetAddress peer, int port) throws IOException {
        channel.connect(new InetSocketAddress(peer, port));
    }

    /// Number of datagrams that this side's receive buffer certainly holds.
    public int room() throws IOException {
        return channel.getOption(StandardSocketOptions.SO_RCVBUF) / BUFFER_BYTES_PER_DATAGRAM;
    }

    /// Reduces the window when the receiver has less room: a lost datagram would end the stream.
    public void fitWindow(int receiverRoom) {
        window = Math.clamp(receiverRoom, ACK_EVERY, WINDOW);
    }

    public int window() {
        return window;
    }

    /// Sends all of `source`, and returns when the last byte is acknowledged.
    public void send(ByteBuffer source) throws IOException {
        int datagrams = count(source.capacity());
        ByteBuffer ack = ByteBuffer.allocateDirect(Long.BYTES);
        long acknowledged = 0;
        int sent = 0;
        limit.restart();
        while (acknowledged < datagrams) {
            if (sent < datagrams && sent - acknowledged < window) {
                int at = sent * DATAGRAM_BYTES;
                source.limit(Math.min(at + DATAGRAM_BYTES, source.capacity())).position(at);
                if (channel.write(source) > 0) {
                    sent++;
                }
                // acknowledgements come every 32 datagrams, so there is no need to check for one each time
                if ((sent & ACK_EVERY - 1) != 0 && sent - acknowledged < window) {
                    continue;
                }
            }
            long heard = readAck(ack);
            if (heard > acknowledged) {
                acknowledged = heard;
                limit.restart();
            }
            limit.spin();
        }
    }

    private long readAck(ByteBuffer ack) throws IOException {
        ack.clear();
        try {
            return channel.read(ack) == Long.BYTES ? ack.getLong(0) : -1;
        } catch (PortUnreachableException e) {
            throw new IOException("the receiver of the datagrams is gone", e);
        }
    }

    /// Receives datagrams until `target` is full.
    public void receive(ByteBuffer target) throws IOException {
        int datagrams = count(target.capacity());
        ByteBuffer payload = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
        ByteBuffer ack = ByteBuffer.allocateDirect(Long.BYTES);
        int received = 0;
        limit.restart();
        while (received < datagrams) {
            payload.clear();
            int bytes = channel.read(payload);
            if (bytes <= 0) {
                limit.spin();
                continue;
            }
            target.put(received * DATAGRAM_BYTES, payload, 0, bytes);
            received++;
            if ((received & ACK_EVERY - 1) == 0 || received == datagrams) {
                ack.clear().putLong(0, received);
                channel.write(ack);
                limit.restart();
            }
        }
    }

    private static int count(int bytes) {
        return (bytes + DATAGRAM_BYTES - 1) / DATAGRAM_BYTES;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
