package io.verbena.sockets.agent;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// Connects to a port where nobody listens any more.
final class RefusedProgram {
    private RefusedProgram() {}

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            address = (InetSocketAddress) server.bind(address).getLocalAddress();
        }
        try (SocketChannel client = SocketChannel.open(address)) {
            System.out.println("connected to " + client.getRemoteAddress());
        } catch (ConnectException e) {
            System.out.println("refused");
        }
    }
}
