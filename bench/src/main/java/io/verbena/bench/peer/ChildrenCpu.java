package io.verbena.bench.peer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// CPU time of ended child processes, as the kernel counts it. It is exact, while sampling a process misses its end.
@SuppressWarnings("restricted")
final class ChildrenCpu {
    private static final int RUSAGE_CHILDREN = -1;
    private static final int RUSAGE_BYTES = 144;
    private static final MethodHandle GETRUSAGE = Linker.nativeLinker()
            .defaultLookup()
            .find("getrusage")
            .map(address ->
                    Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS)))
            .orElse(null);

    private ChildrenCpu() {}

    /// NaN when the system does not know.
    static double nanoseconds() {
        if (GETRUSAGE == null || !System.getProperty("os.name").equals("Linux")) {
            return Double.NaN;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment usage = arena.allocate(RUSAGE_BYTES, Long.BYTES);
            if ((int) GETRUSAGE.invokeExact(RUSAGE_CHILDREN, usage) != 0) {
                return Double.NaN;
            }
            return timeAt(usage, 0) + timeAt(usage, 2);
        } catch (Throwable e) {
            throw new IllegalStateException("getrusage cannot be called", e);
        }
    }

    /// A `struct timeval`: seconds and microseconds.
    private static double timeAt(MemorySegment usage, long word) {
        return usage.getAtIndex(JAVA_LONG, word) * 1e9 + usage.getAtIndex(JAVA_LONG, word + 1) * 1e3;
    }
}
