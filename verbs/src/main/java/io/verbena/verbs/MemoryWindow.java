package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.MemoryWindowType;

/// A part of a region opened to peers under a key of its own, quick to bind and to revoke. Counterpart of `struct
/// ibv_mw`.
public interface MemoryWindow extends AutoCloseable {
    ProtectionDomain protectionDomain();

    MemoryWindowType type();

    int rkey();

    /// Binds a type 1 window; the new key is in [#rkey] at once and valid from the completion on. Length 0 unbinds.
    /// Counterpart of `ibv_bind_mw`.
    boolean bind(QueuePair qp, long wrId, MemoryRegion region, long address, long length, Access... access);

    /// Counterpart of `ibv_dealloc_mw`.
    @Override
    void close();
}
