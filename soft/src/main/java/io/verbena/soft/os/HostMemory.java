package io.verbena.soft.os;

import java.lang.foreign.MemorySegment;

/// All memory there is, so that words are found by their address: the compiler knows everything about a constant
/// segment, and little is left of an access but the instruction. Only for memory that is unmapped when no thread can be
/// inside; callers stay within what they have mapped.
public final class HostMemory {
    @SuppressWarnings("restricted")
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private HostMemory() {}
}
