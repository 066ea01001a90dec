package io.verbena.sockets.processes;

import io.verbena.sockets.RdmaSocketChannel;
import io.verbena.sockets.RdmaSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.FutureTask;

/// One of two processes that stream to each other, both at once, and check every byte. It ends with a fault when one is
/// wrong, or when there are fewer or more.
final class StreamProcess {
    private static final int[] SIZES = {1, 64, 1000, 8192, 65_536, 200_000};
    private static final int LONGEST = 200_000;

    /// Prime, so that a piece that comes twice or not at all is seen.
    private static final int PERIOD = 65_521;

    private final ByteBuffer pattern;
    private final Random random;
    private final long bytes;

    private StreamProcess(long seed, long bytes) {
        byte[] period = new byte[PERIOD];
        new Random(seed).nextBytes(period);
        byte[] repeated = new byte[PERIOD + LONGEST];
        for (int i = 0; i < repeated.length; i++) {
            repeated[i] = period[i % PERIOD];
        }
        pattern = ByteBuffer.allocateDirect(repeated.length).put(repeated).flip();
        random = new Random(seed);
        this.bytes = bytes;
    }

    /// @param arguments `server`, or the port of the server; how many bytes; the seed
    public static void main(String[] arguments) throws Exception {
        long bytes = Long.parseLong(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        InetAddress host = InetAddress.ofLiteral("127.0.0.1");
        if (arguments[0].equals("server")) {
            try (ServerSocketChannel server = RdmaSockets.provider().openServerSocketChannel()) {
                server.bind(new InetSocketAddress(host, 0));
                System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
                exchange(server.accept(), bytes, seed, seed + 1);
            }
        } else {
            SocketChannel client = RdmaSockets.provider().openSocketChannel();
            client.connect(new InetSocketAddress(host, Integer.parseInt(arguments[0])));
            exchange(client, bytes, seed + 1, seed);
        }
    }

    private static void exchange(SocketChannel channel, long bytes, long writeSeed, long readSeed) throws Exception {
        try (channel) {
            FutureTask<Void> writing = new FutureTask<>(() -> new StreamProcess(writeSeed, bytes).write(channel));
            Thread.ofPlatform().daemon().start(writing);
            new StreamProcess(readSeed, bytes).read(channel);
            writing.get();
            require(((RdmaSocketChannel) channel).rdmaBytesRead() == bytes, "not all bytes were read by RDMA");
        }
    }

    private int nextSize() {
        return 1 + random.nextInt(SIZES[random.nextInt(SIZES.length)]);
    }

    private ByteBuffer expected(long position, int length) {
        return pattern.slice((int) (position % PERIOD), length);
    }

    private Void write(SocketChannel to) throws IOException {
        long written = 0;
        while (written < bytes) {
            ByteBuffer next = expected(written, (int) Math.min(nextSize(), bytes - written));
            written += next.remaining();
            while (next.hasRemaining()) {
                to.write(next);
            }
        }
        to.shutdownOutput();
        return null;
    }

    private void read(SocketChannel from) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(LONGEST);
        long read = 0;
        for (int n = 0; n >= 0; n = from.read(buffer.clear().limit(nextSize()))) {
            buffer.flip();
            int wrong = n == 0 ? -1 : buffer.mismatch(expected(read, n));
            require(wrong < 0, "the byte at %d is wrong".formatted(read + wrong));
            read += n;
        }
        require(read == bytes, "%d bytes came instead of %d".formatted(read, bytes));
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
