package io.verbena.spark;

import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.util.LongAccumulator;

/// A shuffle of Spark's own manager, with the accumulators that its tasks report their bytes by.
final class RdmaShuffleHandle extends ShuffleHandle {
    private static final long serialVersionUID = 1;

    private final BaseShuffleHandle<?, ?, ?> sort;
    private final LongAccumulator readBytes;
    private final LongAccumulator otherBytes;

    RdmaShuffleHandle(BaseShuffleHandle<?, ?, ?> sort, LongAccumulator readBytes, LongAccumulator otherBytes) {
        super(sort.shuffleId());
        this.sort = sort;
        this.readBytes = readBytes;
        this.otherBytes = otherBytes;
    }

    /// The one that Spark's own manager knows.
    static ShuffleHandle sort(ShuffleHandle handle) {
        return ((RdmaShuffleHandle) handle).sort;
    }

    BaseShuffleHandle<?, ?, ?> sort() {
        return sort;
    }

    /// What a task has fetched. Of the task's thread.
    void report(long read, long other) {
        readBytes.add(read);
        otherBytes.add(other);
    }
}
