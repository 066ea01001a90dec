package io.verbena.soft.mem;

/// The result of a check of an access to registered memory, or of binding or revoking a window.
public enum AccessCheck {
    OK,
    /// The key opens nothing: it never existed, was closed or revoked, or belonged to an earlier user of the slot.
    BAD_KEY,
    WRONG_DOMAIN,
    OUT_OF_RANGE,
    NO_RIGHT,
    /// A window of type 2 that is bound to another queue pair.
    WRONG_QUEUE_PAIR,
    /// A region, or a window of type 1, cannot be revoked by request; nor can every window be bound to every region.
    WRONG_KIND,
    /// A window of type 2 is revoked before it is bound again.
    STILL_BOUND
}
