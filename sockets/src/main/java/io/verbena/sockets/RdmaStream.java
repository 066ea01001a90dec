package io.verbena.sockets;

import io.verbena.sockets.protocol.ConnectionData;
import io.verbena.sockets.protocol.ProtocolException;
import io.verbena.sockets.protocol.SendChunk;
import io.verbena.sockets.protocol.StreamProtocol;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

/// A connection over RDMA: a queue pair, the protocol on it, and what the program may do with it now. Its calls never
/// wait, except [#await].
final class RdmaStream {
    private final Hub hub;
    private final SocketSettings settings;
    private final ConnectionId id;
    private final StreamResources resources;

    private final StreamCounters counters = new StreamCounters();
    private final CopyOnWriteArrayList<ReadyListener> listeners = new CopyOnWriteArrayList<>();
    private final ChannelMaps maps = new ChannelMaps(this);
    private final StreamReader reader = new StreamReader(this);
    private final StreamWriter writer = new StreamWriter(this);
    private final StreamWaits waits = new StreamWaits(this);

    /// Guards the protocol and what follows. Copies are made without it.
    private final ReentrantLock lock = new ReentrantLock();

    private final StreamOpening opening;
    private final StreamEnding ending;
    private StreamProtocol protocol;
    private boolean isReading;
    private boolean isWriting;
    private boolean isOutputShut;

    /// Whether the connection manager says that the peer has left, without a word of the peer.
    private volatile boolean isHungUp;

    private volatile boolean isEstablished;
    private volatile boolean isInputShut;
    private volatile boolean isClosed;
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
        resources = new StreamResources(this, hub, settings, id);
        opening = new StreamOpening(this, id, resources, lock, listener);
        ending = new StreamEnding(this, id, resources, lock);
    }

    // ---- what it is ----

    Hub hub() {
        return hub;
    }

    int qpNumber() {
        return resources.qpNumber();
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

    StreamOpening opening() {
        return opening;
    }

    StreamEnding ending() {
        return ending;
    }

    /// Null before it asks, or answers, the peer. To be used with the lock.
    StreamProtocol protocol() {
        return protocol;
    }

    void protocol(StreamProtocol made) {
        protocol = made;
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

    /// What it waits for, for people.
    String status() {
        lock.lock();
        try {
            return "%s: %s%s; ready 0x%x; QP %d; %s; device: %s"
                    .formatted(
                            this,
                            isClosed ? "closed" : isEstablished ? "established" : "opening",
                            failure == null ? isHungUp ? ", hung up" : "" : ", " + failure,
                            ready,
                            qpNumber(),
                            protocol,
                            hub.device().counters());
        } finally {
            lock.unlock();
        }
    }

    /// Makes all that a connection needs, and releases it again.
    void warmUp() {
        try {
            opening.warmUp();
        } finally {
            ending.releaseNow();
        }
    }

    // ---- what the owner of the hub brings ----

    /// With the lock.
    void onEstablished(ConnectionData peer) {
        // First, because it fails when the peer's first words are wrong: then nobody ever gets the stream.
        protocol.onEstablished(peer);
        isEstablished = true;
    }

    /// With the lock.
    void onDisconnected(CmEvent event) {
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
            if (isReleased() || protocol == null) {
                return;
            }
            if (completion.status() != CompletionStatus.SUCCESS) {
                onFailedRequest(completion.status());
            } else if (!HubStreams.isReceive(completion.wrId())) {
                protocol.onCompleted(HubStreams.number(completion.wrId()));
            } else if (completion.hasImmediate()) {
                protocol.onWord(completion.immediate(), completion.byteLength());
                if (protocol.isReset()) {
                    fail(StreamFailure.reset(""));
                }
            } else {
                throw new ProtocolException("the peer sent a message without a word");
            }
        } catch (RuntimeException e) {
            breakOff(e);
        } finally {
            refresh();
            lock.unlock();
        }
        ending.finish();
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
        resources.stopQueuePair();
    }

    void fail(StreamFailure reason) {
        if (failure == null) {
            failure = reason;
            SocketEvents.failed(this, reason);
        }
    }

    /// Computes anew what is ready, and tells those who wait. With the lock.
    void refresh() {
        int before = ready;
        int now = 0;
        boolean isBroken = isLost();
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
        if ((now & ~before) != 0 || isBroken) {
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
        ending.finish();
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
            if (hasWritten && !isWritable()) {
                return null;
            }
            requireWritable();
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
        ending.finish();
    }

    /// Whether nothing more comes from the device for it.
    boolean isLost() {
        return failure != null || isHungUp || isClosed;
    }

    boolean isWritable() {
        return !isLost() && !isOutputShut && !protocol.isPeerDisconnected();
    }

    void requireWritable() throws IOException {
        if (!isWritable()) {
            throw failure != null ? failure.exception() : new IOException("Broken pipe");
        }
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

    /// With the lock.
    void closed() {
        isClosed = true;
    }

    boolean isReleased() {
        return ending.isReleased();
    }

    boolean isHungUp() {
        return isHungUp;
    }

    /// Whether a thread copies bytes. With the lock.
    boolean isInUse() {
        return isReading || isWriting;
    }

    /// Whether the condition holds, also after the end of the connection.
    boolean holds(Predicate<StreamProtocol> condition) {
        lock.lock();
        try {
            return condition.test(protocol);
        } finally {
            lock.unlock();
        }
    }

    /// Does something with the protocol, alone. Afterwards those who wait are told.
    <T> T withProtocol(Function<StreamProtocol, T> action) throws IOException {
        lock.lock();
        try {
            requireWritable();
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
        shutdown(true, false);
    }

    /// The program writes no more.
    void shutdownOutput() {
        shutdown(false, true);
    }

    private void shutdown(boolean input, boolean output) {
        lock.lock();
        try {
            isInputShut |= input;
            isOutputShut |= output;
            if (!isLost() && isOutputShut) {
                if (isInputShut) {
                    protocol.disconnect();
                } else {
                    protocol.endOutput();
                }
            }
        } catch (RdmaException e) {
            breakOff(e);
        } finally {
            refresh();
            lock.unlock();
        }
    }

    /// The program is done with it. What it has written is still sent, and the peer is told; then all is released.
    void close() {
        ending.close(false);
    }

    @Override
    public String toString() {
        return "%s -> %s".formatted(localAddress(), peerAddress());
    }
}
