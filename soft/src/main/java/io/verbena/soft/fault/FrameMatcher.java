package io.verbena.soft.fault;

/// Picks frames for a fault of a [FaultPlan].
@FunctionalInterface
public interface FrameMatcher {
    /// Whether the fault is for this frame.
    boolean matches(FrameView frame);

    /// Picks every frame.
    static FrameMatcher any() {
        return frame -> true;
    }

    /// The frame with `n` others before it: 0 picks the first.
    static FrameMatcher nth(long n) {
        return frame -> frame.index() == n;
    }

    /// Picks frames with that opcode in their base transport header.
    static FrameMatcher opcode(int opcode) {
        return frame -> frame.opcode() == opcode;
    }

    /// Picks frames with that packet sequence number.
    static FrameMatcher psn(int psn) {
        return frame -> frame.psn() == psn;
    }

    /// Picks frames to the queue pair with that number.
    static FrameMatcher destinationQp(int qpNumber) {
        return frame -> frame.destinationQp() == qpNumber;
    }

    /// Picks frames that both matchers pick.
    default FrameMatcher and(FrameMatcher other) {
        return frame -> matches(frame) && other.matches(frame);
    }

    /// Picks frames that one of the matchers picks, or both.
    default FrameMatcher or(FrameMatcher other) {
        return frame -> matches(frame) || other.matches(frame);
    }
}
