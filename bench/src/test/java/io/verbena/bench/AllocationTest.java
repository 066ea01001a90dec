package io.verbena.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Posting and polling make no garbage, counted by the JVM itself; `./verbena jmh` shows the same with its profiler.
class AllocationTest {
    private static final int WARM_UP = 60_000;
    private static final int CALLS = 100_000;
    private static final int ROUNDS = 5;
    /// Compiling in the background may leave some bytes; one object a call would be a hundred times more.
    private static final long NEARLY_NOTHING = CALLS / 10;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Stub stub;
    private Rig rig;

    @BeforeEach
    void setUp() throws Exception {
        Stub.whyMissing().ifPresent(why -> abort("cannot run: " + why));
        stub = Stub.load();
        rig = new Rig();
    }

    @AfterEach
    void tearDown() {
        if (rig != null) {
            rig.close();
        }
    }

    /// Several rounds: on a busy machine the compiler may come late, and what it has not compiled yet may allocate.
    private static void expectNoGarbage(String what, LongSupplier call) {
        run(call, WARM_UP);
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && bytes >= NEARLY_NOTHING; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            run(call, CALLS);
            bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        long left = bytes;
        assertTrue(left < NEARLY_NOTHING, () -> CALLS + " times " + what + " left " + left + " bytes of garbage");
    }

    private static void run(LongSupplier call, int times) {
        long sum = 0;
        for (int i = 0; i < times; i++) {
            sum += call.getAsLong();
        }
        assertTrue(sum >= 0, "calls are taken");
    }

    @Test
    void shouldLeaveNoGarbageWhenPosting() {
        expectNoGarbage("post a WRITE", () -> rig.postSend() ? 1 : Long.MIN_VALUE);
        expectNoGarbage("post 8 WRITEs", rig::postEightSends);
        expectNoGarbage("post a receive", () -> rig.postReceive() ? 1 : Long.MIN_VALUE);
    }

    @Test
    void shouldLeaveNoGarbageWhenPolling() throws Throwable {
        for (int ready : new int[] {0, 1, 8}) {
            stub.ready(ready);
            expectNoGarbage("poll " + ready + " completions", rig::poll);
        }
    }

    @Test
    void shouldReachTheStubByTheUsualWay() throws Throwable {
        stub.ready(3);
        long first = rig.poll();
        assertTrue(first >= 3, "three completions are there");
        assertEquals(Scenario.CHAIN, rig.postEightSends());
    }
}
