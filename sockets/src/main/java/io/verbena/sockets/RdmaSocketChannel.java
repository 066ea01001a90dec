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
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// A socket channel over RDMA, as [RdmaSockets] opens it. Channels of the provider for a whole JVM are of this class,
/// too, and decide when they are connected whether they use RDMA or TCP: [#isRdma] tells.
///
/// It behaves as the JDK's channels do. Counterpart of a socket of librdmacm's rsockets, with which it connects.
public final class RdmaSocketChannel extends SocketChannel {
    static final long FOR_EVER_NS = TimeUnit.DAYS.toNanos(365);

    private final ChannelConnection connection;
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private final ReentrantLock stateLock = new ReentrantLock();
    private final ByteBuffer[] oneBuffer = new ByteBuffer[1];

    private volatile boolean isInputShut;
    private volatile boolean isOutputShut;
    private volatile Socket socket;

    RdmaSocketChannel(SelectorProvider provider, TransportRules rules, ProtocolFamily family) {
        super(provider);
        connection = new ChannelConnection(this, rules, family, new SocketSettings());
    }

    /// A connection that was accepted over RDMA.
    RdmaSocketChannel(SelectorProvider provider, RdmaStream accepted) {
        super(provider);
        connection = new ChannelConnection(this, TransportRules.RDMA_ALWAYS, null, accepted.settings());
        connection.accepted(accepted);
    }

    /// A connection that was accepted over TCP.
    RdmaSocketChannel(SelectorProvider provider, SocketChannel accepted) throws IOException {
        super(provider);
        connection = new ChannelConnection(this, TransportRules.RDMA_ALWAYS, null, new SocketSettings());
        connection.accepted(accepted);
    }

    ChannelConnection connection() {
        return connection;
    }

    // ---- what it is ----

    /// Whether its bytes go by RDMA. False before it is connected, and for a channel over TCP.
    public boolean isRdma() {
        return isConnected() && connection.tcp() == null;
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

    @Override
    public boolean isConnected() {
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

    private void requireConnected() throws ClosedChannelException {
        requireOpen();
        if (!isConnected()) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return connection.localAddress();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return remoteAddress();
    }

    InetSocketAddress remoteAddress() {
        return isConnected() ? connection.peer() : null;
    }

    // ---- options ----

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        Set<SocketOption<?>> options = new HashSet<>(SocketSettings.OF_STREAMS);
        SocketChannel tcp = connection.tcp();
        if (tcp != null) {
            options.addAll(tcp.supportedOptions());
        }
        return options;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        requireSupported(option);
        SocketChannel target = connection.optionTarget();
        if (target != null && target.supportedOptions().contains(option)) {
            target.setOption(option, value);
        }
        if (SocketSettings.OF_STREAMS.contains(option)) {
            connection.settings().set(option, value);
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        requireSupported(option);
        SocketChannel tcp = connection.tcp();
        return tcp != null && tcp.supportedOptions().contains(option)
                ? tcp.getOption(option)
                : connection.settings().get(option);
    }

    private void requireSupported(SocketOption<?> option) throws ClosedChannelException {
        Objects.requireNonNull(option, "the option is null");
        requireOpen();
        if (!supportedOptions().contains(option)) {
            throw new UnsupportedOperationException("option " + option.name() + " is not supported");
        }
    }

    // ---- binding and connecting ----

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        readLock.lock();
        writeLock.lock();
        try {
            requireOpen();
            if (isConnectionPending()) {
                throw new ConnectionPendingException();
            }
            if (connection.isBound()) {
                throw new AlreadyBoundException();
            }
            connection.bind(
                    local == null ? new InetSocketAddress(0) : ChannelAddresses.local(local, connection.family()));
            return this;
        } finally {
            writeLock.unlock();
            readLock.unlock();
        }
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return connect(remote, FOR_EVER_NS);
    }

    /// @param timeoutNs how long a blocking channel waits; then false
    boolean connect(SocketAddress remote, long timeoutNs) throws IOException {
        InetSocketAddress to = ChannelAddresses.remote(remote, connection.family());
        readLock.lock();
        writeLock.lock();
        try {
            requireOpen();
            if (isConnected()) {
                throw new AlreadyConnectedException();
            }
            if (isConnectionPending()) {
                throw new ConnectionPendingException();
            }
            return awaitConnected(() -> connection.connect(to), timeoutNs);
        } finally {
            writeLock.unlock();
            readLock.unlock();
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        readLock.lock();
        writeLock.lock();
        try {
            requireOpen();
            if (isConnected()) {
                return true;
            }
            if (!isConnectionPending()) {
                throw new NoConnectionPendingException();
            }
            RdmaStream stream = connection.stream();
            if (stream != null) {
                stream.hub().poll();
            }
            return awaitConnected(connection::attempt, FOR_EVER_NS);
        } finally {
            writeLock.unlock();
            readLock.unlock();
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
                end(isDone);
            }
        }
        if (!isOpen()) {
            throw new AsynchronousCloseException();
        }
        return isDone;
    }

    // ---- reading ----

    @Override
    public int read(ByteBuffer to) throws IOException {
        return read(to, FOR_EVER_NS);
    }

    /// @param timeoutNs how long a blocking channel over RDMA waits; then 0
    int read(ByteBuffer to, long timeoutNs) throws IOException {
        Objects.requireNonNull(to, "the buffer is null");
        readLock.lock();
        try {
            requireConnected();
            SocketChannel tcp = connection.tcp();
            if (tcp != null) {
                return (int) tcpRead(() -> tcp.read(to));
            }
            if (isInputShut) {
                return -1;
            }
            return to.hasRemaining() ? readRdma(connection.stream(), to, timeoutNs) : 0;
        } finally {
            readLock.unlock();
        }
    }

    private int readRdma(RdmaStream from, ByteBuffer to, long timeoutNs) throws IOException {
        if (!isBlocking()) {
            int n = from.read(to);
            if (n != 0) {
                return n;
            }
            from.hub().poll();
            return from.read(to);
        }
        int n = 0;
        begin();
        try {
            n = from.read(to);
            if (n == 0) {
                long deadlineNs = System.nanoTime() + timeoutNs;
                while (n == 0 && isOpen() && deadlineNs - System.nanoTime() > 0) {
                    from.await(SelectionKey.OP_READ, deadlineNs);
                    n = from.read(to);
                }
            }
        } finally {
            end(n > 0 || n < 0 && isOpen());
        }
        return n;
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        readLock.lock();
        try {
            requireConnected();
            SocketChannel tcp = connection.tcp();
            return tcp != null ? tcpRead(() -> tcp.read(to, offset, length)) : scatter(to, offset, length);
        } finally {
            readLock.unlock();
        }
    }

    /// Waits for the first bytes only.
    private long scatter(ByteBuffer[] to, int offset, int length) throws IOException {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (to[i].hasRemaining()) {
                int n = total == 0 ? read(to[i]) : connection.stream().read(to[i]);
                total += Math.max(0, n);
                if (n <= 0 || to[i].hasRemaining()) {
                    return total > 0 ? total : n;
                }
            }
        }
        return total;
    }

