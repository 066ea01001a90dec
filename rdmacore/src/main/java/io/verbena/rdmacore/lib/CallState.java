package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.verbs.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/// The memory for `errno` of a call, one piece per thread, and a little more for what a call reads or writes.
///
/// Capturing makes the JDK allocate a little in each call, so posting and polling do without: what they call
/// returns its error number.
public final class CallState {
    static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final long ERRNO_AT =
            Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final long SCRATCH_AT = (Linker.Option.captureStateLayout().byteSize() + 7) / 8 * 8;
    private static final int SCRATCH_BYTES = 64;
    private static final ThreadLocal<MemorySegment> MINE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(SCRATCH_AT + SCRATCH_BYTES, 8));

    private CallState() {}

    /// Where the calling thread has 64 bytes for arguments and results of one call, until it calls something else.
    public static long scratch() {
        return mine().address() + SCRATCH_AT;
    }

    /// The memory of the calling thread, to be passed to the call.
    public static MemorySegment mine() {
        return MINE.get();
    }

    /// The error number that the last call left there.
    public static int errno(MemorySegment state) {
        return state.get(JAVA_INT, ERRNO_AT);
    }

    /// The result of a call when it is not negative, else its error number, negated, as inside the kernel.
    public static int result(MemorySegment state, int returned) {
        return returned >= 0 ? returned : failure(state);
    }

    /// The pointer that a call returned; for NULL its error number, negated. No address is negative.
    public static long pointer(MemorySegment state, long returned) {
        return returned != 0 ? returned : failure(state);
    }

    /// The error number of a call that failed, negated. EIO when it left none, as `ibv_init_ah_from_wc` does: 0 would
    /// look like success.
    static int failure(MemorySegment state) {
        int errno = errno(state);
        return -(errno == 0 ? Errno.EIO.number() : errno);
    }
}
