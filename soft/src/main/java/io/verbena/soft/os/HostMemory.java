package io.verbena.soft.os;

import java.lang.foreign.MemorySegment;

/// A segment over the whole address space, in which words are found by their address. The compiler knows the bounds and
/// scope of a constant segment, so an access compiles to little more than the instruction. Only for memory that stays
/// mapped while a thread can access it. Callers stay within their mappings.
public final class HostMemory {
    @SuppressWarnings("restricted")
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private HostMemory() {}
}
