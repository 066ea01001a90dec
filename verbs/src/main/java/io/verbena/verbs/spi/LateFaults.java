package io.verbena.verbs.spi;

import java.lang.foreign.MemorySegment;

/// Faults in memory that is mapped from a truncated file. The JVM reports them late: compiled code throws the
/// InternalError at its next safepoint poll, which may be far behind the `try` around the access.
public final class LateFaults {
    private static volatile int step = 1;

    private LateFaults() {}

    /// Throws the fault of the access before. To be called within its `try`.
    public static void take(MemorySegment accessed) {
        if (accessed.isMapped()) {
            // A loop has a safepoint poll. The compiler does not know the number of iterations, so it keeps the poll.
            int turns = 0;
            while (turns < 2) {
                turns += step;
            }
        }
    }
}
