package io.verbena.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/// The server socket of an [RdmaServerSocketChannel].
final class RdmaServerSocket extends ServerSocket {
    private final RdmaServerSocketChannel channel;
    private volatile int timeoutMs;

    private RdmaServerSocket(RdmaServerSocketChannel channel) {
        super(new NoSocketImpl());
        this.channel = channel;
    }

    static RdmaServerSocket of(RdmaServerSocketChannel channel) {
        return new RdmaServerSocket(channel);
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        bind(local, 50);
    }

    @Override
    public void bind(SocketAddress local, int backlog) throws IOException {
        channel.bind(local == null ? new InetSocketAddress(0) : local, backlog);
    }

    private InetSocketAddress bound() {
        return channel.listening().bound();
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress bound = bound();
        return bound == null ? null : bound.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress bound = bound();
        return bound == null ? -1 : bound.getPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return bound();
    }

    @Override
    public Socket accept() throws IOException {
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        try {
            SocketChannel accepted = channel.accept(SocketAdaptors.waitNs(timeoutMs));
            if (accepted == null) {
                throw new SocketTimeoutException("Accept timed out");
            }
            return accepted.socket();
        } catch (NotYetBoundException e) {
            throw new SocketException("Socket is not bound", e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isBound() {
        return bound() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void setSoTimeout(int timeout) {
        timeoutMs = SocketAdaptors.requireTimeout(timeout);
    }

    @Override
    public int getSoTimeout() {
        return timeoutMs;
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        SocketAdaptors.set(channel, StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return SocketAdaptors.get(channel, StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        SocketAdaptors.setSize(channel, StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return SocketAdaptors.get(channel, StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return channel.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        return isBound()
                ? "ServerSocket[addr=%s,localport=%d]".formatted(getInetAddress(), getLocalPort())
                : "ServerSocket[unbound]";
    }
}
