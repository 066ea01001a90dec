package io.verbena.sockets;

import io.verbena.sockets.ChannelConnection.Phase;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A socket channel over RDMA, as [RdmaSockets] opens it. Channels of the provider for a whole JVM are of this class,
/// too, and decide when they are connected whether they use RDMA or TCP: [#isRdma] tells.
///
/// It behaves as the JDK's channels do. Counterpart of a socket of librdmacm's rsockets, with which it connects.
public final class RdmaSocketChannel extends SocketChannel {
    static final long FOR_EVER_NS = TimeUnit.DAYS.toNanos(365);

    private final ChannelConnection connection;
    private final ChannelTransfer transfer;
    private final ChannelOptions options;
    private final MadeOnce<Socket> socket = new MadeOnce<>(() -> RdmaSocket.of(this));

    RdmaSocketChannel(SelectorProvider provider, TransportRules rules, ProtocolFamily family) {
        this(provider, rules, family, new SocketSettings());
    }

    /// A connection that was accepted over RDMA.
    RdmaSocketChannel(SelectorProvider provider, RdmaStream accepted) {
        this(provider, TransportRules.RDMA_ALWAYS, null, accepted.settings());
        connection.accepted(accepted);
    }

    /// A connection that was accepted over TCP.
    RdmaSocketChannel(SelectorProvider provider, SocketChannel accepted) throws IOException {
        this(provider, TransportRules.RDMA_ALWAYS, null, new SocketSettings());
        connection.accepted(accepted);
    }

    private RdmaSocketChannel(
            SelectorProvider provider, TransportRules rules, ProtocolFamily family, SocketSettings settings) {
        super(provider);
        ExitReport.onChannelOpened();
        connection = new ChannelConnection(this, rules, family, settings);
        transfer = new ChannelTransfer(this, connection);
        options = new ChannelOptions(
                this, settings, SocketSettings.OF_STREAMS, connection::optionTarget, connection::tcp);
    }

    ChannelConnection connection() {
        return connection;
    }

    // ---- what it is ----

    /// Whether its bytes go by RDMA. False before it is connected, and for a channel over TCP.
    public boolean isRdma() {
        return hasConnected() && connection.tcp() == null;
    }

    /// The bytes that were read from this channel by RDMA.
    public long rdmaBytesRead() {
        RdmaStream stream = connection.stream();
        return stream == null ? 0 : stream.counters().read();
    }

    /// The bytes that were written to this channel by RDMA.
    public long rdmaBytesWritten() {
        RdmaStream stream = connection.stream();
        return stream == null ? 0 : stream.counters().written();
    }

    /// What a connection over RDMA waits for, in a line for people: credits, requests, bytes in buffers, and the
    /// counters of the device. For reports of connections that do not go on. Empty for a channel without RDMA.
    public String status() {
        RdmaStream stream = connection.stream();
        return stream == null ? "" : stream.status();
    }

    @Override
    public boolean isConnected() {
        return isOpen() && hasConnected();
    }

    /// Also after it is closed.
    boolean hasConnected() {
        return connection.phase() == Phase.CONNECTED;
    }

    @Override
    public boolean isConnectionPending() {
        return connection.phase() == Phase.PENDING;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    void requireConnected() throws ClosedChannelException {
        requireOpen();
        if (!hasConnected()) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return connection.bound();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return hasConnected() ? connection.peer() : null;
    }

    // ---- options ----

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        options.set(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return options.get(option);
    }

    // ---- binding and connecting ----

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        transfer.lock();
        try {
            requireOpen();
            if (isConnectionPending()) {
                throw new ConnectionPendingException();
            }
            if (connection.bound() != null) {
                throw new AlreadyBoundException();
            }
            connection.bind(
                    local == null ? new InetSocketAddress(0) : ChannelAddresses.local(local, connection.family()));
            return this;
        } finally {
            transfer.unlock();
        }
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return connect(remote, FOR_EVER_NS);
    }

