package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;

/// How threads wait for what a connection brings: messages, answers, and room to send.
final class Waits {
    /// Of requests whose end the peer brings about.
    static final String UNANSWERED =
            "the peer did not take or answer it within %s; it may be busy, wait until this program receives, or answer a call by send and not by reply";

    private static final String UNTAKEN =
            "the peer did not take earlier messages within %s; it may be busy, hold messages open, or wait until this program receives";

    private final ConnectionLink connection;
    private final Hub hub;

    /// Threads that wait for credits or room. Of the owner of the hub.
    private final ArrayDeque<Waiter> writers = new ArrayDeque<>(2);

    Waits(ConnectionLink connection, Hub hub) {
        this.connection = connection;
        this.hub = hub;
    }

    /// @param what a text, or what has one
    /// @param why what to say when the time, which stands for `%s`, is over
    /// @throws RdmaException `ETIMEDOUT`, `EINTR`
    void await(Waiter waiter, Duration timeout, Object what, String why) {
        long timeoutNs = nanoseconds(timeout);
        long beganNs = System.nanoTime();
        if (hub.spin().spin(waiter, timeoutNs) == null && !sleep(waiter, timeoutNs, beganNs, what)) {
            throw new RdmaException(what.toString(), Errno.ETIMEDOUT, why.formatted(seconds(timeout)));
        }
    }

    /// Waits without spinning for what is left of the time; false when it is over. Looks once at least: where time is
    /// simulated, spinning takes none of it.
    ///
    /// @param what a text, or what has one
    boolean sleep(Waiter waiter, long timeoutNs, long beganNs, Object what) {
        if (timeoutNs <= 0) {
            return false;
        }
        EndpointEvents.SlowWait event = EndpointEvents.beginWait();
        try {
            return hub.sleep().sleep(waiter, Math.max(1, timeoutNs - (System.nanoTime() - beganNs)));
        } catch (RdmaException e) {
            if (e.errno() == Errno.EINTR) {
                throw new RdmaException(what.toString(), Errno.EINTR, "the waiting thread was interrupted", e);
            }
            throw e.errno() == Errno.EAGAIN // in a handler
                    ? new RdmaException(what.toString(), Errno.EAGAIN, e.explanation(), e)
                    : e;
        } finally {
            EndpointEvents.endWait(event, connection);
        }
    }

    /// Waits until something can be posted. The caller tries again then.
    void awaitRoom(BooleanSupplier hasRoom, Object what) {
        connection.traffic().onWait();
        awaitWhileOpen(
                () -> connection.ending().isClosing() || hasRoom.getAsBoolean(),
                connection.options().timeout(),
                what);
        connection.loss().requireOpen();
    }

    /// As [#awaitRoom], for a message of that kind. Fails when the peer takes none any more. False for an answer that
    /// the peer has no use for any more: it is dropped.
    boolean awaitRoomFor(int kind, BooleanSupplier hasRoom, Object what) {
        awaitRoom(() -> hasRoom.getAsBoolean() || connection.loss().hasNoUseFor(kind), what);
        connection.loss().requireOpenFor(kind);
        return kind != MessageHeader.REPLY || !connection.loss().hasNoUseFor(kind);
    }

    /// Waits until the condition holds, or the connection is lost.
    void awaitWhileOpen(BooleanSupplier condition, Duration timeout, Object what) {
        await(
                new Waiter() {
                    @Override
                    boolean isReady() {
                        return connection.loss().reason() != null || condition.getAsBoolean();
                    }

                    @Override
                    void enlist() {
                        writers.add(this);
                    }
                },
                timeout,
                what,
                UNTAKEN);
    }

    /// There may be room, or the connection is over. Of the owner of the hub.
    void finishWriters() {
        if (!writers.isEmpty()) {
            writers.removeIf(Waiter::tryFinish);
        }
    }

    /// For people: `2 s`, `0.25 s`.
    static String seconds(Duration time) {
        return BigDecimal.valueOf(nanoseconds(time), 9).stripTrailingZeros().toPlainString() + " s";
    }

    static long nanoseconds(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }
}
