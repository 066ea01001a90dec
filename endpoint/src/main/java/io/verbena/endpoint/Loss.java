package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;

/// Whether a connection still works, why it does not, and whether the program was told. How it ends in good order is
/// [Ending].
final class Loss {
    private final ConnectionLink connection;
    private final QueuePair qp;
    private final Transfers transfers;
    private final Calls calls;
    private volatile RuntimeException reason;

    /// Whether the program was told of the loss, or that the peer has closed.
    private volatile boolean isKnown;

    /// Whether a call of the program has thrown it.
    private volatile boolean wasThrown;

    /// That the peer has closed, which calls are told that have no answer; null before.
    private volatile RuntimeException unanswered;

    /// Whether the peer has closed, and nothing of it is left to be received.
    private volatile boolean isAllReceived;

    /// Why the handler of this side failed; null when it did not.
    private volatile Throwable handlerFailure;

    Loss(ConnectionLink connection, QueuePair qp, Transfers transfers, Calls calls) {
        this.connection = connection;
        this.qp = qp;
        this.transfers = transfers;
        this.calls = calls;
    }

    /// Null while the connection works.
    RuntimeException reason() {
        return reason;
    }

    /// As [#reason], or that the peer sends no more.
    RuntimeException reasonOrEnd() {
        RuntimeException why = reason;
        if (why == null && handlerFailure != null) {
            return closedHere();
        }
        return why == null ? unanswered : why;
    }

    // ---- of the owner of the hub ----

    /// A request failed or was flushed: the queue pair is in the error state.
    void onFailed(CompletionStatus status) {
        if (reason == null) {
            fail(lost(
                    status == CompletionStatus.WORK_REQUEST_FLUSHED
                            ? connection.ending().reasonOfEvent()
                            : explain(status)));
        }
    }

    /// In words of connections; users of these know no queue pairs.
    private static String explain(CompletionStatus status) {
        return status == CompletionStatus.RETRY_EXCEEDED
                ? "the peer does not answer: its process has ended or is stopped, or its host or the network is down"
                : status.explain();
    }

    private RdmaException lost(String why) {
        if (connection.ending().hasPeerEnded()) {
            return closedThere();
        }
        return problem(
                Errno.ECONNRESET,
                "it is lost: %s; connect again"
                        .formatted(why.isEmpty() ? "the peer has left without closing it" : why));
    }

    private RdmaException closedThere() {
        return problem(
                Errno.ECONNRESET,
                connection.ending().hasPeerFailed()
                        ? "the peer has closed it, because its program failed; its log says why"
                        : "the peer has closed it; connect again to go on");
    }

    private RdmaException problem(Errno errno, String explanation) {
        return new RdmaException(name(), errno, explanation);
    }

    private String name() {
        return "connection to " + connection.peer();
    }

    /// Whether that says that this connection is over, and not another one which a handler uses as well.
    boolean isOfThisConnection(Throwable problem) {
        return (isOver() || connection.ending().hasPeerEnded())
                && problem instanceof RdmaException e
                && e.verb().equals(name());
    }

    /// The peer sends no more, not even answers.
    void onEndArrived() {
        if (unanswered == null) {
            unanswered = closedThere();
            calls.fail(unanswered);
        }
    }

    /// The peer sends no more, and nothing of it is left to be received.
    void onAllReceived() {
        isAllReceived = true;
        connection.waits().finishWriters();
    }

    /// Messages that the peer did not take before it closed.
    RdmaException untaken(int count) {
        return problem(
                Errno.ECONNRESET,
                "the peer has closed it, and did not receive %s of this side; let it receive them, or answer the last one, before it closes"
                        .formatted(count == 1 ? "the last message" : "the last " + count + " messages"));
    }

    /// Whether the program was told of the end by an exception.
    boolean wasThrown() {
        return wasThrown;
    }

    /// The connection manager says that the connection is over. From any thread.
    void onDisconnected(String explanation) {
        connection.ending().onDisconnected();
        connection.leave(() -> {
            connection.resources().hub().pollAll(); // what came before
            if (reason == null) {
                fail(lost(explanation));
            }
        });
    }

