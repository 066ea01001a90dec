package io.verbena.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.Set;

/// The socket of an [RdmaSocketChannel].
final class RdmaSocket extends Socket {
    private final RdmaSocketChannel channel;
    private volatile int timeoutMs;

    private RdmaSocket(RdmaSocketChannel channel) throws SocketException {
        super((SocketImpl) null);
        this.channel = channel;
    }

    static RdmaSocket of(RdmaSocketChannel channel) {
        try {
            return new RdmaSocket(channel);
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    int timeoutMs() {
        return timeoutMs;
    }

    // ---- connecting ----

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
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
        try {
            if (!channel.connect(remote, SocketAdaptors.waitNs(timeout))) {
                close();
                throw new SocketTimeoutException("Connect timed out");
            }
        } catch (AlreadyConnectedException e) {
            throw new SocketException("Already connected", e);
        }
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        channel.bind(local);
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        return channel.connection().isBound();
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

    // ---- addresses ----

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress remote = channel.remoteAddress();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = channel.remoteAddress();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return channel.remoteAddress();
    }

    private InetSocketAddress local() {
        try {
            return channel.isOpen() ? channel.connection().localAddress() : null;
        } catch (IOException closed) {
            return null;
        }
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = local();
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = local();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        InetSocketAddress local = local();
        return local != null || !isBound() ? local : new InetSocketAddress(0);
    }

    // ---- streams ----

    @Override
    public InputStream getInputStream() throws IOException {
        requireConnected();
        if (isInputShutdown()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new RdmaSocketInput(this, channel);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireConnected();
        if (isOutputShutdown()) {
            throw new SocketException("Socket output is shutdown");
        }
        return new RdmaSocketOutput(channel);
    }

    // ---- options ----

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
        timeoutMs = SocketAdaptors.requireTimeout(timeout);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
        return timeoutMs;
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        SocketAdaptors.set(channel, StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return SocketAdaptors.get(channel, StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        if (on && linger < 0) {
            throw new IllegalArgumentException("the time to linger is " + linger);
        }
        SocketAdaptors.set(channel, StandardSocketOptions.SO_LINGER, on ? Math.min(linger, 65_535) : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return SocketAdaptors.get(channel, StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        SocketAdaptors.set(channel, StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return SocketAdaptors.get(channel, StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public void setTrafficClass(int value) throws SocketException {
        SocketAdaptors.set(channel, StandardSocketOptions.IP_TOS, value);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return SocketAdaptors.get(channel, StandardSocketOptions.IP_TOS);
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
    public void setSendBufferSize(int size) throws SocketException {
        SocketAdaptors.setSize(channel, StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return SocketAdaptors.get(channel, StandardSocketOptions.SO_SNDBUF);
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
    public void setOOBInline(boolean on) throws SocketException {
        throw new SocketException("urgent data is not supported");
    }

    @Override
    public boolean getOOBInline() {
        return false;
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        throw new SocketException("Urgent data not supported");
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // as with the sockets of the JDK, nothing depends on it
    }

    @Override
    public <T> Socket setOption(SocketOption<T> option, T value) throws IOException {
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
        return isConnected()
                ? "Socket[addr=%s,port=%d,localport=%d]".formatted(getInetAddress(), getPort(), getLocalPort())
                : "Socket[unconnected]";
    }
}
