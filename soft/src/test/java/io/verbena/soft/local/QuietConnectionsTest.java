package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Idle connections cost nothing to poll, and their next message is found.
@EnabledOnOs(OS.LINUX)
class QuietConnectionsTest implements OverSharedMemory {
    private static final int MANY = 40;
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());

    /// Lanes that are polled, which are not quiet.
    private static long polledLanes(TestHost host) {
        return host.neighbourhood.created(LaneLayout.BYTES).stream()
                .filter(lane -> lane.get(ValueLayout.JAVA_INT, LaneLayout.QUIET_AT) == 0)
                .count();
    }

    @Test
    void shouldLeaveOutQuietConnectionsUntilTheySpeak() {
        Random random = new Random(SEED);
        System.out.println("seed " + SEED);
        try (SharedPair pair = new SharedPair(SharedPair.PATIENT)) {
            List<QueuePair> speakers = new ArrayList<>();
            List<QueuePair> listeners = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                QueuePair speaker = pair.left.pd.createQueuePair(QueuePairOptions.rc(pair.left.cq));
                QueuePair listener = pair.right.pd.createQueuePair(QueuePairOptions.rc(pair.right.cq));
                SharedPair.connect(speaker, pair.right, listener.number(), 1, 2, SharedPair.PATIENT);
                SharedPair.connect(listener, pair.left, speaker.number(), 2, 1, SharedPair.PATIENT);
                speakers.add(speaker);
                listeners.add(listener);
            }
            LongSupplier most = () -> Math.max(polledLanes(pair.leftHost), polledLanes(pair.rightHost));
            assertTrue(pair.driveUntil(() -> most.getAsLong() == 0), () -> "still looks at " + most.getAsLong());
            for (int i = 0; i < 3 * MANY; i++) {
                int which = random.nextInt(MANY);
                QueuePair speaker = speakers.get(which);
                QueuePair listener = listeners.get(which);
                listener.post(listener.newReceiveRequest().wrId(which).into(pair.right.memory, 0, 100));
                speaker.post(speaker.newSendRequest().signaled().send().from(pair.left.memory, 0, 50));
                int done = i + 1;
                assertTrue(
                        pair.driveUntil(
                                () -> pair.right.completions.size() == done && pair.left.completions.size() == done),
                        pair::state);
                assertEquals(which, pair.right.completions.getLast().wrId());
                assertEquals(
                        CompletionStatus.SUCCESS,
                        pair.left.completions.getLast().status());
            }
            assertTrue(pair.driveUntil(() -> most.getAsLong() == 0), () -> "still looks at " + most.getAsLong());
            assertEquals(0, pair.faults());
        }
    }
}
