package io.verbena.soft.mem;

import io.verbena.verbs.ProtectionDomain;

/// A user of registered memory: a queue pair, or a shared receive queue for its posted buffers. Regions check its
/// domain; a window of type 2 also checks that it is the queue pair on which the window was bound.
public interface MemoryUser {
    ProtectionDomain protectionDomain();

    /// Once closed, windows bound on it are free again.
    boolean isClosed();
}
