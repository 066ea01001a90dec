package io.verbena.soft.mem;

import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.MemoryWindowType;

/// The rules for binding and revoking windows: MW-1 to MW-3 and INV-2.
final class WindowRules {
    private static final int NEEDS_LOCAL_WRITE = Access.bits(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    private static final int FLUSHES = Access.bits(Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);

    private WindowRules() {}

    private static boolean isType2(BindableWindow window) {
        return window != null && window.type() == MemoryWindowType.TYPE_2;
    }

    private static boolean isZeroBased(int access) {
        return Access.ZERO_BASED.in(access);
    }

    static AccessCheck mayRevoke(MemoryKey key, MemoryUser user) {
        if (!isType2(key.window())) {
            return AccessCheck.WRONG_KIND;
        }
        if (key.window().protectionDomain() != user.protectionDomain()) {
            return AccessCheck.WRONG_DOMAIN;
        }
        return key.onlyUser() == null || key.onlyUser() == user ? AccessCheck.OK : AccessCheck.WRONG_QUEUE_PAIR;
    }

    /// @param region null to bind to nothing
    static AccessCheck mayBind(
            MemoryKey window, MemoryKey region, MemoryUser user, long address, long length, int access) {
        if (window.window().protectionDomain() != user.protectionDomain()) {
            return AccessCheck.WRONG_DOMAIN;
        }
        if (isType2(window.window())) {
            if (region == null) {
                return AccessCheck.OUT_OF_RANGE;
            }
            if (window.domain() != null && !window.onlyUser().isClosed()) {
                return AccessCheck.STILL_BOUND;
            }
        } else if (isZeroBased(access) || region != null && isZeroBased(region.access())) {
            return AccessCheck.WRONG_KIND;
        }
        return region == null ? AccessCheck.OK : allows(region, user, address, length, access);
    }

    private static AccessCheck allows(MemoryKey region, MemoryUser user, long address, long length, int access) {
        if (region.window() != null) {
            return AccessCheck.WRONG_KIND;
        }
        int needed = Access.MEMORY_WINDOW_BIND.bit() | access & FLUSHES;
        if ((access & NEEDS_LOCAL_WRITE) != 0) {
            needed |= Access.LOCAL_WRITE.bit();
        }
        return region.check(user, address, length, needed);
    }

    /// The key of a window once it is bound.
    ///
    /// @param region null for nothing
    static MemoryKey bound(
            KeySlot window, int rkey, MemoryKey region, MemoryUser user, long address, long length, int access) {
        if (region == null) {
            return MemoryKey.ofNothing(window, rkey);
        }
        long firstAddress = isZeroBased(access) ? 0 : address;
        MemoryUser onlyUser = isType2(window.window()) ? user : null;
        return region.part(window, rkey, onlyUser, address, length, firstAddress, access);
    }
}
