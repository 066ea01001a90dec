package io.verbena.sockets.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/// A program that says good-bye to its peer in a shutdown hook, some time after the JVM has begun to end.
final class HookProgram {
    private static final long PAUSE_NS = 300_000_000;

    private HookProgram() {}

    public static void main(String[] arguments) throws IOException {
        ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        SocketChannel client = SocketChannel.open(server.getLocalAddress());
        SocketChannel accepted = server.accept();
        Thread.ofPlatform().daemon().start(() -> echo(accepted));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> sayGoodBye(client)));
    }

    private static void echo(SocketChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocate(1);
        try {
            while (channel.read(buffer.clear()) > 0) {
                channel.write(buffer.flip());
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    private static void sayGoodBye(SocketChannel channel) {
        LockSupport.parkNanos(PAUSE_NS); // whatever else ends with the JVM has begun to
        ByteBuffer buffer = ByteBuffer.allocate(1).put((byte) 42).flip();
        try {
            channel.write(buffer);
            int n = channel.read(buffer.clear());
            System.out.println("the hook got " + (n < 0 ? "the end" : buffer.get(0) + " back"));
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
}
