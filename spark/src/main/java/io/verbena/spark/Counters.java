package io.verbena.spark;

import java.util.concurrent.atomic.LongAdder;

/// What an executor has done. Also the metrics of the plugin, by these names.
final class Counters {
    final LongAdder readBytes = new LongAdder();
    final LongAdder readBlocks = new LongAdder();
    final LongAdder otherBlocks = new LongAdder();
    final LongAdder copiedBytes = new LongAdder();
    final LongAdder usedBytes = new LongAdder();
    final LongAdder registeredBytes = new LongAdder();
    final LongAdder registrations = new LongAdder();
    final LongAdder refusedOutputs = new LongAdder();

    @Override
    public String toString() {
        return "%d blocks of %d bytes fetched by RDMA READ, %d blocks in Spark's own way; %d bytes of map outputs copied into memory that others read, %d registrations, %d map outputs refused"
                .formatted(
                        readBlocks.sum(),
                        readBytes.sum(),
                        otherBlocks.sum(),
                        copiedBytes.sum(),
                        registrations.sum(),
                        refusedOutputs.sum());
    }
}
