package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// How a connection ends: each side says that it sends no more (END), and confirms that of the other side. So both know
/// that everything has arrived, also when the last acknowledgement is lost.
final class Ending {
    /// How long a side that closes waits for the other one to do the same.
    private static final Duration LINGER = Duration.ofMillis(500);

    private final ConnectionLink connection;
    private final ConnectionId id;
    private final Sender sender;
    private final Transfers transfers;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch disconnected = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean peerEnded;

    /// Whether a thread waits for the end, or has. Guarded by this.
    private boolean isDisconnecting;

    /// Whether the peer said that it got everything that this side sent.
    private volatile boolean peerHasAll;

    /// Whether the peer's program has failed, and whether the peer said how many messages its program took.
    private volatile boolean peerFailed;

    private volatile boolean peerCounts;

    /// Whether the peer had ended when this side began to close, and so may have left messages of this side; or when
    /// this side still waited until it reads long ones.
    private volatile boolean peerWasFirst;

    /// How many messages of this side the peer's program took, modulo 2^32.
    private volatile int takenByPeer;

    /// Whether the program of this side has failed.
    private volatile boolean failed;

    /// Whether this side has told the peer that it sends no more, and takes no more. Of the owner of the hub.
    private boolean hasSentEnd;

    /// That this side has got all of the peer's messages, when the peer was told; null before. Of the owner of the hub.
    private Pending confirmation;

    Ending(ConnectionLink connection, ConnectionId id, Sender sender, Transfers transfers) {
        this.connection = connection;
        this.id = id;
        this.sender = sender;
        this.transfers = transfers;
    }

    /// Whether this side closes, or has closed, the connection.
    boolean isClosing() {
        return closing.get();
    }

    /// Whether that was thrown because the peer has closed this connection without receiving or answering everything.
    boolean isLeaveOfPeer(Throwable problem) {
        return peerEnded
                && connection.loss().isOfThisConnection(problem)
                && ((RdmaException) problem).errno() == Errno.ECONNRESET;
    }

    /// Whether one of the sides has closed the connection, and the peer's program has not failed.
    boolean isInGoodOrder() {
        return !peerFailed && (peerEnded || isClosing());
    }

    /// Whether the peer sends no more messages.
    boolean hasPeerEnded() {
        return peerEnded;
    }

    /// Whether messages that come are dropped, because this side has said how many it took. Of the owner of the hub.
    boolean takesNoMore() {
        return hasSentEnd;
    }

    /// Whether the peer has closed the connection because its program failed.
    boolean hasPeerFailed() {
        return peerFailed;
    }

    /// How many messages the peer has not taken, and will not, after its end.
    private int untaken() {
        return peerWasFirst && peerCounts ? sender.messages() - takenByPeer : 0;
    }

    /// What the connection manager has said last; empty for nothing. An id without an event channel keeps its last
    /// event, but asking for it takes it away from a thread that waits for the end in [#disconnect].
    synchronized String reasonOfEvent() {
        CmEvent event = isDisconnecting || id.channel() != null ? null : id.event();
        return event == null ? "" : event.explanation();
    }

    private void disconnect() {
        synchronized (this) {
            isDisconnecting = true;
        }
        id.disconnect();
        awaitDisconnected();
    }

    /// The connection manager says that the connection is over.
    void onDisconnected() {
        disconnected.countDown();
    }

    /// The peer sends no more messages. Of the owner of the hub.
    void onEnd(int flags, int taken) {
        peerFailed |= (flags & MessageHeader.FAILED) != 0;
        if ((flags & MessageHeader.COUNTED) != 0 && !peerEnded) {
            sender.requireSent(taken);
            takenByPeer = taken;
            peerCounts = true;
            if (!transfers.isEmpty()) {
                peerWasFirst = true;
            }
        }
        peerEnded = true;
        peerHasAll |= (flags & MessageHeader.HAS_ALL) != 0;
        if (hasSentEnd && confirmation == null) {
            confirmation = new Pending(connection, this::closing);
            sendEnd(confirmation);
        }
    }

    private void sendEnd(Pending tracked) {
        int flags =
                MessageHeader.COUNTED | (peerEnded ? MessageHeader.HAS_ALL : 0) | (failed ? MessageHeader.FAILED : 0);
        long taken = connection.arrivals().taken() & 0xFFFF_FFFFL;
        sender.control(MessageHeader.END, flags, taken, ConnectionLink.NO_BYTES, tracked);
        if (connection.loss().reason() != null) {
            tracked.finish(connection.loss().reason());
        }
    }

