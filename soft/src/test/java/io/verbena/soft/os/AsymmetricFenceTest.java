package io.verbena.soft.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.soft.os.StoreBuffering.Fence;
import io.verbena.soft.os.StoreBuffering.Half;
import io.verbena.soft.rig.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Checks the fences that [BiasedLock] and the closing of memory rely on.
@Timeout(60)
class AsymmetricFenceTest {
    private static final int ROUNDS = 100_000;
    private static final List<String> COMPILED_WELL = List.of("-XX:TieredStopAtLevel=4");

    /// In how many rounds two threads of this process missed each other.
    private static int missed(Half half, Fence fence) throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(StoreBuffering.BYTES, 64);
            Thread other = new Thread(() -> StoreBuffering.frequent(memory, half));
            other.start();
            int missed = StoreBuffering.rare(memory, ROUNDS, fence);
            other.join();
            return missed;
        }
    }

    static int missedInProcess() throws InterruptedException {
        return missed(Half.FREQUENT_SIDE_IN_PROCESS, Fence.RARE_SIDE_IN_PROCESS);
    }

    @Test
    void shouldLetOneOfTwoThreadsSeeTheOther() throws Exception {
        assertEquals(0, missedInProcess());
    }

    @Test
    void shouldLetOneOfTwoThreadsSeeTheOtherWithFencesForTheHost() throws Exception {
        assumeTrue(AsymmetricFence.ON_HOST);
        assertEquals(0, missed(Half.FREQUENT_SIDE, Fence.RARE_SIDE_ON_HOST));
    }

    /// Shows that the tests above can fail. It counts as skipped on a machine where they cannot.
    @Test
    void shouldLetThreadsMissEachOtherWithoutFences() throws Exception {
        assumeTrue(missed(Half.NONE, Fence.NONE) > 0, "never seen on this machine");
    }

    /// Shows that these tests can fail, too: the rare side must reach the other thread.
    @Test
    void shouldLetThreadsMissEachOtherWithOnlyOneFullFence() throws Exception {
        assumeTrue(missed(Half.FREQUENT_SIDE, Fence.FULL) > 0, "never seen on this machine");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLetOneOfTwoProcessesSeeTheOther() throws Exception {
        assumeTrue(AsymmetricFence.ON_HOST);
        try (SealedMemory shared = SealedMemory.create(2 * StoreBuffering.BYTES, true);
                ChildJvm child = new ChildJvm(
                        List.of(),
                        COMPILED_WELL,
                        FrequentProcess.class,
                        Long.toString(ProcessHandle.current().pid()),
                        Integer.toString(shared.fd()),
                        Long.toString(shared.nonce()))) {
            assertTrue(Boolean.parseBoolean(child.line()), "fences reach the other process");
            MemorySegment memory = shared.memory();
            int without = StoreBuffering.rare(memory, ROUNDS, Fence.NONE);
            int with = StoreBuffering.rare(memory.asSlice(StoreBuffering.BYTES), ROUNDS, Fence.RARE_SIDE_ON_HOST);
            assertEquals(0, with);
            assertEquals(0, child.end());
            assumeTrue(without > 0, "without fences they do not miss each other on this machine either");
        }
    }

    /// The rare side reaches no other thread then, so the frequent side must execute a full fence itself.
    @Test
    void shouldMakeFullFencesOnBothSidesWhenTurnedOff() throws Exception {
        try (ChildJvm child = UnbiasedProcess.start(UnbiasedProcess.FENCES)) {
            assertEquals("false false", child.line());
            assertEquals("0", child.line());
            assertEquals(0, child.end());
        }
    }
}
