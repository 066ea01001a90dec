package io.verbena.sockets.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// Returns to each client what it sends, with one thread and one selector.
final class EchoServer {
    private EchoServer() {}

    /// Until the selector is closed.
    static Void serve(Selector selector, ServerSocketChannel server) throws IOException {
        while (true) {
            selector.select();
            var selected = selector.selectedKeys().iterator();
            while (selected.hasNext()) {
                SelectionKey key = selected.next();
                selected.remove();
                if (key.isValid() && key.isAcceptable()) {
                    SocketChannel client = server.accept();
                    if (client != null) {
                        client.configureBlocking(false);
                        client.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(32 * 1024));
                    }
                } else if (key.isValid()) {
                    echo(key);
                }
            }
        }
    }

    private static void echo(SelectionKey key) throws IOException {
        SocketChannel client = (SocketChannel) key.channel();
        ByteBuffer buffer = (ByteBuffer) key.attachment();
        if (key.isReadable() && client.read(buffer) < 0) {
            client.close();
            return;
        }
        buffer.flip();
        client.write(buffer);
        int ops = buffer.hasRemaining() ? SelectionKey.OP_WRITE : 0;
        buffer.compact();
        key.interestOps(ops | (buffer.hasRemaining() ? SelectionKey.OP_READ : 0));
    }
}