    /// Of the owner of the hub.
    private void begin(Pending end) {
        hasSentEnd = true;
        confirmation = peerEnded ? end : null;
        sendEnd(end);
    }

    /// In good order, if that is possible.
    void close() {
        close(false);
    }

    /// @param isFailure whether END tells the peer that the program of this side has failed
    void close(boolean isFailure) {
        if (!closing.get()) {
            connection.progressQuietly();
        }
        if (closing.getAndSet(true)) {
            awaitOtherThread();
            return;
        }
        if (peerEnded) {
            peerWasFirst = true;
        }
        failed = isFailure;
        if (connection.resources().hub().isHandling()) {
            // A handler must not wait.
            connection.options().threads().start(Thread.ofVirtual().name("end of " + connection.peer()), () -> {
                try {
                    finishAndRelease();
                } catch (RuntimeException e) {
                    EndpointEvents.closed(connection, e.getMessage());
                }
            });
        } else {
            finishAndRelease();
        }
    }

    private void finishAndRelease() {
        RuntimeException problem = connection.loss().reason() == null
                ? finish()
                : connection.loss().unknown();
        int untaken = untaken();
        if (problem == null && untaken > 0 && !connection.loss().wasThrown()) {
            problem = connection.loss().untaken(untaken);
        }
        try {
            disconnect();
        } catch (RdmaException gone) {
            HubSleep.keepInterrupt(gone);
            // The peer is gone, or was never there: nothing is left to be told to it.
            EndpointEvents.closed(connection, gone.getMessage());
        }
        release();
        if (problem != null) {
            throw Loss.thrownHere(problem);
        }
    }

    /// The client was never told of this side.
    void abandon() {
        if (!closing.getAndSet(true)) {
            release();
        }
    }

    private void release() {
        try {
            connection.releaseAll();
        } finally {
            closed.countDown();
        }
    }

    /// Another thread closes the connection already. That may be the calling one, in a handler.
    private void awaitOtherThread() {
        if (!connection.resources().hub().isHandling()) {
            awaitClosed();
        }
    }

    /// Waits for a thread that closes it.
    void awaitClosed() {
        await(closed, connection.options().timeout().plus(id.timeout()), "it still is not closed");
    }

    /// An id with an event channel does not wait by itself.
    private void awaitDisconnected() {
        if (id.channel() != null) {
            await(disconnected, id.timeout(), "the peer did not confirm the end of the connection");
        }
    }

    private void await(CountDownLatch latch, Duration timeout, String problem) {
        try {
            if (!latch.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                EndpointEvents.closed(connection, problem);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether the peer reads no more long messages: it has read them all, or has said how many it took.
    private boolean areLongMessagesOver() {
        return transfers.isEmpty() || peerEnded && peerCounts;
    }

    /// A program that has failed says so soon, whatever the peer still has to read.
    private void awaitLongMessages() {
        Duration limit = failed ? LINGER : connection.options().timeout();
        try {
            connection.waits().awaitWhileOpen(this::areLongMessagesOver, limit, closing());
        } catch (RdmaException e) {
            if (!failed || e.errno() != Errno.ETIMEDOUT) {
                throw e;
            }
        }
    }

    /// Waits until the peer has everything, and for a moment until this side has everything of the peer. Returns why
    /// the peer has not; null when it has.
    private RuntimeException finish() {
        try {
            awaitLongMessages();
            Pending end = new Pending(connection, this::closing);
            connection.leave(() -> begin(end));
            end.await();
            linger();
            return null;
        } catch (RuntimeException e) {
            if (!peerHasAll && !peerEnded) {
                return e;
            }
            HubSleep.keepInterrupt(e);
            return null; // a peer that ended first wants no more
        }
    }

    private String closing() {
        return "close the connection to " + connection.peer();
    }

    private void linger() {
        try {
            connection.waits().awaitWhileOpen(() -> confirmation != null && confirmation.isEnded(), LINGER, closing());
        } catch (RdmaException e) {
            HubSleep.keepInterrupt(e);
            EndpointEvents.closed(connection, "the peer has not closed it yet");
        }
    }
}
