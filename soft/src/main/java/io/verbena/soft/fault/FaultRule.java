package io.verbena.soft.fault;

import java.util.Objects;

/// A fault for picked frames, the first `times` of them on each wire or link.
public record FaultRule(Fault fault, FrameMatcher matcher, long times) {
    /// Refuses a delay, which is for all frames, and fewer than one frame.
    public FaultRule {
        Objects.requireNonNull(fault, "the fault is null");
        Objects.requireNonNull(matcher, "the matcher is null");
        if (fault == Fault.DELAY) {
            throw new IllegalArgumentException(
                    "a delay is for all frames: FaultPlan.withDelay; to hold single frames back," + " use REORDER");
        }
        if (times < 1) {
            throw new IllegalArgumentException("a rule for " + times + " frames does nothing; say 1 or more");
        }
    }
}
