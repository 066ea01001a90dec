package io.verbena.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.Objects;

/// Reads from the channel of a socket, with its timeout.
final class RdmaSocketInput extends InputStream {
    private final ChannelSocketImpl impl;
    private final RdmaSocketChannel channel;

    RdmaSocketInput(ChannelSocketImpl impl, RdmaSocketChannel channel) {
        this.impl = impl;
        this.channel = channel;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        int timeoutMs = impl.timeoutMs();
        SocketChannel tcp = channel.connection().tcp();
        if (tcp != null && timeoutMs > 0) {
            return readTcp(tcp, tcp.socket().getInputStream(), to, offset, length);
        }
        int n = channel.read(ByteBuffer.wrap(to, offset, length), ChannelSocketImpl.waitNs(timeoutMs));
        if (n == 0) {
            throw new SocketTimeoutException("Read timed out");
        }
        return n;
    }

    /// The JDK's socket knows the timeout, too.
    private int readTcp(SocketChannel tcp, InputStream in, byte[] to, int offset, int length) throws IOException {
        tcp.socket().setSoTimeout(impl.timeoutMs());
        int n = in.read(to, offset, length);
        SocketCounters.TCP_READ.add(Math.max(0, n));
        return n;
    }

    @Override
    public int available() throws IOException {
        SocketChannel tcp = channel.connection().tcp();
        return tcp != null
                ? tcp.socket().getInputStream().available()
                : channel.connection().stream().readable();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
