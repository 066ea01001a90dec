package io.verbena.soft.mem;

import io.verbena.verbs.ProtectionDomain;

/// Who wants to access registered memory: a queue pair, or a shared receive queue for the buffers posted to it.
/// Regions look at its domain; a window that was bound on one queue pair looks at which one it is too.
public interface MemoryUser {
    ProtectionDomain protectionDomain();

    /// Windows that were bound to it are free again then.
    boolean isClosed();
}
