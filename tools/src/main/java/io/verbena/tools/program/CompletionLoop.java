package io.verbena.tools.program;

import io.verbena.tools.text.StopSignal;
import io.verbena.verbs.CompletionHandler;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/// Polls a completion queue until something is there, and never for ever: a failed request, a peer that left and a peer
/// that keeps silent end the wait with an error that says which it was.
public final class CompletionLoop {
    private static final int BATCH = 16;
    /// How long the news of a disconnect may come after the first flushed request.
    private static final Duration NEWS = Duration.ofSeconds(2);

    private static final Duration NEWS_LOOK = Duration.ofMillis(1);

    /// Whether the other side is still there.
    @FunctionalInterface
    public interface Peer {
        boolean isGone();

        /// Gone when the id was told of a disconnect.
        static Peer of(ConnectionId id) {
            return () -> {
                var event = id.event();
                return event != null && event.type() == CmEventType.DISCONNECTED;
            };
        }
    }

    private final CompletionQueue cq;
    private final Waiting waiting;
    private final Peer peer;
    private final Duration timeout;
    private final CompletionHandler onSuccess;
    private final LongFunction<String> requestName;
    private final CompletionHandler onCompletion = this::onCompletion;

    private CompletionStatus failure;
    private long failed;

    /// @param timeout how long the peer may keep silent; zero: for ever
    /// @param onSuccess takes every completion but the failed ones
    /// @param requestName says what the request with that number was: a failed completion has no opcode
    public CompletionLoop(
            CompletionQueue cq,
            Waiting waiting,
            Peer peer,
            Duration timeout,
            CompletionHandler onSuccess,
            LongFunction<String> requestName) {
        this.cq = cq;
        this.waiting = waiting;
        this.peer = peer;
        this.timeout = timeout;
        this.onSuccess = onSuccess;
        this.requestName = requestName;
    }

    /// Waits until `isThere`, polling meanwhile; `what` is what the peer should have done, for the error. Throws a
    /// [ProgramException], which is [ProgramException#isDisconnected] when the peer left.
    public void await(BooleanSupplier isThere, String what) {
        await(isThere, what, timeout);
    }

    /// As [#await(BooleanSupplier, String)] with another time than usual; zero: for ever.
    public void await(BooleanSupplier isThere, String what, Duration timeout) {
        if (isThere.getAsBoolean()) {
            return;
        }
        long start = System.nanoTime();
        while (true) {
            waiting.arm(); // arm first, then look: nothing can come in between unseen
            if (poll() > 0) {
                if (isThere.getAsBoolean()) {
                    return;
                }
                if (failure != null) {
                    requireHealthy();
                }
            } else if (waiting.rest()) {
                requireHealthy();
                requireInTime(start, what, timeout);
            }
        }
    }

    /// Waits until the peer disconnects; false when it did not in that time. Polls meanwhile, and throws when a request
    /// failed.
    public boolean awaitDisconnect(Duration patience) {
        long start = System.nanoTime();
        while (!peer.isGone()) {
            waiting.arm();
            if (poll() > 0) {
                continue;
            }
            if (failure != null && failure != CompletionStatus.WORK_REQUEST_FLUSHED) {
                requireHealthy();
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                return false;
            }
            waiting.rest();
        }
        requireNotStopping();
        return true;
    }

    /// Takes what is there, without waiting; returns how many completions that were.
    public int poll() {
        int all = 0;
        int some;
        do {
            some = cq.poll(onCompletion, BATCH);
            all += some;
        } while (some == BATCH);
        return all;
    }

    /// Throws when a request failed or the peer left.
    public void requireHealthy() {
        if (failure != null && failure != CompletionStatus.WORK_REQUEST_FLUSHED) {
            throw new ProgramException(requestName.apply(failed) + " failed: " + failure.explain());
        }
        if (peer.isGone() || failure != null && learnsOfDisconnect()) {
            requireNotStopping();
            throw ProgramException.disconnected("the peer disconnected");
        }
        if (failure != null) {
            throw new ProgramException("the connection broke: " + requestName.apply(failed) + ": " + failure.explain());
        }
    }

    /// When the process is told to stop, its device may say good-bye before this thread hears of it.
    private static void requireNotStopping() {
        if (StopSignal.isStopping()) {
            throw new RdmaException("wait for completions", Errno.EINTR, "the program was stopped");
        }
    }

    private static void requireInTime(long startNs, String what, Duration timeout) {
        if (!timeout.isZero() && System.nanoTime() - startNs > timeout.toNanos()) {
            throw new ProgramException("no " + what + " within " + timeout.toSeconds()
                    + " s: the peer hangs or cannot be reached; --timeout sets how long to wait");
        }
    }

    private void onCompletion(WorkCompletion completion) {
        if (completion.isSuccess()) {
            onSuccess.onCompletion(completion);
        } else if (failure == null || failure == CompletionStatus.WORK_REQUEST_FLUSHED) {
            // the first one tells the cause, the others are only flushed
            failure = completion.status();
            failed = completion.wrId();
        }
    }

    private boolean learnsOfDisconnect() {
        long start = System.nanoTime();
        while (!peer.isGone() && System.nanoTime() - start < NEWS.toNanos()) {
            LockSupport.parkNanos(NEWS_LOOK.toNanos());
        }
        return peer.isGone();
    }
}
