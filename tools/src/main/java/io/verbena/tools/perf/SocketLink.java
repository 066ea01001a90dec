package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import jdk.net.ExtendedSocketOptions;

/// A TCP connection.
final class SocketLink implements PeerLink {
    // keep-alive notices a host that lost power after 5 + 3 * 3 seconds
    private static final int KEEP_ALIVE_IDLE = 5;
    private static final int KEEP_ALIVE_EACH = 3;
    private static final int KEEP_ALIVE_TRIES = 3;

    private final Socket socket;

    SocketLink(Socket socket) {
        this.socket = socket;
        try {
            socket.setTcpNoDelay(true);
            keepAlive();
        } catch (IOException e) {
            close();
            throw new ProgramException("cannot use the connection to " + peer() + ": " + e, e);
        }
    }

    private void keepAlive() throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_EACH);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_TRIES);
        }
    }

    @Override
    public void send(byte[] message) throws IOException {
        socket.getOutputStream().write(message);
    }

    @Override
    public int receive(byte[] into) throws IOException {
        return socket.getInputStream().read(into);
    }

    @Override
    public String peer() {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // nothing is left to close
        }
    }
}
