package io.verbena.spark;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/// A writer of Spark, whose output is registered when it has been committed.
final class RdmaShuffleWriter<K, V> extends ShuffleWriter<K, V> {
    private final ShuffleWriter<K, V> writer;
    private final Consumer<long[]> onCommit;

    /// @param onCommit takes the lengths of the partitions
    RdmaShuffleWriter(ShuffleWriter<K, V> writer, Consumer<long[]> onCommit) {
        this.writer = writer;
        this.onCommit = onCommit;
    }

    @Override
    public void write(Iterator<Product2<K, V>> records) throws IOException {
        writer.write(records);
    }

    @Override
    public Option<MapStatus> stop(boolean isSuccess) {
        Option<MapStatus> status = writer.stop(isSuccess);
        if (isSuccess && status.isDefined()) {
            onCommit.accept(writer.getPartitionLengths());
        }
        return status;
    }

    @Override
    public long[] getPartitionLengths() {
        return writer.getPartitionLengths();
    }
}
