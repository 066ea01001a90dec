package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.CompletionStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Something that was asked for and is not done yet: a message that was sent, an access to remote memory, a call. It
/// ends with success or with an exception, whatever happens to the connection.
///
/// ```java
/// Pending sent = connection.sendAsync(bytes);
/// ... // other work
/// sent.await(Duration.ofSeconds(2));
/// ```
public final class Pending implements SentRequest {
    private static final Object DONE = new Object();

    private final ConnectionLink connection;

    /// Makes the text for messages, which most requests never need.
    private final Supplier<String> what;

    /// What to do with the local memory when it is not needed any more; null for nothing.
    private Consumer<RuntimeException> release;

    /// Of a call.
    private long number;

    private volatile boolean done;
    private RuntimeException failure;
    private Message reply;

    private final AtomicBoolean finished = new AtomicBoolean();

    /// The waiting thread, a callback, or [#DONE].
    private final AtomicReference<Object> listener = new AtomicReference<>();

    Pending(ConnectionLink connection, Supplier<String> what) {
        this.connection = connection;
        this.what = what;
    }

    /// To be called before the request is posted.
    ///
    /// @param action gets the failure, or null
    Pending releasing(Consumer<RuntimeException> action) {
        release = action;
        return this;
    }

    /// What was asked for, for messages.
    @Override
    public String toString() {
        return what.get();
    }

    void number(long callNumber) {
        number = callNumber;
    }

    long number() {
        return number;
    }

    // ---- of the owner of the hub, or of a thread that could not post ----

    @Override
    public void onCompleted(CompletionStatus status) {
        if (status == CompletionStatus.SUCCESS) {
            finish(null);
        } else {
            finish(connection.loss().reasonOr(this, status));
        }
    }

    /// Whether it has ended. Without letting the connection go on.
    boolean isEnded() {
        return done;
    }

    /// Whether a thread waits for it, or a callback. A thread that gave up does not.
    boolean isAwaited() {
        Object listening = listener.get();
        return listening instanceof Waiter waiter ? !waiter.isOver() : listening != null;
    }

    void onReply(Message message) {
        reply = message;
        finish(null);
    }

    void finish(RuntimeException problem) {
        if (finished.getAndSet(true)) {
            return;
        }
        failure = problem;
        if (release != null) {
            release.accept(problem);
        }
        done = true;
        Object listening = listener.getAndSet(DONE);
        if (listening instanceof Waiter waiter) {
            waiter.tryFinish();
        } else if (listening instanceof Callback callback) {
            callback.run();
        }
    }

    // ---- of the program ----

    /// Whether it has ended, well or not. Does not wait, and lets the connection go on.
    public boolean isDone() {
        if (!done) {
            connection.progress();
        }
        return done;
    }

    /// Waits until it has ended; throws why if it failed, and ETIMEDOUT when the time is over before. It can be awaited
    /// again then.
    public void await(Duration timeout) {
        if (!done) {
            DoneWaiter waiter = new DoneWaiter();
            connection.waits().await(waiter, timeout, this, Waits.UNANSWERED);
            if (waiter.isRefused) {
                throw new RdmaException(
                        "await " + this, Errno.EBUSY, "another thread or a callback waits for it already");
            }
        }
        if (failure != null) {
            throw connection.loss().told(failure);
        }
    }

    /// Waits as long as the options of the connection say.
    public void await() {
        await(connection.options().timeout());
    }

    /// The answer to a call, which the caller closes; null for other things. It must have ended.
    public Message reply() {
        if (!done) {
            throw new IllegalStateException(this + " has not ended; await it first");
        }
        if (failure != null) {
            throw connection.loss().told(failure);
        }
        return reply;
    }

    /// Calls `callback` when it has ended, with null or with the reason of its failure: at once if it has, otherwise by
    /// the thread that handles the completions of the connection, so it must not wait. One callback at most.
    public void onDone(Consumer<RuntimeException> callback) {
        Objects.requireNonNull(callback, "the callback is null");
        Callback listening = new Callback(callback, true);
        connection.watch();
        Object before = listen(listening);
        if (before == null) {
            return;
        }
        connection.unwatch();
        if (before != DONE) {
            throw new IllegalStateException(this + " has a callback or a thread that waits for it already");
        }
        listening.call(); // not as a handler: this thread need not be the owner of the hub, and may wait
    }

    /// Takes the place of nobody, or of a thread that gave up. Null when it did, otherwise who is there.
    private Object listen(Object listening) {
        Object before = listener.compareAndExchange(null, listening);
        boolean hasGivenUp = before instanceof Waiter waiter && waiter.isOver();
        if (hasGivenUp && listener.compareAndSet(before, listening)) {
            return null;
        }
        return hasGivenUp ? listener.get() : before;
    }

    /// The same as a stage of the JDK, which has the answer to a call, null for other things, or the failure.
    public CompletionStage<Message> toCompletionStage() {
        CompletableFuture<Message> future = new CompletableFuture<>();
        onDone(problem -> {
            if (problem == null) {
                future.complete(reply);
            } else {
                future.completeExceptionally(problem);
            }
        });
        return future;
    }

    /// As [#onDone], inside the library: nothing needs to be watched. A thread that waited has given up. Of the owner
    /// of the hub, or before the request is posted.
    void onEnded(Consumer<RuntimeException> callback) {
        Callback listening = new Callback(callback, false);
        if (done || listener.getAndSet(listening) == DONE) {
            listener.set(DONE);
            listening.run();
        }
    }

    private final class Callback {
        private final Consumer<RuntimeException> callback;
        private final boolean isWatched;

        Callback(Consumer<RuntimeException> callback, boolean isWatched) {
            this.callback = callback;
            this.isWatched = isWatched;
        }

        void run() {
            if (isWatched) {
                connection.unwatch();
            }
            Hub hub = connection.resources().hub();
            Thread before = hub.beginHandler();
            try {
                call();
            } finally {
                hub.endHandler(before);
            }
        }

        private void call() {
            try {
                callback.accept(failure);
            } catch (Throwable e) {
                // The thread that handles completions has nothing to do with it.
                EndpointEvents.failed("a callback of " + Pending.this, e);
            }
        }
    }

    private final class DoneWaiter extends Waiter {
        /// Whether another thread or a callback waits already.
        private boolean isRefused;

        @Override
        boolean isReady() {
            return done || isRefused;
        }

        @Override
        void enlist() {
            Object before = listen(this);
            isRefused = before != null && before != DONE;
            tryFinish();
        }
    }
}
