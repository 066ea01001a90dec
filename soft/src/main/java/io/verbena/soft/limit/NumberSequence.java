package io.verbena.soft.limit;

import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/// Numbers in an unpredictable order: a counter, permuted under random keys. Since it is a permutation, a
/// number comes again only after all others. Not safe for several threads.
///
/// The permutation is a Feistel network: each round changes one half of the number by a function of the other half and
/// of the round's key, which can be undone, whatever the function is. So different counts give different numbers.
public final class NumberSequence {
    public static final int BITS = 24;

    /// Four rounds make a permutation that looks random to an attacker who sees few numbers; more rounds cost little
    /// here.
    private static final int ROUNDS = 8;

    private final long[] keys = new long[ROUNDS];
    private final int halfBits;
    private final int halfMask;
    private final IntSupplier counter;
    private int count;

    /// Numbers of 24 bits.
    public NumberSequence(RandomGenerator random) {
        this(BITS, random, null);
    }

    /// @param bits of each number, an even count of them
    /// @param counter counts up from anywhere, for a sequence that somebody else began; null for one of its own
    public NumberSequence(int bits, RandomGenerator random, IntSupplier counter) {
        this.halfBits = bits / 2;
        this.halfMask = (1 << halfBits) - 1;
        this.counter = counter == null ? () -> count++ : counter;
        for (int i = 0; i < ROUNDS; i++) {
            keys[i] = random.nextLong();
        }
    }

    public int next() {
        int counted = counter.getAsInt();
        int left = counted >>> halfBits & halfMask;
        int right = counted & halfMask;
        for (long key : keys) {
            int changed = left ^ mix(key ^ right);
            left = right;
            right = changed;
        }
        return left << halfBits | right;
    }

    /// The upper bits of a hash (the finalizer of SplitMix64), which depend on every bit of the key.
    private int mix(long value) {
        long hash = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        hash = (hash ^ hash >>> 27) * 0x94D0_49BB_1331_11EBL;
        return (int) (hash >>> Long.SIZE - halfBits);
    }
}
