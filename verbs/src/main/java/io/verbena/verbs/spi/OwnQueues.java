package io.verbena.verbs.spi;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import java.util.ArrayDeque;
import java.util.Deque;

/// The completion queues that a connection id makes for its queue pair where the program names none, each with a
/// completion channel, as `rdma_create_qp` does. For providers: make them, make the queue pair with [#options], and
/// close them after it.
public final class OwnQueues implements AutoCloseable {
    private final Context context;
    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private final QueuePairOptions options;

    /// Makes the queues that the options leave out; none when they name both.
    public OwnQueues(Context context, QueuePairOptions wanted) {
        this.context = context;
        if (wanted.receiveCq() == null && wanted.sharedReceiveQueue() != null) {
            throw new RdmaException(
                    "rdma_create_qp",
                    Errno.EINVAL,
                    "receives of a shared receive queue need a completion queue of the program's; name it with"
                            + " QueuePairOptions.of(type, sendCq, receiveCq)");
        }
        try {
            options = wanted.completionQueues(
                    make(wanted.sendCq(), wanted.capabilities().maxSendRequests()),
                    make(wanted.receiveCq(), wanted.capabilities().maxReceiveRequests()));
        } catch (RuntimeException e) {
            closeAfter(e);
            throw e;
        }
    }

    /// Closes the queues after another failure. The program gets that failure, not those of closing.
    public void closeAfter(RuntimeException failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /// For queue pairs that no connection id makes: EINVAL when a queue is left out.
    public static void requireNone(QueuePairOptions options) {
        if (options.sendCq() == null || options.receiveCq() == null) {
            throw new RdmaException(
                    "create queue pair",
                    Errno.EINVAL,
                    "the options name no completion queue, and only ConnectionId.createQueuePair makes its own; say"
                            + " QueuePairOptions.rc(cq)");
        }
    }

    private CompletionQueue make(CompletionQueue named, int entries) {
        if (named != null) {
            return named;
        }
        var channel = context.createCompletionChannel();
        made.push(channel);
        CompletionQueue queue = context.createCompletionQueue(Math.max(1, entries), channel);
        made.push(queue);
        return queue;
    }

    /// The options with all queues named.
    public QueuePairOptions options() {
        return options;
    }

    /// Closes the queues, newest first; EBUSY while another queue pair uses one. Closing again closes the rest.
    @Override
    public void close() {
        while (!made.isEmpty()) {
            close(made.peek());
            made.pop();
        }
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("completion queues and channels throw no checked exceptions", e);
        }
    }
}
