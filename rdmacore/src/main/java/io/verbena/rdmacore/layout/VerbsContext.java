package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The struct that newer libraries put in front of `struct ibv_context`: functions at offsets that count backwards from
/// it, as the struct grows at its front. Counterpart of `struct verbs_context`.
public final class VerbsContext {
    /// In `abi_compat` when there is a `verbs_context`.
    private static final long EXTENDED = -1;

    public static final int SZ = -8;
    public static final int CREATE_QP_EX = -56;
    public static final int QUERY_DEVICE_EX = -104;
    public static final int QUERY_PORT = -320;

    private VerbsContext() {}

    /// Whether the library put a `verbs_context` there at all.
    public static boolean isPresent(long context) {
        return IbvContext.ABI_COMPAT.get(context) == EXTENDED;
    }

    /// The function at that place; empty when the library is too old to know it or the driver has none.
    public static Optional<MemorySegment> function(long context, int place) {
        if (!isPresent(context) || Memory.getLong(context + SZ) < IbvContext.SIZE - (long) place) {
            return Optional.empty();
        }
        long function = Memory.getLong(context + place);
        return function == 0 ? Optional.empty() : Optional.of(MemorySegment.ofAddress(function));
    }
}