    /// Nothing more comes or goes.
    void fail(RuntimeException why) {
        if (reason == null) {
            reason = why instanceof RdmaException
                    ? why
                    : new RdmaException(name(), Errno.EIO, String.valueOf(why.getMessage()), why);
            breakOff(why);
            EndpointEvents.lost(
                    connection,
                    connection.ending().hasPeerFailed() ? closedThere() : reason,
                    why instanceof RdmaException && connection.ending().isInGoodOrder());
        }
        connection.arrivals().onLost();
        transfers.fail(reason);
        calls.fail(reason);
        connection.lookups().fail(reason);
        connection.exports().onGone(connection);
    }

    /// A peer that does not follow the protocol is not listened to any more.
    private void breakOff(RuntimeException why) {
        if (!(why instanceof RdmaException)) {
            try {
                qp.modify(QueuePairChange.to(QueuePairState.ERR));
            } catch (RdmaException e) {
                EndpointEvents.closed(connection, e.getMessage());
            }
        }
    }

    /// This program has closed the connection.
    void onClosedHere() {
        fail(closedHere());
    }

    private RdmaException closedHere() {
        Throwable why = handlerFailure;
        return why == null
                ? problem(Errno.EBADF, "it was closed by this program")
                : new RdmaException(
                        name(),
                        Errno.ECONNRESET,
                        "it was closed, because its handler failed: " + why.getMessage(),
                        why);
    }

    /// The handler of this side has failed, and the connection is being closed. Of the owner of the hub.
    void onHandlerFailed(Throwable why) {
        handlerFailure = why;
        calls.fail(closedHere());
    }

    // ---- of any thread ----

    /// The reason for a request that failed.
    RuntimeException reasonOr(Object what, CompletionStatus status) {
        RuntimeException known = reason;
        return known != null
                ? known
                : new RdmaException(
                        what.toString(), Errno.ECONNRESET, "with %s: %s".formatted(connection.peer(), explain(status)));
    }

    /// The program is being told why something failed.
    RuntimeException told(RuntimeException why) {
        return thrownHere(why == reason || why == unanswered ? thrown(why) : why);
    }

    /// The same, made by the calling thread: the stack trace shows what the program does, not what the thread did that
    /// noticed the failure.
    static RuntimeException thrownHere(RuntimeException why) {
        return why.getClass() == RdmaException.class && why instanceof RdmaException e
                ? new RdmaException(e.verb(), e.errnoNumber(), e.explanation(), e)
                : why;
    }

    /// The program is being told that the peer has closed.
    void onEndTold() {
        isKnown = true;
        isAllReceived = true;
    }

    /// Whether it is over, and this program was told.
    boolean isKnownToBeOver() {
        return isKnown && (isOver() || connection.ending().hasPeerEnded());
    }

    boolean isOver() {
        return reason != null || connection.ending().isClosing();
    }

    /// A loss that the program was not told of, although messages of it may be lost; null otherwise.
    RuntimeException unknown() {
        return connection.ending().hasPeerEnded()
                        || isKnown
                        || connection.sender().isIdle()
                ? null
                : reason;
    }

    void requireNotClosed() {
        if (connection.ending().isClosing()) {
            throw closedHere();
        }
    }

    void requireOpen() {
        requireNotClosed();
        RuntimeException why = reason;
        if (why != null) {
            throw told(why);
        }
    }

    /// As [#requireOpen], for a message of that kind: also fails when [#hasNoUseFor].
    void requireOpenFor(int kind) {
        requireOpen();
        if (kind != MessageHeader.REPLY && hasNoUseFor(kind)) {
            throw thrown(closedThere());
        }
    }

    /// Whether the peer takes no such message any more. Once it has closed, it answers no requests and needs no
    /// answers. For other messages it holds when this program has received all of the peer's: until then it may be
    /// answering them.
    boolean hasNoUseFor(int kind) {
        return kind == MessageHeader.MESSAGE
                ? isAllReceived
                : connection.ending().hasPeerEnded();
    }

    /// The error that a handler gets when the peer has closed; null when that was in good order.
    RuntimeException failureOfPeer() {
        return connection.ending().hasPeerFailed() ? closedThere() : null;
    }

    /// After all messages of the peer were received: fails if its program has failed.
    void requirePeerWell() {
        if (connection.ending().hasPeerFailed()) {
            throw thrown(closedThere());
        }
    }

    private RuntimeException thrown(RuntimeException why) {
        isKnown = true;
        wasThrown = true;
        return why;
    }

    /// After all messages of the peer were received: fails unless the peer ended the connection in good order.
    void requireOpenOrEnded() {
        if (connection.ending().isClosing() || !connection.ending().hasPeerEnded()) {
            requireOpen();
        }
    }
}
