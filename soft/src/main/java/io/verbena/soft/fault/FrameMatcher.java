package io.verbena.soft.fault;

/// Picks frames for a fault of a [FaultPlan].
@FunctionalInterface
public interface FrameMatcher {
    boolean matches(FrameView frame);

    static FrameMatcher any() {
        return frame -> true;
    }

    /// The frame with `n` others before it: 0 picks the first.
    static FrameMatcher nth(long n) {
        return frame -> frame.index() == n;
    }

    static FrameMatcher opcode(int opcode) {
        return frame -> frame.opcode() == opcode;
    }

    static FrameMatcher psn(int psn) {
        return frame -> frame.psn() == psn;
    }

    static FrameMatcher destinationQp(int qpNumber) {
        return frame -> frame.destinationQp() == qpNumber;
    }

    default FrameMatcher and(FrameMatcher other) {
        return frame -> matches(frame) && other.matches(frame);
    }

    default FrameMatcher or(FrameMatcher other) {
        return frame -> matches(frame) || other.matches(frame);
    }
}
