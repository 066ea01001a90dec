package io.verbena.tools.program;

import io.verbena.tools.text.StopSignal;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/// Polls a completion queue until a condition holds. The wait always ends: a failed request, a peer that left and a
/// silent peer are errors that say which it was.
public final class CompletionLoop {
    private static final int BATCH = 16;
    /// Polls that find only other completions than the awaited ones, before the clock and the peer are checked.
    private static final int OTHERS = 1024;
    /// How long to wait for the cause after the first flushed request.
    private static final Duration CAUSE_LIMIT = Duration.ofSeconds(2);

    private static final Duration CAUSE_POLL_INTERVAL = Duration.ofMillis(1);

    /// Whether the peer is still connected.
    @FunctionalInterface
    public interface Peer {
        boolean isGone();

        /// What to do about a peer that is silent.
        default String remedy() {
            return "; --timeout sets how long to wait";
        }

        /// A peer is gone when the id has got a DISCONNECTED event.
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
    private final WorkCompletionHandler onSuccess;
    private final LongFunction<String> requestName;
    private final WorkCompletionHandler onCompletion = this::onCompletion;

    private CompletionStatus failure;
    private long failed;

    /// @param timeout how long the peer may keep silent; zero: for ever
    /// @param onSuccess gets every successful completion
    /// @param requestName names the request with that number, since a failed completion has no opcode
    public CompletionLoop(
            CompletionQueue cq,
            Waiting waiting,
            Peer peer,
            Duration timeout,
            WorkCompletionHandler onSuccess,
            LongFunction<String> requestName) {
        this.cq = cq;
        this.waiting = waiting;
        this.peer = peer;
        this.timeout = timeout;
        this.onSuccess = onSuccess;
        this.requestName = requestName;
    }

    /// Polls until `isThere` is true. `what` names the awaited message in errors. Throws a [ProgramException], which is
    /// [ProgramException#isDisconnected] when the peer left.
    public void await(BooleanSupplier isThere, String what) {
        await(isThere, what, timeout);
    }

    /// As [#await(BooleanSupplier, String)] with another timeout; zero: for ever.
    public void await(BooleanSupplier isThere, String what, Duration timeout) {
        if (isThere.getAsBoolean()) {
            return;
        }
        waiting.begin();
        boolean isTimed = waiting.sleeps(); // a spinning wait that is short never reads the clock
        long start = isTimed ? System.nanoTime() : 0;
        int others = 0;
        while (true) {
            waiting.arm(); // arm before polling: a completion in between is not missed
            boolean isEmpty = poll() == 0;
            if (!isEmpty && isThere.getAsBoolean()) {
                return;
            }
            // also when all completions are others than the awaited ones
            boolean isTimeToCheck = isEmpty ? waiting.rest() : ++others % OTHERS == 0;
            if (failure != null || isTimeToCheck && peer.isGone()) {
                if (isThereInTheEnd(isThere)) {
                    return;
                }
                requireHealthy();
            }
            if (isTimeToCheck) {
                start = isTimed ? start : System.nanoTime();
                isTimed = true;
                requireInTime(start, what, timeout);
            }
        }
    }

    /// Messages that the peer sent before it left may have arrived since the last poll.
    private boolean isThereInTheEnd(BooleanSupplier isThere) {
        while (poll() > 0) {
            // at most as many as were posted
        }
        return isThere.getAsBoolean();
    }

    /// Waits until the peer disconnects; false when it did not within `patience`. Polls meanwhile, and throws when a
    /// request failed.
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

    /// Takes completions without waiting; returns their number.
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

    /// The reason why requests were flushed may become known after the first of them: another one failed, or the peer
    /// left.
    private void awaitCause() {
        long start = System.nanoTime();
        while (isFlushed() && !peer.isGone() && System.nanoTime() - start < CAUSE_LIMIT.toNanos()) {
            if (Thread.interrupted()) {
                throw interrupted("the thread was interrupted");
            }
            if (poll() == 0) {
                LockSupport.parkNanos(CAUSE_POLL_INTERVAL.toNanos());
            }
        }
    }

    /// When the process is stopped, its device may disconnect before this thread is interrupted.
    private static void requireNotStopping() {
        if (StopSignal.isStopping()) {
            throw interrupted("the program was stopped");
        }
    }

    private static RdmaException interrupted(String why) {
        return new RdmaException("wait for completions", Errno.EINTR, why);
    }

    private void requireInTime(long startNs, String what, Duration timeout) {
        if (!timeout.isZero() && System.nanoTime() - startNs > timeout.toNanos()) {
            throw new ProgramException("no " + what + " within " + timeout.toSeconds()
                    + " s: the peer hangs or cannot be reached" + peer.remedy());
        }
    }

    private void onCompletion(WorkCompletion completion) {
        if (completion.isSuccess()) {
            onSuccess.onCompletion(completion);
        } else if (failure == null || isFlushed()) {
            // keep the first status, which is the cause: the requests after it are only flushed
            failure = completion.status();
            failed = completion.wrId();
        }
    }
}
