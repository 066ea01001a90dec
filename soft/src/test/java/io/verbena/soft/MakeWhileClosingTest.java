package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One thread closes a parent while another makes a child from it. Either the child is made and closing fails (EBUSY),
/// or the parent is closed and making fails. Never both, and nothing leaks.
class MakeWhileClosingTest {
    private static final int ROUNDS = 500;
    private static final Set<Errno> TOO_LATE = EnumSet.of(Errno.EINVAL, Errno.EBADF);

    private final Context context =
            new SimulatedFabric(1).host("10.0.0.1").device().open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue completions = context.createCompletionQueue(1);

    @AfterEach
    void close() {
        completions.close();
        domain.close();
        context.close();
    }

    private interface Maker<P> {
        AutoCloseable make(P parent);
    }

    private static <T> T refusedIf(Set<Errno> expected, Callable<T> call) throws Exception {
        try {
            return call.call();
        } catch (RdmaException e) {
            assertTrue(expected.contains(e.errno()), () -> "unexpected: " + e);
            return null;
        }
    }

    private static <P extends AutoCloseable> void race(Callable<P> parents, Maker<P> maker) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            P parent = parents.call();
            CyclicBarrier together = new CyclicBarrier(2);
            FutureTask<AutoCloseable> making = new FutureTask<>(() -> {
                together.await(30, TimeUnit.SECONDS);
                return refusedIf(TOO_LATE, () -> maker.make(parent));
            });
            FutureTask<Boolean> closing = new FutureTask<>(() -> {
                together.await(30, TimeUnit.SECONDS);
                return refusedIf(EnumSet.of(Errno.EBUSY), () -> {
                    parent.close();
                    return true;
                });
            });
            Thread.ofPlatform().start(making);
            Thread.ofPlatform().start(closing);
            AutoCloseable made = making.get(30, TimeUnit.SECONDS);
            boolean closed = closing.get(30, TimeUnit.SECONDS) != null;
            assertFalse(made != null && closed, "a child of something closed, in round " + round);
            if (made != null) {
                made.close();
            }
            parent.close();
        }
    }

    @Test
    void shouldNotMakeQueuePairsOfClosedCompletionQueues() throws Exception {
        race(() -> context.createCompletionQueue(1), queue -> domain.createQueuePair(QueuePairOptions.rc(queue)));
    }

    @Test
    void shouldNotMakeQueuePairsOfClosedSharedReceiveQueues() throws Exception {
        race(
                () -> domain.createSharedReceiveQueue(SharedReceiveQueueOptions.of(1)),
                (SharedReceiveQueue queue) ->
                        domain.createQueuePair(QueuePairOptions.rc(completions).sharedReceiveQueue(queue)));
    }

    @Test
    void shouldNotMakeAnythingOfAClosedDomain() throws Exception {
        race(context::allocateProtectionDomain, closing -> closing.allocate(8, Access.LOCAL_WRITE));
        race(context::allocateProtectionDomain, closing -> closing.allocateMemoryWindow(MemoryWindowType.TYPE_1));
        race(
                context::allocateProtectionDomain,
                closing -> closing.createSharedReceiveQueue(SharedReceiveQueueOptions.of(1)));
    }

    @Test
    void shouldNotMakeCompletionQueuesOfClosedChannels() throws Exception {
        race(context::createCompletionChannel, channel -> context.createCompletionQueue(1, channel));
    }

    @Test
    void shouldNotMakeAnythingOfAClosedContext() throws Exception {
        race(() -> context.device().open(), Context::allocateProtectionDomain);
    }
}