    /// @param timeoutNs how long a blocking channel waits; then false
    boolean connect(SocketAddress remote, long timeoutNs) throws IOException {
        InetSocketAddress to = ChannelAddresses.remote(remote, connection.family());
        transfer.lock();
        try {
            requireOpen();
            if (hasConnected()) {
                throw new AlreadyConnectedException();
            }
            if (isConnectionPending()) {
                throw new ConnectionPendingException();
            }
            return awaitConnected(() -> connection.connect(to), timeoutNs);
        } finally {
            transfer.unlock();
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        transfer.lock();
        try {
            requireOpen();
            if (hasConnected()) {
                return true;
            }
            if (!isConnectionPending()) {
                throw new NoConnectionPendingException();
            }
            RdmaStream stream = connection.stream();
            if (stream != null) {
                stream.hub().pollEvents();
            }
            return awaitConnected(connection::attempt, FOR_EVER_NS);
        } finally {
            transfer.unlock();
        }
    }

    /// Begins an attempt or goes on with it.
    private interface AttemptSource {
        ConnectAttempt get() throws IOException;
    }

    private boolean awaitConnected(AttemptSource source, long timeoutNs) throws IOException {
        boolean isBlocking = isBlocking();
        boolean isDone = false;
        if (isBlocking) {
            begin();
        }
        try {
            ConnectAttempt attempt = source.get();
            isDone = attempt.isDone() || isBlocking && attempt.await(System.nanoTime() + timeoutNs);
            if (isDone) {
                connection.onConnected();
            }
        } catch (IOException e) {
            // A channel that could not be connected is closed, as that of the JDK is.
            if (isOpen()) {
                isDone = true;
                close();
                throw e;
            }
        } finally {
            if (isBlocking) {
                endWait(isDone);
            }
        }
        if (!isOpen()) {
            throw new AsynchronousCloseException();
        }
        return isDone;
    }

    // ---- reading and writing ----

    @Override
    public int read(ByteBuffer to) throws IOException {
        return transfer.read(to, FOR_EVER_NS);
    }

    /// @param timeoutNs how long a blocking channel over RDMA waits; then 0
    int read(ByteBuffer to, long timeoutNs) throws IOException {
        return transfer.read(to, timeoutNs);
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        return transfer.read(to, offset, length);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return transfer.write(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        return transfer.write(from, offset, length);
    }

    /// A call may wait from now on. An interrupt, or another thread, may close the channel meanwhile.
    void beginWait() {
        begin();
    }

    /// Whether a call that waits goes on.
    boolean isWaiting() {
        noticeInterrupt();
        return isOpen();
    }

    void endWait(boolean isDone) throws AsynchronousCloseException {
        noticeInterrupt();
        end(isDone);
    }

    /// A device in whose wait the thread slept was told of an interrupt in the place of this channel.
    private void noticeInterrupt() {
        if (Thread.currentThread().isInterrupted()) {
            begin(); // closes the channel
        }
    }

    // ---- the peer's memory ----

    /// Lets the peer write to this memory, at `offset` and behind, by [#write(ByteBuffer, long)] or by `riowrite`. The
    /// peer knows of it when it has read a byte that was written after this call. The memory must be native and shared,
    /// and stay until the map or the channel is closed. Counterpart of `riomap`.
    ///
    /// @throws UnsupportedOperationException when the channel uses TCP, or the peer takes no more maps
    public RdmaMap map(MemorySegment memory, long offset) throws IOException {
        return maps().map(memory, offset);
    }

    /// Writes to memory that the peer has mapped, by RDMA WRITE: no byte is copied there, and the peer is not told.
    /// Returns how many bytes are in the peer's memory now: fewer than all when no map covers the rest. Bytes that are
    /// written to the stream afterwards arrive after these. Counterpart of `riowrite`.
    ///
    /// The bytes of one call appear in the peer's memory in any order. A flag that the peer watches there is written
    /// by a call of its own, after this one has returned.
    ///
    /// @throws UnsupportedOperationException when the channel uses TCP
    public int write(ByteBuffer from, long offset) throws IOException {
        return maps().write(from, offset);
    }

    private ChannelMaps maps() throws IOException {
        requireConnected();
        if (!isRdma()) {
            throw new UnsupportedOperationException("the channel uses TCP, which has no maps");
        }
        return connection.stream().maps();
    }

    // ---- ending ----

    @Override
    public SocketChannel shutdownInput() throws IOException {
        requireConnected();
        transfer.shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        requireConnected();
        transfer.shutdownOutput();
        return this;
    }

    boolean isInputShut() {
        return transfer.isInputShut();
    }

    boolean isOutputShut() {
        return transfer.isOutputShut();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        SocketChannel tcp = connection.tcp();
        if (tcp != null) {
            connection.keys().cancelJdkKeysOfCancelled();
            tcp.configureBlocking(block);
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        connection.close();
        int seconds = connection.settings().get(StandardSocketOptions.SO_LINGER);
        RdmaStream stream = connection.stream();
        if (stream != null && seconds > 0 && isBlocking()) {
            stream.waits().awaitClosed(System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
        }
    }

    @Override
    public Socket socket() {
        return socket.get();
    }

    @Override
    public String toString() {
        String how = !isOpen()
                ? "closed"
                : !hasConnected() ? connection.phase().toString() : connection.tcp() == null ? "RDMA" : "TCP";
        return "%s[%s remote=%s]".formatted(getClass().getName(), how, connection.peer());
    }
}
