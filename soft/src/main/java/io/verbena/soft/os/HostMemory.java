package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/// A segment over the whole address space, in which words are found by their address. The compiler knows the bounds and
/// scope of a constant segment, so an access compiles to little more than the instruction. Only for memory that stays
/// mapped while a thread can access it. Callers stay within their mappings.
public final class HostMemory {
    @SuppressWarnings("restricted")
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final int LAST_BYTES = 64;

    /// From this many bytes on, [#copyLarge] is faster than [MemorySegment#copy], by a quarter where the memory is in
    /// the second level of the cache.
    public static final int LARGE = 32 << 10;

    private static final MethodHandle MEMCPY =
            CLibrary.criticalFunction("memcpy", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private HostMemory() {}

    /// Copies at least [#LARGE] bytes from one address to another. Only in memory that cannot be truncated: a fault in
    /// a function of C ends the process. The last cache line is copied last, because programs wait for the last byte of
    /// a WRITE, and the C function may copy in any order.
    public static void copyLarge(long from, long to, long bytes) {
        long most = bytes - LAST_BYTES;
        try {
            long ignored = (long) MEMCPY.invokeExact(to, from, most);
        } catch (Throwable e) {
            throw CLibrary.unexpected(e);
        }
        VarHandle.releaseFence();
        MemorySegment.copy(ALL, from + most, ALL, to + most, LAST_BYTES);
    }
}
