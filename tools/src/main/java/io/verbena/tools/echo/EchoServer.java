package io.verbena.tools.echo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/// Sends back what it gets, to any number of clients, with one thread and a selector: as it would be written for TCP.
/// The provider alone decides what carries the bytes.
final class EchoServer implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;

    private final Selector selector;
    private final ServerSocketChannel listener;

    EchoServer(SelectorProvider provider, InetSocketAddress address) throws IOException {
        selector = provider.openSelector();
        listener = provider.openServerSocketChannel();
        try {
            listener.bind(address);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    /// Serves until the thread is interrupted.
    void serve() throws IOException {
        while (!Thread.currentThread().isInterrupted()) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isAcceptable()) {
                    accept();
                } else {
                    answer(key);
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private void accept() throws IOException {
        SocketChannel client = listener.accept();
        if (client != null) {
            client.configureBlocking(false);
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            client.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(BUFFER_BYTES));
        }
    }

    /// Reads, and writes as much of it as there is room for. While something is left, it waits for room.
    private static void answer(SelectionKey key) throws IOException {
        SocketChannel client = (SocketChannel) key.channel();
        ByteBuffer buffer = (ByteBuffer) key.attachment();
        try {
            int n = key.isReadable() ? client.read(buffer) : 0;
            client.write(buffer.flip());
            buffer.compact();
            if (n < 0) {
                client.close();
            } else {
                boolean isAllSent = buffer.position() == 0;
                key.interestOps(isAllSent ? SelectionKey.OP_READ : SelectionKey.OP_WRITE);
            }
        } catch (IOException gone) {
            client.close(); // this client alone
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        listener.close();
        selector.close();
    }
}
