package io.verbena.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.Set;

/// The socket of an [RdmaSocketChannel]. Its options and addresses are those of the [ChannelSocketImpl]; what follows
/// are the calls whose state is the channel's.
final class RdmaSocket extends Socket {
    private final RdmaSocketChannel channel;
    private final ChannelSocketImpl impl;

    private RdmaSocket(RdmaSocketChannel channel, ChannelSocketImpl impl) throws SocketException {
        super(impl);
        this.channel = channel;
        this.impl = impl;
    }

    static RdmaSocket of(RdmaSocketChannel channel) {
        try {
            ChannelConnection connection = channel.connection();
            return new RdmaSocket(channel, new ChannelSocketImpl(channel, connection::bound, connection::peer));
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
        if (remote == null || timeout < 0) {
            throw new IllegalArgumentException("connect to %s within %d ms".formatted(remote, timeout));
        }
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        if (remote instanceof InetSocketAddress named && named.isUnresolved() && !isConnected()) {
            close();
            throw new UnknownHostException(named.getHostString());
        }
        if (!ChannelSocketImpl.call(() -> channel.connect(remote, ChannelSocketImpl.waitNs(timeout)))) {
            close();
            throw new SocketTimeoutException("Connect timed out");
        }
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        ChannelSocketImpl.call(() -> channel.bind(local));
    }

    /// Also after it is closed, as with all sockets.
    @Override
    public boolean isConnected() {
        return channel.hasConnected();
    }

    @Override
    public boolean isBound() {
        return channel.connection().bound() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return channel.isInputShut();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.isOutputShut();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        requireConnected();
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        requireConnected();
        channel.shutdownOutput();
    }

    private void requireConnected() throws SocketException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
        if (!isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireConnected();
        if (isInputShutdown()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new RdmaSocketInput(impl, channel);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireConnected();
        if (isOutputShutdown()) {
            throw new SocketException("Socket output is shutdown");
        }
        return new RdmaSocketOutput(channel);
    }

    /// They change when the channel is connected.
    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }
}
