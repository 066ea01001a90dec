package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Memory that is closed while the peer accesses it.
@EnabledOnOs(OS.LINUX)
class ClosedInTheMiddleTest implements OverSharedMemory {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("verbena.test.rounds", 6);
    private static final int LONG_COPY = 32 << 20;

    /// The peer's region is closed in the middle of a WRITE, a READ, or a SEND that is copied from it.
    @Test
    void shouldEndWithSuccessOrErrorWhenRegionIsClosedUnderWay() throws Exception {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        try (SharedPair pair = new SharedPair(SharedPair.PATIENT);
                MemoryRegion mine = pair.left.pd.allocate(LONG_COPY, Access.LOCAL_WRITE)) {
            for (int i = 0; i < ROUNDS; i++) {
                boolean write = random.nextBoolean();
                MemoryRegion theirs =
                        pair.right.pd.allocate(LONG_COPY, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
                try (QueuePair qp = pair.left.pd.createQueuePair(QueuePairOptions.rc(pair.left.cq));
                        QueuePair other = pair.right.pd.createQueuePair(QueuePairOptions.rc(pair.right.cq))) {
                    SharedPair.connect(qp, pair.right, other.number(), 1, 2, SharedPair.IMPATIENT);
                    SharedPair.connect(other, pair.left, qp.number(), 2, 1, SharedPair.IMPATIENT);
                    long pauseNs = random.nextInt(6_000_000);
                    Thread closer = Thread.ofPlatform().start(() -> {
                        LockSupport.parkNanos(pauseNs);
                        theirs.close();
                    });
                    var request = qp.newSendRequest().signaled();
                    qp.post(
                            write
                                    ? request.write(theirs.address(), theirs.rkey())
                                            .from(mine, 0, LONG_COPY)
                                    : request.read(theirs.address(), theirs.rkey())
                                            .into(mine, 0, LONG_COPY));
                    int expected = i + 1;
                    assertTrue(pair.driveUntil(() -> pair.left.completions.size() == expected), "hangs");
                    closer.join(10_000);
                    assertTrue(!closer.isAlive(), "closing hangs");
                    CompletionStatus status = pair.left.completions.getLast().status();
                    assertTrue(
                            status == CompletionStatus.SUCCESS || status == CompletionStatus.REMOTE_ACCESS_ERROR,
                            status::toString);
                }
                assertEquals(0, pair.faults());
            }
            requireOtherConnectionLives(pair);
        }
    }

    /// A killed process first loses its descriptors. That must not make its requests fail as wrong ones.
    @Test
    void shouldWaitForTheEndOfAProcessWhoseDescriptorsAreGone() {
        try (SharedPair pair = new SharedPair(SharedPair.IMPATIENT)) {
            long at = DeviceLayout.regionAt(DeviceLayout.regionSlot(pair.left.memory.lkey()));
            pair.page(pair.left).set(ValueLayout.JAVA_INT, at + DeviceLayout.REGION_DESCRIPTOR, Integer.MAX_VALUE);
            pair.right.receive(1, 0, 100_000);
            pair.left.send(2, 0, 90_000);
            assertTrue(pair.driveUntil(() -> !pair.left.completions.isEmpty()), pair::state);
            assertEquals(
                    CompletionStatus.RETRY_EXCEEDED,
                    pair.left.completions.getLast().status());
            assertEquals(QueuePairState.RTS, pair.right.qp.state());
        }
    }

    private static void requireOtherConnectionLives(SharedPair pair) {
        ConnectionEnd right = pair.right;
        right.receive(1, 0, 100_000);
        pair.left.send(2, 0, 90_000);
        int count = right.completions.size();
        assertTrue(pair.driveUntil(() -> right.completions.size() > count));
        assertEquals(CompletionStatus.SUCCESS, right.completions.getLast().status());
    }

    /// Two sides that copy from each other while both end the connection must not deadlock.
    @Test
    void shouldEndConnectionWhileBothSidesFetch() {
        for (int i = 0; i < ROUNDS; i++) {
            try (SharedPair pair = new SharedPair(SharedPair.IMPATIENT)) {
                // Each message is too long for its receive, which ends the connection in the middle of the fetch.
                pair.left.receive(1, 0, 8);
                pair.right.receive(1, 0, 8);
                pair.left.send(2, 0, 500_000);
                pair.right.send(2, 0, 500_000);
                assertTrue(
                        pair.driveUntil(() -> pair.left.completions.size() == 2 && pair.right.completions.size() == 2));
                assertEquals(0, pair.faults());
            }
        }
    }
}
