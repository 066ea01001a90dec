package io.verbena.conformance.bench;

/// Two queue pairs that belong together.
public record Link(End left, End right, LinkOptions options) {
    /// Brings both from RESET to RTS.
    public void connect() {
        left.toInit();
        right.toInit();
        left.toRtr(right);
        right.toRtr(left);
        left.toRts();
        right.toRts();
    }
}
