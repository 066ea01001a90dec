package io.verbena.sockets;

import io.verbena.sockets.protocol.ConnectionData;
import io.verbena.sockets.protocol.ProtocolException;
import io.verbena.sockets.protocol.SendChunk;
import io.verbena.sockets.protocol.StreamProtocol;
import io.verbena.sockets.protocol.StreamSettings;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

/// A connection over RDMA: a queue pair, the protocol on it, and what the program may do with it now. Its calls never
/// wait, except [#await].
final class RdmaStream implements CmHandler {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(5);
    private static final long LONGEST_CLOSE_NS = TimeUnit.SECONDS.toNanos(30);

    private final Hub hub;
    private final SocketSettings settings;
    private final StreamSettings sizes;
    private final ConnectionId id;

    /// The listener that gets it when it is established; null for a client.
    private final RdmaListener listener;

    private final StreamCounters counters = new StreamCounters();
    private final CopyOnWriteArrayList<ReadyListener> listeners = new CopyOnWriteArrayList<>();
    private final ChannelMaps maps = new ChannelMaps(this);
    private final StreamReader reader = new StreamReader(this);
    private final StreamWriter writer = new StreamWriter(this);
    private final StreamWaits waits = new StreamWaits(this);

    /// Guards the protocol and what follows. Copies are made without it.
    private final ReentrantLock lock = new ReentrantLock();

    private StreamProtocol protocol;
    private ConnectionData peer;
    private volatile int qpNumber = -1;
    private int place = -1;
    private boolean isReading;
    private boolean isWriting;
    private boolean isOutputShut;
    private boolean isReleasing;
    private long closeDeadlineNs;

    /// Whether the connection manager says that the peer has left, without a word of the peer.
    private boolean isHungUp;

    private volatile long askedNs;
    private volatile boolean isEstablished;
    private volatile boolean isInputShut;
    private volatile boolean isClosed;
    private volatile boolean isReleased;
    private volatile StreamFailure failure;
    private volatile int ready;

    /// A connection that a client begins.
    RdmaStream(Hub hub, SocketSettings settings, ConnectionId id) {
        this(hub, settings, id, null);
    }

    /// A connection that a listener accepts.
    RdmaStream(Hub hub, SocketSettings settings, ConnectionId id, RdmaListener listener) {
        this.hub = hub;
        this.settings = settings;
        this.id = id;
        this.listener = listener;
        sizes = settings.streams(hub.mostWorkRequests());
        id.attachment(this);
    }

    // ---- what it is ----

    Hub hub() {
        return hub;
    }

    int qpNumber() {
        return qpNumber;
    }

    InetSocketAddress localAddress() {
        return id.localAddress();
    }

    InetSocketAddress peerAddress() {
        return id.peerAddress();
    }

    SocketSettings settings() {
        return settings;
    }

    ChannelMaps maps() {
        return maps;
    }

    StreamCounters counters() {
        return counters;
    }

    /// When the peer was asked; 0 before.
    long askedNs() {
        return askedNs;
    }

    boolean isEstablished() {
        return isEstablished;
    }

    StreamFailure failure() {
        return failure;
    }

    /// The operations that would not wait, as bits of [SelectionKey].
    int readyOps() {
        return ready;
    }

    void addListener(ReadyListener added) {
        listeners.add(added);
    }

    void removeListener(ReadyListener removed) {
        listeners.remove(removed);
    }

    // ---- opening ----

    /// Begins to connect; [#isEstablished] or [#failure] follow.
    ///
    /// @param port the local port, unless the id is bound already; 0 for any
    void connect(int port, InetSocketAddress to) {
        StreamQueuePair.configure(id, settings);
        InetSocketAddress local = id.localAddress() != null ? null : new InetSocketAddress(hub.address(), port);
        id.resolveAddress(local, to, RESOLVE_TIMEOUT);
    }

    /// Answers the request of a client. Called by the owner of the hub.
    void accept(ConnectionData offered) {
        lock.lock();
        try {
            peer = offered;
            StreamQueuePair.configure(id, settings);
            id.accept(open());
        } finally {
            lock.unlock();
        }
    }

