package io.verbena.bench.connections;

import io.verbena.bench.side.Sample;

/// The memory of one process for each connection, in bytes.
///
/// - `heap`: while they are open
/// - `resident`: the same for all memory of the process, in and outside the heap
/// - `heapAfter`: when they are closed
record Growth(double heap, double resident, double heapAfter) {
    private static final double KIB = 1024;

    static Growth of(Sample before, Sample open, Sample after, int connections) {
        double each = KIB / connections;
        return new Growth(
                (open.heapKb() - before.heapKb()) * each,
                (open.residentKb() - before.residentKb()) * each,
                (after.heapKb() - before.heapKb()) * each);
    }
}
