package io.verbena.sockets;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// The server socket of an [RdmaServerSocketChannel]. Its options and addresses are those of the [ChannelSocketImpl].
final class RdmaServerSocket extends ServerSocket {
    private final RdmaServerSocketChannel channel;
    private final ChannelSocketImpl impl;

    private RdmaServerSocket(RdmaServerSocketChannel channel, ChannelSocketImpl impl) {
        super(impl);
        this.channel = channel;
        this.impl = impl;
    }

    static RdmaServerSocket of(RdmaServerSocketChannel channel) {
        ServerListening listening = channel.listening();
        // A server has no peer: the JDK takes its own address from where a socket has that of the peer.
        return new RdmaServerSocket(channel, new ChannelSocketImpl(channel, listening::bound, listening::bound));
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public void bind(SocketAddress local, int backlog) throws IOException {
        ChannelSocketImpl.call(() -> channel.bind(local, backlog));
    }

    @Override
    public Socket accept() throws IOException {
        SocketChannel accepted =
                ChannelSocketImpl.call(() -> channel.accept(ChannelSocketImpl.waitNs(impl.timeoutMs())));
        if (accepted == null && !channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        if (accepted == null) {
            throw new SocketTimeoutException("Accept timed out");
        }
        return accepted.socket();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isBound() {
        return channel.listening().bound() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }
}
