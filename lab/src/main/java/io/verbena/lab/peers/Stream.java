package io.verbena.lab.peers;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/// A connected channel that reads and writes whole buffers: with blocking calls, or with a selector.
final class Stream implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;

    /// @param selector null for blocking calls
    Stream(SocketChannel channel, Selector selector) throws IOException {
        this.channel = channel;
        this.selector = selector;
        channel.configureBlocking(selector == null);
        key = selector == null ? null : channel.register(selector, 0);
    }

    void write(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.write(buffer) == 0 && buffer.hasRemaining()) {
                await(SelectionKey.OP_WRITE);
            }
        }
    }

    /// Fills the buffer.
    void read(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int count = channel.read(buffer);
            if (count < 0) {
                throw new EOFException("the peer closed with " + buffer.remaining() + " bytes to come");
            }
            if (count == 0) {
                await(SelectionKey.OP_READ);
            }
        }
    }

    /// Reads the end of the stream.
    void readEnd() throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        int count = channel.read(one);
        if (count == 0) {
            await(SelectionKey.OP_READ);
            count = channel.read(one);
        }
        if (count != -1) {
            throw new IOException("instead of the end, read returned " + count);
        }
    }

    private void await(int operation) throws IOException {
        if (selector == null) {
            throw new IOException("a blocking call did nothing");
        }
        key.interestOps(operation);
        selector.selectedKeys().clear();
        if (selector.select(LIMIT.toMillis()) == 0) {
            throw new IOException(
                    "not ready within " + LIMIT + ": " + (operation == SelectionKey.OP_READ ? "read" : "write"));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (selector != null) {
            selector.selectNow(); // lets go of the key
        }
    }
}
