package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import java.util.Set;

/// The region, range and rights of a binding of a type 1 window. Counterpart of `struct ibv_mw_bind`; length 0 unbinds.
///
/// Signaled unless [#signaled(boolean)] says otherwise, because only the completion tells that the key is valid.
public record MemoryWindowBind(
        MemoryRegion region, long address, long length, Set<Access> access, boolean signaled, boolean fenced) {
    /// Copies the set of rights.
    public MemoryWindowBind {
        access = Set.copyOf(Access.of(Access.bits(access)));
    }

    /// Bytes of `region` from `address` on, open to peers with these rights.
    public static MemoryWindowBind of(MemoryRegion region, long address, long length, Access... access) {
        return new MemoryWindowBind(region, address, length, Access.of(Access.bits(access)), true, false);
    }

    /// The same binding, with a completion on success or without one.
    public MemoryWindowBind signaled(boolean signaled) {
        return new MemoryWindowBind(region, address, length, access, signaled, fenced);
    }

    /// Starts only when all earlier READs and atomics are done.
    public MemoryWindowBind fenced(boolean fenced) {
        return new MemoryWindowBind(region, address, length, access, signaled, fenced);
    }
}
