package io.verbena.soft.mem;

/// Why an access to registered memory, or the binding or revoking of a window, is refused, or that it is not.
public enum AccessCheck {
    OK,
    /// Nothing is open under this key: never made, closed, revoked, or an older life of the slot.
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