    /// Makes the queue pair and posts all receives, because the peer may write as soon as it knows the keys.
    private ConnectionParameters open() {
        int requests = sizes.sendRequests() + sizes.receives();
        place = hub.streams().add(this, requests);
        QueuePair qp = StreamQueuePair.create(id, hub.completionQueue(), sizes, settings);
        qpNumber = qp.number();
        QueuePairPoster poster = new QueuePairPoster(qp, place, settings.get(RdmaSocketOptions.RDMA_INLINE));
        protocol = new StreamProtocol(sizes, bytes -> RegionMemory.allocate(hub.protectionDomain(), bytes), poster);
        poster.postReceives(sizes.receives());
        return StreamQueuePair.parameters(protocol.offer());
    }

    /// Makes all that a connection needs, and releases it again, so that the first real one is answered in time.
    void warmUp() {
        lock.lock();
        try {
            ConnectionData.decode(open().privateData());
        } finally {
            lock.unlock();
            isClosed = true;
            release();
        }
    }

    // ---- what the owner of the hub brings ----

    @Override
    public void onCmEvent(CmEvent event) {
        lock.lock();
        try {
            if (!isReleased) {
                onEvent(event);
            }
        } catch (ProtocolException e) {
            fail(StreamFailure.refused(e.getMessage()));
        } catch (RuntimeException e) {
            fail(isEstablished ? StreamFailure.reset(e.getMessage()) : StreamFailure.unreachable(e.getMessage()));
        } finally {
            refresh();
            lock.unlock();
        }
        finishClosing();
    }

