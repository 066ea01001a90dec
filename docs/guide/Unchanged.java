import io.verbena.sockets.RdmaSocketChannel;
import io.verbena.sockets.RdmaSockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;

/// A server with a selector, and a client that blocks, as they are written for TCP. They run twice, over TCP and over
/// RDMA.
String answer(SelectionKey key) throws IOException {
    SocketChannel client = (SocketChannel) key.channel();
    ByteBuffer buffer = ByteBuffer.allocate(1000);
    if (client.read(buffer) < 0) {
        client.close();
        return null;
    }
    String request = StandardCharsets.UTF_8.decode(buffer.flip()).toString();
    client.write(StandardCharsets.UTF_8.encode(request.toUpperCase(Locale.ROOT)));
    return request;
}

void serve(Selector selector, ServerSocketChannel server) throws IOException {
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
    while (!selector.keys().isEmpty()) {
        selector.select(10_000);
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isAcceptable()) {
                SocketChannel client = server.accept();
                client.configureBlocking(false);
                client.register(selector, SelectionKey.OP_READ);
                server.close(); // one client is enough here
            } else {
                answer(key);
            }
        }
        selector.selectedKeys().clear();
        selector.selectNow(); // closed channels leave
    }
}

String ask(SocketChannel server, String question) throws IOException {
    server.write(StandardCharsets.UTF_8.encode(question));
    ByteBuffer answer = ByteBuffer.allocate(1000);
    while (answer.position() < question.length() && server.read(answer) >= 0) {}
    return StandardCharsets.UTF_8.decode(answer.flip()).toString();
}

void run(SelectorProvider provider, String address) throws Exception {
    try (Selector selector = provider.openSelector();
            ServerSocketChannel server = provider.openServerSocketChannel();
            SocketChannel client = provider.openSocketChannel()) {
        server.bind(new InetSocketAddress(address, 0));
        InetSocketAddress where = (InetSocketAddress) server.getLocalAddress();
        Thread serving = Thread.ofPlatform().start(() -> {
            try {
                serve(selector, server);
            } catch (IOException e) {
                IO.println("server: " + e);
            }
        });
        client.connect(where);
        IO.println("hello -> " + ask(client, "hello"));
        if (client instanceof RdmaSocketChannel rdma) {
            IO.println("read by RDMA: " + rdma.rdmaBytesRead() + " bytes");
        }
        client.close();
        serving.join();
    }
}

void main(String[] arguments) throws Exception {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1";
    IO.println("TCP");
    run(SelectorProvider.provider(), address);
    IO.println("RDMA");
    run(RdmaSockets.provider(), address);
}
