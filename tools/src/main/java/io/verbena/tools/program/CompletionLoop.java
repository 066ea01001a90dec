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
    /// How many polls may find only others than the awaited completions before a look at the clock and the peer.
    private static final int OTHERS = 1024;
    /// How long the cause may become known after the first flushed request.
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
        int others = 0;
        while (true) {
            waiting.arm(); // arm first, then look: nothing can come in between unseen
            boolean isEmpty = poll() == 0;
            if (!isEmpty && isThere.getAsBoolean()) {
                return;
            }
            // also when nothing but others than the awaited completions come
            boolean isTimeToLook = isEmpty ? waiting.rest() : ++others % OTHERS == 0;
            if (failure != null || isTimeToLook && peer.isGone()) {
                if (isThereInTheEnd(isThere)) {
                    return;
                }
                requireHealthy();
            }
            if (isTimeToLook) {
                requireInTime(start, what, timeout);
            }
        }
    }

    /// What the peer sent before it left may have come since the last poll.
    private boolean isThereInTheEnd(BooleanSupplier isThere) {
        while (poll() > 0) {
            // no more come than were posted
        }
        return isThere.getAsBoolean();
    }

    /// Waits until the peer disconnects; false when it did not in that time. Polls meanwhile, and throws when a request
    /// failed.
    public boolean awaitDisconnect(Duration patience) {
        long start = System.nanoTime();
        while (!peer.isGone()) {
            waiting.arm();
            boolean isEmpty = poll() == 0;
            if (failure != null && !isFlushed()) {
                requireHealthy();
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                return false;
            }
            if (isEmpty) {
                waiting.rest();
            }
        }
        requireNotStopping();
        return true;
    }

    /// Takes what is there, without waiting; returns how many completions that were.
    private int poll() {
        return cq.poll(onCompletion, BATCH);
    }

    /// Throws when a request failed or the peer left.
    private void requireHealthy() {
        if (isFlushed()) {
            awaitCause();
        }
        if (failure != null && !isFlushed()) {
            throw new ProgramException(requestName.apply(failed) + " failed: " + failure.explain());
        }
        if (peer.isGone()) {
            requireNotStopping();
            throw ProgramException.disconnected("the peer disconnected");
        }
        if (failure != null) {
            throw new ProgramException("the connection broke: " + requestName.apply(failed) + ": " + failure.explain());
        }
    }

    private boolean isFlushed() {
        return failure == CompletionStatus.WORK_REQUEST_FLUSHED;
    }

    /// Why requests were flushed may become known only after the first of them: another one failed, or the peer left.
    private void awaitCause() {
        long start = System.nanoTime();
        while (isFlushed() && !peer.isGone() && System.nanoTime() - start < NEWS.toNanos()) {
            if (Thread.interrupted()) {
                throw interrupted("the thread was interrupted");
            }
            if (poll() == 0) {
                LockSupport.parkNanos(NEWS_LOOK.toNanos());
            }
        }
    }

    /// When the process is told to stop, its device may say good-bye before this thread hears of it.
    private static void requireNotStopping() {
        if (StopSignal.isStopping()) {
            throw interrupted("the program was stopped");
        }
    }

    private static RdmaException interrupted(String why) {
        return new RdmaException("wait for completions", Errno.EINTR, why);
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
        } else if (failure == null || isFlushed()) {
            // the first one tells the cause, the others are only flushed
            failure = completion.status();
            failed = completion.wrId();
        }
    }
}
