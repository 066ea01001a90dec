package io.verbena.conformance.bench;

/// Two queue pairs, one of each device, that are or will be connected to each other.
public record QueuePairLink(LinkEnd left, LinkEnd right, LinkOptions options) {
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
