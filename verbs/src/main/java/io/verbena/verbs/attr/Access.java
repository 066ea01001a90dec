package io.verbena.verbs.attr;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// A right on a memory region, a memory window or a queue pair. Local reading is always allowed.
///
/// Counterpart of `enum ibv_access_flags`; [#bit] is the C value.
public enum Access {
    LOCAL_WRITE(1),
    REMOTE_WRITE(1 << 1),
    REMOTE_READ(1 << 2),
    REMOTE_ATOMIC(1 << 3),
    /// Memory windows may be bound to the region.
    MEMORY_WINDOW_BIND(1 << 4),
    /// Remote addresses count from zero instead of from the region's virtual address.
    ZERO_BASED(1 << 5),
    /// Pages are not pinned but come when they are touched. On a software device they always do.
    ON_DEMAND(1 << 6),
    /// A hint; software devices ignore it.
    HUGE_PAGES(1 << 7),
    FLUSH_GLOBAL(1 << 8),
    /// On a software device for memory that is mapped from a file.
    FLUSH_PERSISTENT(1 << 9),
    /// A hint; devices that do not know it ignore it.
    RELAXED_ORDERING(1 << 20);

    private static final int REMOTE =
            REMOTE_WRITE.bit | REMOTE_READ.bit | REMOTE_ATOMIC.bit | FLUSH_GLOBAL.bit | FLUSH_PERSISTENT.bit;

    private final int bit;

    Access(int bit) {
        this.bit = bit;
    }

    /// The bit of this right in a set of rights.
    public int bit() {
        return bit;
    }

    /// Whether a set of rights, as bits, has this one.
    public boolean in(int bits) {
        return (bits & bit) != 0;
    }

    /// The rights as bits.
    public static int bits(Access... rights) {
        int bits = 0;
        for (Access right : Objects.requireNonNull(rights, "the access rights are null")) {
            bits |= Objects.requireNonNull(right, "an access right is null").bit;
        }
        return bits;
    }

    /// The rights as bits.
    public static int bits(Collection<Access> rights) {
        int bits = 0;
        for (Access right : Objects.requireNonNull(rights, "the access rights are null")) {
            bits |= Objects.requireNonNull(right, "an access right is null").bit;
        }
        return bits;
    }

    /// The rights that are set in `bits`; bits without a name here are left out.
    public static Set<Access> of(int bits) {
        EnumSet<Access> rights = EnumSet.noneOf(Access.class);
        for (Access right : values()) {
            if (right.in(bits)) {
                rights.add(right);
            }
        }
        return rights;
    }

    /// Whether any of the rights lets a peer in; only then has a region an rkey.
    public static boolean allowsRemote(int bits) {
        return (bits & REMOTE) != 0;
    }
}
