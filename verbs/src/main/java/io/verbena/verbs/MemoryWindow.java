package io.verbena.verbs;

import io.verbena.verbs.attr.MemoryWindowType;

/// A part of a region opened to peers under a key of its own, quick to bind and to revoke. Counterpart of `struct
/// ibv_mw`.
public interface MemoryWindow extends AutoCloseable {
    /// The domain it was made in.
    ProtectionDomain protectionDomain();

    /// The type, which decides how it is bound: by [#bind], or by a posted request.
    MemoryWindowType type();

    /// The key of the last binding. [Keys#increment] gives the next one for a type 2 window.
    int rkey();

    /// Binds a type 1 window; the new key is in [#rkey] at once and valid from the completion on. False when the
    /// send queue is full. Counterpart of `ibv_bind_mw`.
    boolean bind(QueuePair qp, long wrId, MemoryWindowBind bind);

    /// Closes the window and ends its binding, if any. Counterpart of `ibv_dealloc_mw`.
    @Override
    void close();
}
