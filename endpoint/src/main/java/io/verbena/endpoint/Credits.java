package io.verbena.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The credits of a connection, in both directions: how many messages this side may still send, and how many of the
/// peer's messages it has got, is done with, and has told the peer so.
///
/// A few credits are left for answers. Two sides that have sent each other as many requests as they may can still
/// answer them then, and do not wait for each other.
final class Credits {
    private static final VarHandle RELEASED;
    private static final VarHandle GRANTED;
    private static final VarHandle RECEIVED;

    /// One in so many credits is left for answers, and one at least.
    private static final int RESERVED_SHARE = 16;

    /// All counters begin here, so that every connection soon shows that they may wrap.
    static final int FIRST = Integer.MAX_VALUE - 100;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RELEASED = lookup.findVarHandle(Credits.class, "released", int.class);
            GRANTED = lookup.findVarHandle(Credits.class, "granted", int.class);
            RECEIVED = lookup.findVarHandle(Credits.class, "received", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int reserved;
    private final int own;
    private final int returnAt;

    // ---- under the lock of the sender ----
    private int sent = FIRST;
    private int announced = FIRST;

    // ---- written by the owner of the hub ----
    // Others may see them late: the owner itself looks again for threads that wait for room.
    private int granted;
    private int received = FIRST;

    /// How many messages of the peer the program is done with. Written under the lock of the receive buffers.
    private int released = FIRST;

    /// @param ofPeer how many messages the peer lets this side send ahead
    /// @param own how many messages the peer may send ahead
    Credits(int ofPeer, int own) {
        this.own = own;
        reserved = ofPeer == 1 ? 0 : Math.max(1, ofPeer / RESERVED_SHARE);
        granted = FIRST + ofPeer;
        returnAt = (own + 1) / 2; // so that two messages at most that only return credits are under way
    }

    // ---- sending ----

    /// Whether there is a credit for a message that is no answer. From any thread; true may be late, not false.
    boolean allowMessage() {
        return available() > reserved;
    }

    /// As [#allowMessage], for the answer to a request.
    boolean allowReply() {
        return available() > 0;
    }

    private int available() {
        return (int) GRANTED.getAcquire(this) - sent;
    }

    /// A message was posted. Under the lock.
    void onSent() {
        sent++;
    }

    /// The peer returned credits. Of the owner of the hub.
    void grant(int credits) {
        GRANTED.setRelease(this, granted + credits);
    }

    // ---- receiving ----

    /// Counts a message of the peer that needed a credit. False when the peer cannot have had one. Of the owner of the
    /// hub.
    boolean countReceived() {
        RECEIVED.setRelease(this, received + 1);
        return received - (int) RELEASED.getAcquire(this) <= own;
    }

    /// The program is done with a message of the peer. By one thread at a time: under the lock of the receive buffers,
    /// which closing a message takes anyway.
    void countReleased() {
        RELEASED.setRelease(this, released + 1);
    }

    /// How many the next message returns. Under the lock.
    int owed() {
        return Math.min((int) RELEASED.getAcquire(this) - announced, MessageHeader.MOST_CREDITS);
    }

    /// The next message that was posted returned so many. Under the lock.
    void onAnnounced(int credits) {
        announced += credits;
    }

    /// Whether they should be returned by themselves, because the program may have nothing to send. A thread without
    /// the lock may get a true that is wrong, not a false.
    boolean areManyOwed() {
        return (int) RELEASED.getAcquire(this) - announced >= returnAt;
    }

    /// Whether the peer has used all its credits, and is owed one. It may need it for an answer, and sends nothing else
    /// before.
    ///
    /// Asked after [#countReceived], and by whoever is done with an answer after [#countReleased]. Of two threads that
    /// do so at once, one at least sees what the other counted.
    boolean isPeerOut() {
        if (!hasPeerUsedAll()) {
            return false;
        }
        VarHandle.fullFence();
        return (int) RELEASED.getAcquire(this) != announced;
    }

    /// As [#isPeerOut], for a thread that is not the owner of the hub.
    boolean isPeerOutNow() {
        VarHandle.fullFence();
        return isPeerOut();
    }

    private boolean hasPeerUsedAll() {
        return announced + own - (int) RECEIVED.getAcquire(this) <= 0;
    }
}
