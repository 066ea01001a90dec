package io.verbena.soft.fault;

import java.util.concurrent.atomic.AtomicLongArray;

/// Counts the frames of a faulty wire or link, and their faults. Any thread may read.
public final class FaultCounters {
    private static final Fault[] FAULTS = Fault.values();
    private static final int FRAMES = FAULTS.length;

    private final AtomicLongArray values = new AtomicLongArray(FRAMES + 1);

    /// Makes counters that are all 0.
    public FaultCounters() {}

    /// All frames that were to be sent.
    public long frames() {
        return values.getOpaque(FRAMES);
    }

    /// How many frames had that fault.
    public long count(Fault fault) {
        return values.getOpaque(fault.ordinal());
    }

    /// Counts a frame with a set of faults, bits of [Fault#bit]. For the one thread that sends.
    public void add(int faults) {
        increment(FRAMES);
        for (Fault fault : FAULTS) {
            if ((faults & fault.bit()) != 0) {
                increment(fault.ordinal());
            }
        }
    }

    /// Counts a fault of a frame that is already counted.
    public void addLate(Fault fault) {
        increment(fault.ordinal());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("frames=").append(frames());
        for (Fault fault : FAULTS) {
            text.append(' ')
                    .append(fault.name().toLowerCase(java.util.Locale.ROOT))
                    .append('=')
                    .append(count(fault));
        }
        return text.toString();
    }

    private void increment(int i) {
        values.setOpaque(i, values.getPlain(i) + 1);
    }
}
