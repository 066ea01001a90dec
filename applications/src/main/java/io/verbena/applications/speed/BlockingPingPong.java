package io.verbena.applications.speed;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// A small message there and back between threads that block.
final class BlockingPingPong implements Client {
    private static final int BYTES = 64;
    private static final int MESSAGES = 10_000;

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);

    private BlockingPingPong(SocketChannel channel) {
        this.channel = channel;
    }

    static int serve() throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        Thread.ofPlatform().daemon().start(() -> answer(server));
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private static void answer(ServerSocketChannel server) {
        try (SocketChannel channel = server.accept()) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
            while (true) {
                fill(channel, buffer.clear());
                channel.write(buffer.flip());
            }
        } catch (IOException e) {
            // the client is gone
        }
    }

    static Client connect(int port) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new BlockingPingPong(channel);
    }

    @Override
    public double round() throws IOException {
        long[] timesNs = new long[MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            long startNs = System.nanoTime();
            channel.write(buffer.clear());
            fill(channel, buffer.clear());
            timesNs[i] = System.nanoTime() - startNs;
        }
        return Client.medianUs(timesNs);
    }

    private static void fill(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException();
            }
        }
    }
}
