package io.verbena.soft.net;

import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultCounters;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.fault.FaultRule;
import io.verbena.soft.fault.FrameView;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// Applies a [FaultPlan] to one wire or link. For the one thread that sends.
final class FaultInjector {
    /// How long a frame is held back for others to overtake it: a few packets' time on a busy loopback link.
    private static final long SHORTEST_HOLD_NS = 20_000;

    private static final long LONGEST_HOLD_NS = 200_000;

    private final FaultPlan plan;
    private final FaultRule[] rules;
    private final long[] matched;
    private final long shortestDelayNs;
    private final long longestDelayNs;
    private final SplittableRandom random;
    private final FaultCounters counters;
    private long index;
    private boolean delayed;
    private long lastDueNs;

    /// @param salt tells wires or links with the same plan apart, so that they do not fail in step
    FaultInjector(FaultPlan plan, long salt, FaultCounters counters) {
        this.plan = plan;
        this.counters = counters;
        rules = plan.rules().toArray(FaultRule[]::new);
        matched = new long[rules.length];
        shortestDelayNs = plan.shortestDelay().toNanos();
        longestDelayNs = plan.longestDelay().toNanos();
        random = new SplittableRandom(plan.seed() ^ scatter(salt));
    }

    /// Changes all bits when one changes. Salts of links differ by little, and a product with the step of
    /// [SplittableRandom] would give them the same numbers, only shifted: a request and its answer would be lost
    /// together.
    private static long scatter(long salt) {
        long z = (salt ^ salt >>> 33) * 0xFF51_AFD7_ED55_8CCDL;
        z = (z ^ z >>> 33) * 0xC4CE_B9FE_1A85_EC53L;
        return z ^ z >>> 33;
    }

    FaultCounters counters() {
        return counters;
    }

    /// Decides on the next frame: a set of [Fault#bit]s. Always draws the same number of random values, so that one
    /// fault more or less does not change the faults of later frames.
    int judge(ByteBuffer bytes, int offset, int length) {
        int faults = draw(plan.loss(), Fault.LOSS)
                | draw(plan.duplicate(), Fault.DUPLICATE)
                | draw(plan.reorder(), Fault.REORDER)
                | draw(plan.corrupt(), Fault.CORRUPT);
        if (longestDelayNs > 0) {
            faults |= Fault.DELAY.bit();
        }
        FrameView view = rules.length == 0 ? null : new PendingFrame(index, bytes, offset, length);
        index++;
        for (int i = 0; i < rules.length; i++) {
            if (matched[i] < rules[i].times() && rules[i].matcher().matches(view)) {
                matched[i]++;
                faults |= rules[i].fault().bit();
            }
        }
        if (has(faults, Fault.LOSS)) {
            faults = Fault.LOSS.bit(); // nothing else can happen to it
        }
        counters.add(faults);
        return faults;
    }

    static boolean has(int faults, Fault fault) {
        return (faults & fault.bit()) != 0;
    }

    /// When a frame with these faults is due.
    long dueNs(long nowNs, int faults) {
        long dueNs = nowNs;
        if (longestDelayNs > 0) {
            dueNs += between(shortestDelayNs, longestDelayNs);
            dueNs = delayed && lastDueNs - dueNs > 0 ? lastDueNs : dueNs;
            lastDueNs = dueNs;
            delayed = true;
        }
        return has(faults, Fault.REORDER) ? dueNs + between(SHORTEST_HOLD_NS, LONGEST_HOLD_NS) : dueNs;
    }

    /// Flips one bit and returns its index, so that [#flip] can undo it.
    int corrupt(ByteBuffer bytes, int offset, int length) {
        int bit = offset * Byte.SIZE + random.nextInt(length * Byte.SIZE);
        flip(bytes, bit);
        return bit;
    }

    static void flip(ByteBuffer bytes, int bit) {
        int at = bit / Byte.SIZE;
        bytes.put(at, (byte) (bytes.get(at) ^ 1 << bit % Byte.SIZE));
    }

    private int draw(double probability, Fault fault) {
        return probability > 0 && random.nextDouble() < probability ? fault.bit() : 0;
    }

    private long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }
}
