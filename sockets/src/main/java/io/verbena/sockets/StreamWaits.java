package io.verbena.sockets;

import io.verbena.sockets.protocol.StreamProtocol;
import java.nio.channels.SelectionKey;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// How threads wait for a connection.
final class StreamWaits {
    private static final long PARK_NS = 50_000;

    private final RdmaStream stream;
    private final SpinBudget readBudget = new SpinBudget();
    private final SpinBudget writeBudget = new SpinBudget();

    StreamWaits(RdmaStream stream) {
        this.stream = stream;
    }

    private static Waiter waiter(BooleanSupplier condition) {
        return new Waiter() {
            @Override
            boolean isReady() {
                return condition.getAsBoolean();
            }
        };
    }

    /// Waits until one of the operations is ready, the connection is closed here, the time is over, or the thread is
    /// interrupted.
    void await(int ops, long deadlineNs) {
        SpinBudget budget = (ops & SelectionKey.OP_READ) != 0 ? readBudget : writeBudget;
        long startNs = System.nanoTime();
        Waiter waiter = waiter(() -> (stream.readyOps() & ops) != 0 || stream.isClosed());
        if (!stream.hub().spin(waiter, Math.min(budget.budgetNs(), deadlineNs - startNs))) {
            sleep(waiter, deadlineNs);
        }
        budget.onWaited(System.nanoTime() - startNs);
    }

    private void sleep(Waiter waiter, long deadlineNs) {
        stream.addListener(waiter);
        try {
            stream.hub().await(waiter, deadlineNs);
        } finally {
            stream.removeListener(waiter);
        }
    }

    /// Waits until the peer has all that was written before the connection was closed, or the time is over.
    void awaitClosed(long deadlineNs) {
        sleep(waiter(() -> stream.ending().isDone()), deadlineNs);
    }

    /// Waits until a condition on the protocol holds, the peer has closed, or the time is over.
    void await(Predicate<StreamProtocol> condition, long deadlineNs) {
        spinUntil(() -> stream.holds(protocol -> condition.test(protocol) || !stream.isWritable()), deadlineNs);
    }

    /// Waits until a request is complete, the connection is lost, or the time is over. A peer that has what it waited
    /// for may close before we see that it has it.
    void awaitCompleted(int number, long deadlineNs) {
        spinUntil(() -> stream.holds(protocol -> protocol.isCompleted(number) || stream.isLost()), deadlineNs);
    }

    /// A completed request changes nothing that selectors wait for, so no thread is woken for it. This one polls.
    private void spinUntil(BooleanSupplier condition, long deadlineNs) {
        Waiter waiter = waiter(condition);
        while (!stream.hub().spin(waiter, SpinBudget.MOST_NS)
                && !Thread.currentThread().isInterrupted()
                && deadlineNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(waiter, PARK_NS);
        }
    }
}
