package io.verbena.tools.echo;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/// Sends a message, waits in a selector until all of it is back, and compares it: as it would be written for TCP. The
/// provider alone decides what carries the bytes.
final class EchoClient implements AutoCloseable {
    private final Selector selector;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer message;
    private final ByteBuffer answer;
    private final Duration timeout;

    /// @param timeout how long the server may keep silent
    EchoClient(SelectorProvider provider, InetSocketAddress server, int bytes, Duration timeout) throws IOException {
        this.timeout = timeout;
        message = ByteBuffer.allocateDirect(bytes);
        answer = ByteBuffer.allocateDirect(bytes);
        for (int i = 0; i < bytes; i++) {
            message.put(i, (byte) (i * 31));
        }
        selector = provider.openSelector();
        channel = provider.openSocketChannel();
        try {
            channel.configureBlocking(false);
            channel.connect(server);
            key = channel.register(selector, SelectionKey.OP_CONNECT);
            while (!channel.finishConnect()) {
                await("connect to " + server);
            }
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /// Makes so many round trips, and records the time of each in nanoseconds.
    void run(long count, Histogram times) throws IOException {
        for (long i = 0; i < count && !Thread.currentThread().isInterrupted(); i++) {
            message.clear();
            message.putInt(0, (int) i);
            long startNs = System.nanoTime();
            roundTrip();
            times.recordValue(System.nanoTime() - startNs);
            if (!message.flip().equals(answer.flip())) {
                throw new IOException("the answer to message " + i + " is not the message");
            }
        }
    }

    private void roundTrip() throws IOException {
        answer.clear();
        while (answer.hasRemaining()) {
            if (message.hasRemaining()) {
                channel.write(message);
            }
            key.interestOps(
                    message.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            await("wait for the answer");
            if (channel.read(answer) < 0) {
                throw new EOFException("the server has closed the connection");
            }
        }
    }

    private void await(String what) throws IOException {
        int n = selector.select(timeout.toMillis());
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException(what + ": interrupted");
        }
        if (n == 0) {
            throw new SocketTimeoutException("%s: nothing came within %d s".formatted(what, timeout.toSeconds()));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
