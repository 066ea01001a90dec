package io.verbena.soft.mem;

/// Why an access to registered memory is refused, or that it is not.
public enum AccessCheck {
    OK,
    /// No region has this key: never made, closed, or an older life of the slot.
    BAD_KEY,
    WRONG_DOMAIN,
    OUT_OF_RANGE,
    NO_RIGHT
}
