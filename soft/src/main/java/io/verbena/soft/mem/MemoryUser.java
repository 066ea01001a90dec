package io.verbena.soft.mem;

import io.verbena.soft.SoftProtectionDomain;

/// Who wants to access registered memory: a queue pair. Regions look at its domain; a window that was bound to one
/// queue pair looks at which one it is too.
public interface MemoryUser {
    SoftProtectionDomain protectionDomain();

    /// Windows that were bound to it are free again then.
    boolean isClosed();
}
