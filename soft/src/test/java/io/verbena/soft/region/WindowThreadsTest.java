package io.verbena.soft.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Several threads bind, unbind and close on one queue pair, with real sockets.
class WindowThreadsTest {
    private static final int THREADS = 3;
    private static final int ROUNDS = 200;
    private static final long LONG_ENOUGH_NS = TimeUnit.SECONDS.toNanos(60);

    private final LoopbackPair pair = new LoopbackPair(4096);
    private final MemoryRegion region = pair.right.pd.allocate(4096, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
    private final MemoryWindowBind bind = MemoryWindowBind.of(region, region.address(), 64, Access.REMOTE_WRITE);
    private final MemoryWindowBind unbind = MemoryWindowBind.of(region, region.address(), 0);
    /// Binds that are done, by the thread that asked for them.
    private final AtomicIntegerArray done = new AtomicIntegerArray(THREADS);

    private final AtomicInteger failed = new AtomicInteger();

    @AfterEach
    void close() {
        pair.close();
    }

    private static CompletableFuture<Void> start(Runnable task) {
        return CompletableFuture.runAsync(task, r -> Thread.ofPlatform().start(r));
    }

    private static void join(List<CompletableFuture<Void>> threads) throws Exception {
        for (CompletableFuture<Void> thread : threads) {
            thread.get(60, TimeUnit.SECONDS);
        }
    }

    private void onCompletion(WorkCompletion completion) {
        failed.addAndGet(completion.status() == CompletionStatus.SUCCESS ? 0 : 1);
        done.incrementAndGet((int) completion.wrId());
    }

    private void pollUntil(BooleanSupplier ready) {
        long start = NanoClock.SYSTEM.nowNs();
        while (!ready.getAsBoolean()) {
            pair.right.cq.poll(this::onCompletion, 16);
            assertTrue(NanoClock.SYSTEM.nowNs() - start < LONG_ENOUGH_NS, "it takes too long");
        }
    }

    private void bindAndClose(int thread, MemoryWindow shared) {
        for (int i = 1; i <= ROUNDS; i++) {
            MemoryWindowBind next = i % 2 == 0 ? unbind : bind;
            MemoryWindow own = pair.right.pd.allocateMemoryWindow(MemoryWindowType.TYPE_1);
            pollUntil(() -> shared.bind(pair.right.qp, thread, next));
            pollUntil(() -> own.bind(pair.right.qp, thread, bind));
            int expected = 2 * i;
            pollUntil(() -> done.get(thread) == expected);
            own.close();
        }
    }

    @Test
    void shouldKnowWhatIsBoundWhateverTheOrder() throws Exception {
        MemoryWindow shared = pair.right.pd.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            threads.add(start(() -> bindAndClose(thread, shared)));
        }
        join(threads);
        assertEquals(0, failed.get(), "binds that failed");
        shared.close();
        region.close();
    }

    @Test
    void shouldCloseOnceWhoeverIsFirst() throws Exception {
        for (int i = 1; i <= 50; i++) {
            MemoryWindow window = pair.right.pd.allocateMemoryWindow(MemoryWindowType.TYPE_1);
            MemoryRegion other = pair.right.pd.allocate(64, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
            assertTrue(window.bind(
                    pair.right.qp, 0, MemoryWindowBind.of(other, other.address(), 64, Access.REMOTE_WRITE)));
            int expected = i;
            pollUntil(() -> done.get(0) == expected);
            join(List.of(start(window::close), start(window::close), start(() -> pollUntil(() -> tryClose(other)))));
            assertTrue(((SoftMemoryRegion) other).isClosed());
        }
        assertEquals(0, failed.get());
    }

    private static boolean tryClose(MemoryRegion region) {
        try {
            region.close();
            return true;
        } catch (RdmaException stillBound) {
            return false;
        }
    }
}
