package io.verbena.tools.program;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;

/// How a thread that waits for completions spends its time.
public interface Waiting {
    /// How often a sleeping thread looks whether the peer is still there; its queue pair usually tells at once.
    Duration LOOK = Duration.ofMillis(100);

    /// How many empty polls a spinning thread makes before it lets others run, if there are any.
    int SPINS = 1024;

    /// Before the queue is polled: asks for an event with the next completion, where one is waited for.
    void arm();

    /// After the queue was found empty. Returns at the latest after [#LOOK]. True when it is time to look at the peer
    /// and the clock: a look may cost more than a poll, so not each time.
    boolean rest();

    /// Whether [#rest] sleeps: then looking at the clock each time costs nothing that matters.
    default boolean sleeps() {
        return true;
    }

    /// Never sleeps: fastest, and burns a core.
    static Waiting spinning() {
        return new Waiting() {
            private int rests;
            private long lookedNs = System.nanoTime();

            @Override
            public void arm() {}

            @Override
            public boolean rest() {
                if (Thread.interrupted()) {
                    throw new RdmaException("wait for completions", Errno.EINTR, "the thread was interrupted");
                }
                Thread.onSpinWait();
                if (++rests % SPINS != 0) {
                    return false;
                }
                Thread.yield(); // where cores are few, the peer may need this one
                long nowNs = System.nanoTime();
                boolean isTime = nowNs - lookedNs > LOOK.toNanos();
                lookedNs = isTime ? nowNs : lookedNs;
                return isTime;
            }

            @Override
            public boolean sleeps() {
                return false;
            }
        };
    }

    /// Sleeps until the queue announces a completion on its channel: no CPU time while nothing happens.
    static Waiting notified(CompletionQueue cq) {
        CompletionChannel channel = cq.channel();
        return new Waiting() {
            @Override
            public void arm() {
                cq.arm();
            }

            @Override
            public boolean rest() {
                return channel.await(LOOK) == null;
            }
        };
    }
}
