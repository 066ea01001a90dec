package io.verbena.soft.os;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The litmus test of store buffering: two sides each store a word of their own and then load the word of the other.
/// Without fences in between both can miss the other's store, because a store may wait in its processor while the load
/// behind it is executed. The two sides may be threads of one process, or of two that have mapped the same memory.
///
/// Each round uses a new number instead of clearing the words. Both sides wait for each other before a round, and the
/// frequent side says afterwards what it saw. The rare side ends it, after a number of rounds or a time.
final class StoreBuffering {
    static final long BYTES = 512;

    /// The fence of the rare side between its store and its load.
    enum Fence {
        NONE,
        FULL,
        RARE_SIDE_IN_PROCESS,
        RARE_SIDE_ON_HOST
    }

    /// The fence of the frequent side.
    enum Half {
        NONE,
        FREQUENT_SIDE,
        FREQUENT_SIDE_IN_PROCESS
    }

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    // Each on a line of its own, so that a store has something to wait for.
    private static final long OF_FREQUENT_AT = 0;
    private static final long OF_RARE_AT = 64;
    private static final long FREQUENT_COMES_AT = 128;
    private static final long RARE_COMES_AT = 192;
    private static final long FREQUENT_LEAVES_AT = 256;
    private static final long SEEN_AT = 264;

    private static final long THE_END = Long.MAX_VALUE;
    private static final long LONGEST_NS = 300_000_000L;
    private static final int SPINS = 1_000;
    /// The sides start up to so many loads apart, in one order or the other.
    private static final long APART = 256;

    private StoreBuffering() {}

    /// The frequent side: stores its word, and loads that of the rare side.
    static void frequent(MemorySegment memory, Half half) {
        for (long round = 1; meet(memory, FREQUENT_COMES_AT, RARE_COMES_AT, round); round++) {
            linger(memory, FREQUENT_COMES_AT, round * 31 % APART);
            WORD.setOpaque(memory, OF_FREQUENT_AT, round);
            switch (half) {
                case NONE -> {}
                case FREQUENT_SIDE -> AsymmetricFence.frequentSide();
                case FREQUENT_SIDE_IN_PROCESS -> AsymmetricFence.frequentSideInProcess();
            }
            long seen = (long) WORD.getOpaque(memory, OF_RARE_AT);
            WORD.setOpaque(memory, SEEN_AT, seen);
            WORD.setRelease(memory, FREQUENT_LEAVES_AT, round);
        }
    }

    /// The rare side: stores its word, and loads that of the frequent side. Returns in how many rounds both missed the
    /// other's store.
    static int rare(MemorySegment memory, int rounds, Fence fence) {
        int missed = 0;
        long startNs = System.nanoTime();
        for (long round = 1; round <= rounds && System.nanoTime() - startNs < LONGEST_NS; round++) {
            meet(memory, RARE_COMES_AT, FREQUENT_COMES_AT, round);
            linger(memory, RARE_COMES_AT, round * 17 / APART % APART);
            WORD.setOpaque(memory, OF_RARE_AT, round);
            switch (fence) {
                case NONE -> {}
                case FULL -> VarHandle.fullFence();
                case RARE_SIDE_IN_PROCESS -> AsymmetricFence.rareSideInProcess();
                case RARE_SIDE_ON_HOST -> AsymmetricFence.rareSideOnHost();
            }
            long seen = (long) WORD.getOpaque(memory, OF_FREQUENT_AT);
            await(memory, FREQUENT_LEAVES_AT, round);
            if (seen < round && (long) WORD.getOpaque(memory, SEEN_AT) < round) {
                missed++;
            }
        }
        WORD.setVolatile(memory, RARE_COMES_AT, THE_END);
        return missed;
    }

    /// False when the other side has ended.
    private static boolean meet(MemorySegment memory, long mine, long theirs, long round) {
        WORD.setVolatile(memory, mine, round);
        return await(memory, theirs, round) != THE_END;
    }

    private static long await(MemorySegment memory, long at, long round) {
        long seen = (long) WORD.getVolatile(memory, at);
        for (int turn = 0; seen < round; turn++) {
            if (turn >= SPINS) {
                Thread.yield();
            }
            seen = (long) WORD.getVolatile(memory, at);
        }
        return seen;
    }

    private static void linger(MemorySegment memory, long at, long turns) {
        for (long turn = 0; turn < turns; turn++) {
            WORD.getOpaque(memory, at);
        }
    }
}
