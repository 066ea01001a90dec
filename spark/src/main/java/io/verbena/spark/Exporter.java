package io.verbena.spark;

import java.lang.foreign.MemorySegment;

/// Lets other executors read memory under a name.
interface Exporter {
    /// Memory that others can read.
    interface Exported extends AutoCloseable {
        MemorySegment memory();

        /// Ends it, after reads that are under way.
        @Override
        void close();
    }

    /// New memory, which ends with the export.
    Exported allocate(String name, long bytes);

    /// Memory of the caller, such as a mapped file.
    Exported export(String name, MemorySegment memory);
}
