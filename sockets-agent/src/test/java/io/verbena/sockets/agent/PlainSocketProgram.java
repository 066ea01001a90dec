package io.verbena.sockets.agent;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Uses no channels, so the agent does not reach its connection.
final class PlainSocketProgram {
    private PlainSocketProgram() {}

    public static void main(String[] arguments) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, loopback);
                Socket client = new Socket(loopback, server.getLocalPort());
                Socket accepted = server.accept()) {
            client.getOutputStream().write(42);
            System.out.println("got " + accepted.getInputStream().read() + " back");
        }
    }
}
