package io.verbena.tools.program;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import java.time.Duration;

/// How a thread waits for completions: spinning or asleep.
public interface Waiting extends AutoCloseable {
    /// How often a sleeping thread checks the peer; usually its queue pair reports that the peer is gone at once.
    Duration LOOK = Duration.ofMillis(100);

    /// Empty polls of a spinning thread before it yields the processor.
    int SPINS = 1024;

    /// To be called when a wait begins.
    default void begin() {}

    /// To be called before the queue is polled. Arms the queue if [#rest] waits for its event.
    void arm();

    /// To be called after an empty poll. Returns after [#LOOK] at the latest. True when it is time to check the peer
    /// and the clock, which may cost more than a poll.
    boolean rest();

    /// Whether [#rest] sleeps: then reading the clock each time costs nothing that matters.
    default boolean sleeps() {
        return true;
    }

    /// Closes what waits, not what is waited for.
    @Override
    default void close() {}

    /// Never sleeps: fastest, and burns a core.
    static Waiting spinning() {
        return new Waiting() {
            private int rests;
            private long checkedNs = System.nanoTime();

            @Override
            public void arm() {}

            @Override
            public boolean rest() {
                if (Thread.interrupted()) {
                    throw Result.interrupt("wait for completions");
                }
                Thread.onSpinWait();
                if (++rests % SPINS != 0) {
                    return false;
                }
                Thread.yield(); // where cores are few, the peer may need this one
                long nowNs = System.nanoTime();
                boolean isTime = nowNs - checkedNs > LOOK.toNanos();
                checkedNs = isTime ? nowNs : checkedNs;
                return isTime;
            }

            @Override
            public boolean sleeps() {
                return false;
            }
        };
    }

    /// Sleeps until the queue puts an event into its channel: no CPU time while nothing happens.
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