    // ---- writing ----

    @Override
    public int write(ByteBuffer from) throws IOException {
        Objects.requireNonNull(from, "the buffer is null");
        writeLock.lock();
        try {
            oneBuffer[0] = from;
            return (int) write(oneBuffer, 0, 1);
        } finally {
            oneBuffer[0] = null;
            writeLock.unlock();
        }
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        writeLock.lock();
        try {
            requireConnected();
            if (isOutputShut) {
                throw new ClosedChannelException();
            }
            SocketChannel tcp = connection.tcp();
            if (tcp != null) {
                long n = overTcp(() -> tcp.write(from, offset, length));
                SocketCounters.TCP_WRITTEN.add(n);
                return n;
            }
            return writeRdma(connection.stream(), from, offset, length);
        } finally {
            writeLock.unlock();
        }
    }

    private long writeRdma(RdmaStream to, ByteBuffer[] from, int offset, int length) throws IOException {
        long wanted = ChannelAddresses.remaining(from, offset, length);
        if (!isBlocking()) {
            long n = to.write(from, offset, length);
            if (n < wanted) {
                to.hub().poll();
                n += to.write(from, offset, length);
            }
            return n;
        }
        long n = 0;
        begin();
        try {
            n = to.write(from, offset, length);
            while (n < wanted && isOpen()) {
                to.await(SelectionKey.OP_WRITE, System.nanoTime() + FOR_EVER_NS);
                n += isOpen() ? to.write(from, offset, length) : 0;
            }
        } finally {
            end(n > 0 || wanted == 0);
        }
        return n;
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

    // ---- over TCP ----

    private interface TcpCall {
        long call() throws IOException;
    }

    private long tcpRead(TcpCall read) throws IOException {
        long n = overTcp(read);
        SocketCounters.TCP_READ.add(Math.max(0, n));
        return n;
    }

    /// An interrupt closes the inner channel; then this one is closed, too.
    private long overTcp(TcpCall call) throws IOException {
        try {
            return call.call();
        } catch (ClosedChannelException e) {
            if (!connection.tcp().isOpen()) {
                close();
            }
            throw e;
        }
    }

    // ---- ending ----

    @Override
    public SocketChannel shutdownInput() throws IOException {
        requireConnected();
        SocketChannel tcp = connection.tcp();
        if (tcp != null) {
            tcp.shutdownInput();
        } else if (!isInputShut) {
            connection.stream().shutdownInput();
        }
        isInputShut = true;
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        requireConnected();
        SocketChannel tcp = connection.tcp();
        if (tcp != null) {
            tcp.shutdownOutput();
        } else if (!isOutputShut) {
            connection.stream().shutdownOutput();
        }
        isOutputShut = true;
        return this;
    }

    boolean isInputShut() {
        return isInputShut;
    }

    boolean isOutputShut() {
        return isOutputShut;
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
        Socket made = socket;
        if (made == null) {
            stateLock.lock();
            try {
                made = socket == null ? RdmaSocket.of(this) : socket;
                socket = made;
            } finally {
                stateLock.unlock();
            }
        }
        return made;
    }

    @Override
    public String toString() {
        String how = !isOpen()
                ? "closed"
                : !isConnected() ? connection.phase().toString() : connection.tcp() == null ? "RDMA" : "TCP";
        return "%s[%s remote=%s]".formatted(getClass().getName(), how, connection.peer());
    }
}
