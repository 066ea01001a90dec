package io.verbena.soft.fault;

/// A fault of a frame between two hosts.
public enum Fault {
    /// The frame never arrives.
    LOSS,
    /// The frame arrives twice.
    DUPLICATE,
    /// Frames that were sent later overtake this one.
    REORDER,
    /// One bit of the frame is flipped.
    CORRUPT,
    /// The frame arrives late, and so do those behind it: a delay alone keeps the order.
    DELAY;

    /// A bit of its own for each fault, for sets of faults.
    public int bit() {
        return 1 << ordinal();
    }
}