    private void onEvent(CmEvent event) {
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(RESOLVE_TIMEOUT);
            case ROUTE_RESOLVED -> {
                id.connect(open());
                askedNs = System.nanoTime();
            }
            case ESTABLISHED -> onEstablished(event);
            case REJECTED -> fail(StreamFailure.refused(""));
            case ADDRESS_ERROR, ROUTE_ERROR -> fail(StreamFailure.unreachable(event.explanation()));
            case UNREACHABLE, CONNECT_ERROR -> fail(StreamFailure.timedOut(event.explanation()));
            case DISCONNECTED, DEVICE_REMOVAL -> onDisconnected(event);
            default -> {}
        }
    }

    private void onEstablished(CmEvent event) {
        if (listener == null) {
            peer = ConnectionData.decode(event.privateData());
        }
        isEstablished = true;
        protocol.onEstablished(peer);
        SocketEvents.connected(this, listener != null);
        if (listener != null) {
            listener.onEstablished(this);
        }
    }

    private void onDisconnected(CmEvent event) {
        if (listener != null && !isEstablished && !isHungUp) {
            listener.onAbandoned();
        }
        isHungUp = true;
        if (event.status() != 0 && !isOver()) {
            fail(StreamFailure.reset(event.explanation()));
        }
    }

    /// Whether one of the sides has said that it is the end, so that requests may fail.
    private boolean isOver() {
        return protocol != null && (protocol.isPeerDisconnected() || protocol.isDisconnectConfirmed()) || isClosed;
    }

    void onCompletion(WorkCompletion completion) {
        lock.lock();
        try {
            if (isReleased || protocol == null) {
                return;
            }
            if (completion.status() != CompletionStatus.SUCCESS) {
                onFailedRequest(completion.status());
            } else if (!HubStreams.isReceive(completion.wrId())) {
                protocol.onCompleted(HubStreams.number(completion.wrId()));
            } else if (completion.hasImmediate()) {
                protocol.onWord(completion.immediate(), completion.byteLength());
            } else {
                throw new ProtocolException("the peer sent a message without a word");
            }
        } catch (RuntimeException e) {
            breakOff(e);
        } finally {
            refresh();
            lock.unlock();
        }
        finishClosing();
    }

    /// Flushed requests say only that the queue pair is in the error state. The connection manager says why.
    private void onFailedRequest(CompletionStatus status) {
        if (status == CompletionStatus.WORK_REQUEST_FLUSHED) {
            isHungUp |= isOver();
        } else if (!isOver()) {
            fail(StreamFailure.reset(status.explain()));
        } else {
            isHungUp = true;
        }
    }

    /// The peer does not follow the protocol: nothing more is taken from it.
    private void breakOff(RuntimeException reason) {
        fail(StreamFailure.reset(reason.getMessage()));
        try {
            id.queuePair().modify(QueuePairChange.to(QueuePairState.ERR));
        } catch (RdmaException e) {
            SocketEvents.trouble(this, e);
        }
    }

    private void fail(StreamFailure reason) {
        if (failure == null) {
            failure = reason;
            SocketEvents.failed(this, reason);
        }
    }

    /// Computes anew what is ready, and tells those who wait. With the lock.
    private void refresh() {
        int before = ready;
        int now = 0;
        boolean isBroken = failure != null || isHungUp || isClosed;
        if (protocol != null && isEstablished) {
            boolean isEnded = isBroken || isInputShut || protocol.isInputEnded();
            now |= isEnded || protocol.readable() > 0 ? SelectionKey.OP_READ : 0;
            boolean isDead = isBroken || isOutputShut || protocol.isPeerDisconnected();
            now |= isDead || protocol.hasRoom() ? SelectionKey.OP_WRITE : 0;
        }
        if (isEstablished || isBroken) {
            now |= SelectionKey.OP_CONNECT;
        }
        ready = now;
        if ((now & ~before) != 0 || isBroken || (now & SelectionKey.OP_READ) != 0) {
            notifyListeners();
        }
    }

    private void notifyListeners() {
        for (ReadyListener told : listeners) {
            told.onReady();
        }
    }

    // ---- reading ----

    /// How many bytes can be read without waiting.
    int readable() {
        lock.lock();
        try {
            return isClosed ? 0 : protocol.readable();
        } finally {
            lock.unlock();
        }
    }

    /// Reads what is there: the number of bytes, 0 when nothing is, -1 after the last.
    int read(ByteBuffer to) throws IOException {
        return reader.read(to);
    }

    /// Tells the reader where the next bytes are: how many, 0 when none are, -1 after the last. Until [#endRead] they
    /// stay there.
    int beginRead(StreamReader by, boolean hasRead) throws IOException {
        lock.lock();
        try {
            if (isClosed || isInputShut) {
                return -1;
            }
            if (protocol.readable() == 0) {
                return hasRead ? 0 : endOrNothing();
            }
            isReading = true;
            return by.from(protocol.readableBytes(), protocol.readableOffset(), protocol.readableLength());
        } finally {
            lock.unlock();
        }
    }

    private int endOrNothing() throws IOException {
        if (failure != null) {
            throw failure.exception();
        }
        return protocol.isInputEnded() || isHungUp ? -1 : 0;
    }

    void endRead(int n) {
        lock.lock();
        try {
            isReading = false;
            protocol.consume(n);
            counters.onRead(n);
            refresh();
        } catch (RdmaException e) {
            breakOff(e);
        } finally {
            lock.unlock();
        }
        finishClosing();
    }

    // ---- writing ----

    /// Writes as much as there is room for: the number of bytes.
    long write(ByteBuffer[] from, int offset, int length) throws IOException {
        return writer.write(from, offset, length);
    }

    /// Room for bytes, which is the writer's until [#endWrite]; null when there is none.
    SendChunk beginWrite(int wanted, boolean hasWritten) throws IOException {
        lock.lock();
        try {
            if (!isWritable()) {
                if (hasWritten) {
                    return null;
                }
                throw failure != null ? failure.exception() : new IOException("Broken pipe");
            }
            SendChunk chunk = protocol.space(wanted);
            isWriting = chunk != null;
            return chunk;
        } catch (RdmaException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    void endWrite(SendChunk chunk, int n) {
        lock.lock();
        try {
            isWriting = false;
            protocol.commit(chunk, n);
            counters.onWritten(n);
            refresh();
        } catch (RdmaException e) {
            breakOff(e);
        } finally {
            lock.unlock();
        }
        finishClosing();
    }

    private boolean isWritable() {
        return failure == null && !isHungUp && !isClosed && !isOutputShut && !protocol.isPeerDisconnected();
    }

    // ---- waiting ----

    StreamWaits waits() {
        return waits;
    }

    /// As [StreamWaits#await].
    void await(int ops, long deadlineNs) {
        waits.await(ops, deadlineNs);
    }

    boolean isClosed() {
        return isClosed;
    }

    /// Whether the connection is over, or the condition holds.
    boolean isOverOr(Predicate<StreamProtocol> condition) {
        lock.lock();
        try {
            return !isWritable() || condition.test(protocol);
        } finally {
            lock.unlock();
        }
    }

    /// Does something with the protocol, alone. Afterwards those who wait are told.
    <T> T withProtocol(Function<StreamProtocol, T> action) throws IOException {
        lock.lock();
        try {
            if (!isWritable()) {
                throw failure != null ? failure.exception() : new IOException("Broken pipe");
            }
            return action.apply(protocol);
        } catch (RdmaException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            refresh();
            lock.unlock();
        }
    }

    // ---- ending ----

    /// The program reads no more. What arrives is thrown away.
    void shutdownInput() {
        lock.lock();
        try {
            isInputShut = true;
            if (isOutputShut) {
                protocol.disconnect();
            }
            refresh();
        } finally {
            lock.unlock();
        }
    }

    /// The program writes no more.
    void shutdownOutput() {
        lock.lock();
        try {
            isOutputShut = true;
            if (failure == null && !isHungUp) {
                if (isInputShut) {
                    protocol.disconnect();
                } else {
                    protocol.endOutput();
                }
            }
            refresh();
        } catch (RdmaException e) {
            breakOff(e);
        } finally {
            lock.unlock();
        }
    }

    /// The program is done with it. What it has written is still sent, and the peer is told; then all is released.
    void close() {
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            closeDeadlineNs = System.nanoTime() + LONGEST_CLOSE_NS;
            hub.streams().addClosing(this);
            if (isEstablished && failure == null && !isHungUp && !protocol.isPeerDisconnected()) {
                protocol.disconnect();
            }
            refresh();
        } catch (RdmaException e) {
            fail(StreamFailure.reset(e.getMessage()));
        } finally {
            lock.unlock();
        }
        SocketEvents.closed(this);
        finishClosing();
        hub.wakeThread();
    }

    /// Whether the peer knows that this side has closed the connection, or is gone.
    boolean isCloseDone() {
        return !isEstablished || failure != null || isHungUp || isOverAtBothEnds() || isReleased;
    }

    private boolean isOverAtBothEnds() {
        return protocol.isDisconnectConfirmed() || protocol.isPeerDisconnected();
    }

    /// Releases a connection that is closed as soon as that is possible. Without the lock.
    private void finishClosing() {
        if (!isClosed || isReleased) {
            return;
        }
        lock.lock();
        try {
            if (isReleasing || isReading || isWriting || !isCloseDone()) {
                return;
            }
            isReleasing = true;
        } finally {
            lock.unlock();
        }
        hub.thread().execute(this::release);
    }

    /// From time to time while it is closing: gives up when the peer does not take what was written.
    void checkClosing(long nowNs) {
        if (closeDeadlineNs - nowNs <= 0) {
            fail(StreamFailure.timedOut("the peer did not take what was written"));
        }
        finishClosing();
    }

    private void release() {
        isReleased = true;
        try {
            id.close();
            maps.closeAll();
        } finally {
            lock.lock();
            try {
                if (protocol != null) {
                    protocol.close();
                }
            } finally {
                lock.unlock();
                if (place >= 0) {
                    hub.streams().remove(place, sizes.sendRequests() + sizes.receives());
                }
                hub.streams().removeClosing(this);
            }
        }
    }

    @Override
    public String toString() {
        return "%s -> %s".formatted(localAddress(), peerAddress());
    }
}
