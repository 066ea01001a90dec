package io.verbena.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImpl;

/// What the constructors of sockets ask for. The sockets of this module use their channels instead.
final class NoSocketImpl extends SocketImpl {
    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("the socket uses its channel");
    }

    @Override
    protected void create(boolean stream) {
        throw unsupported();
    }

    @Override
    protected void connect(String host, int port) {
        throw unsupported();
    }

    @Override
    protected void connect(InetAddress address, int port) {
        throw unsupported();
    }

    @Override
    protected void connect(SocketAddress address, int timeout) {
        throw unsupported();
    }

    @Override
    protected void bind(InetAddress host, int port) {
        throw unsupported();
    }

    @Override
    protected void listen(int backlog) {
        throw unsupported();
    }

    @Override
    protected void accept(SocketImpl accepted) {
        throw unsupported();
    }

    @Override
    protected InputStream getInputStream() {
        throw unsupported();
    }

    @Override
    protected OutputStream getOutputStream() {
        throw unsupported();
    }

    @Override
    protected int available() {
        throw unsupported();
    }

    @Override
    protected void close() throws IOException {
        // nothing was opened
    }

    @Override
    protected void sendUrgentData(int data) {
        throw unsupported();
    }

    @Override
    public void setOption(int option, Object value) {
        throw unsupported();
    }

    @Override
    public Object getOption(int option) {
        throw unsupported();
    }
}
