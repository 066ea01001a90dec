package io.verbena.rdmacore.event;

/// A channel that threads wait on. What implements it is `Pollable` too.
public interface WaitSource {
    Waitable waitable();
}
