package io.verbena.tools.plain;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/// The baseline for latency: a ping-pong over a plain `SocketChannel`. Both sides spin on a non-blocking read, with
/// Nagle's algorithm off.
public final class TcpPingPong implements AutoCloseable {
    private static final int LAST = -1;
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

    private final SocketChannel channel;
    private final ByteBuffer buffer;
    private final SpinLimit limit;

    private TcpPingPong(SocketChannel channel, int bytes, Duration patience) throws IOException {
        this.channel = channel;
        this.buffer = ByteBuffer.allocateDirect(bytes);
        this.limit = new SpinLimit("TCP ping-pong", patience);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
    }

    /// A listening socket on a free port.
    public static ServerSocketChannel listen(InetAddress address) throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(address, 0));
    }

    public static TcpPingPong accept(ServerSocketChannel listener, int bytes, Duration patience) throws IOException {
        listener.configureBlocking(false);
        var limit = new SpinLimit("waiting for the TCP connection", CONNECT_LIMIT);
        SocketChannel channel;
        while ((channel = listener.accept()) == null) {
            limit.spin();
        }
        return new TcpPingPong(channel, bytes, patience);
    }

    public static TcpPingPong connect(InetSocketAddress server, int bytes, Duration patience) throws IOException {
        var channel = SocketChannel.open();
        channel.socket().connect(server, (int) CONNECT_LIMIT.toMillis());
        return new TcpPingPong(channel, bytes, patience);
    }

    /// Sends messages back until one is marked as the last.
    public void echo() throws IOException {
        int number;
        do {
            receive();
            number = buffer.getInt(0);
            send();
        } while (number != LAST);
    }

    /// Makes up to `count` round trips in about `longestNs`, and records the time of each in nanoseconds.
    public void run(int count, long longestNs, Histogram times) throws IOException {
        long begin = System.nanoTime();
        for (int i = 0; i < count && System.nanoTime() - begin < longestNs; i++) {
            long start = System.nanoTime();
            buffer.clear();
            buffer.putInt(0, i);
            send();
            receive();
            times.recordValue(System.nanoTime() - start);
            if (buffer.getInt(0) != i) {
                throw new IllegalStateException("TCP round trip " + i + " came back as " + buffer.getInt(0));
            }
        }
        buffer.putInt(0, LAST);
        send();
        receive();
    }

    private void send() throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private void receive() throws IOException {
        buffer.clear();
        limit.restart();
        while (buffer.hasRemaining()) {
            int n = channel.read(buffer);
            if (n < 0) {
                throw new EOFException("the TCP peer closed the connection");
            }
            limit.spin();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
