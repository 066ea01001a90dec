package io.verbena.soft.cq;

import io.verbena.soft.engine.Simulation;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.wait.Waiter;
import io.verbena.verbs.WorkCompletionHandler;
import java.time.Duration;

/// Polls a completion queue under a virtual clock, which advances only while threads wait.
final class VirtualPolling {
    /// Empty polls in a row that take no virtual time, and the longest wait of each further one.
    private static final int FREE_POLLS = 1000;

    private static final long PAUSE_NS = 100_000;

    private final SoftCompletionQueue queue;
    private final Simulation simulation;
    private final NanoClock clock;
    private int emptyPolls;

    VirtualPolling(SoftCompletionQueue queue, Simulation simulation, NanoClock clock) {
        this.queue = queue;
        this.simulation = simulation;
        this.clock = clock;
    }

    /// Without a wait, virtual time would stand still for a program that only polls, and no other thread would have a
    /// turn. So after many empty polls each poll waits.
    void onPolled(int taken) {
        emptyPolls = taken > 0 ? 0 : emptyPolls + 1;
        if (emptyPolls > FREE_POLLS) {
            simulation.await(queue::hasQueued, PAUSE_NS);
        }
    }

    int poll(WorkCompletionHandler handler, int count, Duration timeout) {
        long startNs = clock.nowNs();
        long budgetNs = Waiter.nanoseconds(timeout);
        int done = queue.poll(handler, count);
        boolean more = true;
        while (more && done < count) {
            // The handler runs only in this thread; any thread may evaluate the condition.
            more = simulation.await(() -> queue.hasQueued() || queue.isClosed(), budgetNs - (clock.nowNs() - startNs));
            done += queue.takeQueued(handler, count - done);
        }
        return done;
    }
}
