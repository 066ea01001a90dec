package io.verbena.soft.mem;

import io.verbena.soft.SoftProtectionDomain;

/// Who wants to access registered memory: a queue pair. Regions look at its domain; a window that was bound to one
/// queue pair looks at the number too.
public interface MemoryUser {
    SoftProtectionDomain protectionDomain();

    int number();
}
