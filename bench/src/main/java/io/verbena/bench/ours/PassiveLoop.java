package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import java.util.concurrent.locks.LockSupport;

/// The passive side of WRITEs, READs and atomics. Its program has nothing to do. A software device that receives from a
/// socket is fastest while it is polled; one with shared memory does not need this side at all.
final class PassiveLoop implements RunLoop {
    private static final long NAP_NS = 1_000_000;

    private final MeasuredConnection connection;
    private final boolean polls;

    PassiveLoop(MeasuredConnection connection, boolean polls) {
        this.connection = connection;
        this.polls = polls;
        new EndMessage(connection).expect();
    }

    @Override
    public void run(Samples samples) {
        if (polls) {
            connection.awaitReceived(1);
            return;
        }
        while (connection.counter.received < 1) {
            LockSupport.parkNanos(NAP_NS);
            connection.poll();
        }
    }
}
