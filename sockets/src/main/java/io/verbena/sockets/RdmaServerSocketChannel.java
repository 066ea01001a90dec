package io.verbena.sockets;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// A server channel that takes connections over RDMA, and where a rule says so over TCP, too.
public final class RdmaServerSocketChannel extends ServerSocketChannel {
    private static final int DEFAULT_BACKLOG = 50;

    private final TransportRules rules;
    private final ProtocolFamily family;
    private final SocketSettings settings = new SocketSettings();
    private final ServerListening listening = new ServerListening(settings);
    private final ChannelOptions options =
            new ChannelOptions(this, settings, SocketSettings.OF_LISTENERS, listening::tcp, () -> null);
    private final ReentrantLock acceptLock = new ReentrantLock();
    private final ReentrantLock stateLock = new ReentrantLock();
    private final MadeOnce<ServerSocket> socket = new MadeOnce<>(() -> RdmaServerSocket.of(this));

    RdmaServerSocketChannel(SelectorProvider provider, TransportRules rules, ProtocolFamily family) {
        super(provider);
        ExitReport.onChannelOpened();
        this.rules = rules;
        this.family = family;
    }

    ServerListening listening() {
        return listening;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    /// Whether it takes connections over RDMA.
    public boolean isRdma() {
        return listening.hasRdma();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return listening.bound();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        options.set(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return options.get(option);
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        InetSocketAddress address = local == null ? new InetSocketAddress(0) : ChannelAddresses.local(local, family);
        stateLock.lock();
        try {
            requireOpen();
            if (listening.bound() != null) {
                throw new AlreadyBoundException();
            }
            listening.bind(
                    address,
                    backlog < 1 ? DEFAULT_BACKLOG : backlog,
                    rules.of(address),
                    family == StandardProtocolFamily.INET);
            if (!isOpen()) {
                listening.close(); // whoever closed the channel meanwhile may not have seen what was opened
                throw new AsynchronousCloseException();
            }
        } finally {
            stateLock.unlock();
        }
        listening.keys().onTransportChanged();
        return this;
    }

    @Override
    public SocketChannel accept() throws IOException {
        return accept(RdmaSocketChannel.FOR_EVER_NS);
    }

    /// @param timeoutNs how long a blocking channel waits; then null
    SocketChannel accept(long timeoutNs) throws IOException {
        acceptLock.lock();
        try {
            requireOpen();
            if (listening.bound() == null) {
                throw new NotYetBoundException();
            }
            if (!isBlocking()) {
                return tryAccept();
            }
            SocketChannel accepted = null;
            begin();
            try {
                accepted = tryAccept();
                long deadlineNs = System.nanoTime() + timeoutNs;
                while (accepted == null
                        && isOpen()
                        && !Thread.currentThread().isInterrupted()
                        && deadlineNs - System.nanoTime() > 0) {
                    new AcceptWaiter(this, listening).await(deadlineNs);
                    accepted = isOpen() ? tryAccept() : null;
                }
            } finally {
                if (Thread.currentThread().isInterrupted()) {
                    begin(); // a device in whose wait the thread slept has noticed it in the place of this channel
                }
                end(accepted != null);
            }
            return accepted;
        } finally {
            acceptLock.unlock();
        }
    }

    private SocketChannel tryAccept() throws IOException {
        RdmaStream stream = listening.queue().poll();
        if (stream == null && listening.tcp() == null) {
            listening.hubs().forEach(Hub::pollEvents);
            stream = listening.queue().poll();
        }
        if (stream != null) {
            return new RdmaSocketChannel(provider(), stream);
        }
        ServerSocketChannel tcp = listening.tcp();
        SocketChannel accepted = tcp == null ? null : tcp.accept();
        return accepted == null ? null : new RdmaSocketChannel(provider(), accepted);
    }

    /// The channel of the JDK inside never blocks.
    @Override
    protected void implConfigureBlocking(boolean block) {
        listening.keys().cancelJdkKeysOfCancelled();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        listening.close();
    }

    @Override
    public ServerSocket socket() {
        return socket.get();
    }

    @Override
    public String toString() {
        return "%s[%s]".formatted(getClass().getName(), isOpen() ? listening.bound() : "closed");
    }
}
