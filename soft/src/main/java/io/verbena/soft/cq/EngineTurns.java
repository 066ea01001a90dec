package io.verbena.soft.cq;

import io.verbena.soft.os.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/// Decides which of the empty polls of a completion queue with lanes run the engine. A run is a system call, as long as
/// ten empty polls. Runs are frequent while queue pairs of the queue use the network and something was sent or received
/// there a short time ago, else rare. For the poller, except where methods say otherwise.
final class EngineTurns {
    private static final VarHandle IDLE_RUNS = FieldHandle.of(MethodHandles.lookup(), "idleRuns", int.class);

    /// Empty polls for each run: while the network is used, while it could be, and while no queue pair uses it.
    private static final int OFTEN = 64;

    private static final int SELDOM = 512;
    private static final int HARDLY_EVER = 1 << 20;

    /// Runs that find nothing, some 50 microseconds, after which they become rare.
    private static final int PATIENCE = 16;

    private final AtomicInteger networkUsers = new AtomicInteger();
    private int idlePolls;
    /// Runs since the last one that found a completion, or since a post. A lost update only delays the next change.
    private int idleRuns;

    /// A queue pair of this completion queue began or ceased to use the network. From any thread.
    void countNetworkUsers(int change) {
        networkUsers.addAndGet(change);
    }

    /// A request goes over the network: its reply is expected soon. From any thread.
    void onPosted() {
        IDLE_RUNS.setOpaque(this, 0);
    }

    /// Whether an empty poll runs the engine.
    boolean isDue() {
        if (++idlePolls < interval()) {
            return false;
        }
        idlePolls = 0;
        return true;
    }

    private int interval() {
        return networkUsers.get() == 0 ? HARDLY_EVER : (int) IDLE_RUNS.getOpaque(this) < PATIENCE ? OFTEN : SELDOM;
    }

    /// The engine was run.
    void onRun(boolean found) {
        int runs = (int) IDLE_RUNS.getOpaque(this);
        IDLE_RUNS.setOpaque(this, found ? 0 : Math.min(runs + 1, PATIENCE));
    }
}
