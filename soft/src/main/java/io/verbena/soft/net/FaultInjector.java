package io.verbena.soft.net;

import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultCounters;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.fault.FaultRule;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// Carries out a [FaultPlan] on one wire or link. For the one thread that sends.
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
    private final PendingFrame view = new PendingFrame();
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
        random = new SplittableRandom(plan.seed() ^ salt * 0x9E37_79B9_7F4A_7C15L);
    }

    FaultCounters counters() {
        return counters;
    }

    /// Decides on the next frame: a set of [Fault#bit]s. Draws the same chances whatever comes out, so that one
    /// fault more or less does not change the fate of the frames behind.
    int judge(ByteBuffer bytes, int offset, int length) {
        int faults = draw(plan.loss(), Fault.LOSS)
                | draw(plan.duplicate(), Fault.DUPLICATE)
                | draw(plan.reorder(), Fault.REORDER)
                | draw(plan.corrupt(), Fault.CORRUPT);
        if (longestDelayNs > 0) {
            faults |= Fault.DELAY.bit();
        }
        view.show(index++, bytes, offset, length);
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

    /// When a frame with these faults is to leave.
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

    /// Turns one bit over and returns which, for [#flip] to undo it.
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
