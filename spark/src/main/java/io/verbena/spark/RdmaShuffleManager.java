package io.verbena.spark;

import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.TaskCompletionListener;

/// Spark's sort shuffle, whose reducers fetch the blocks of other executors by RDMA READ. Map outputs are written as
/// always, copied into registered memory when they are committed, or mapped, and stay readable in Spark's own way,
/// which is taken where RDMA cannot: see [RdmaShufflePlugin], which is set with it.
public final class RdmaShuffleManager extends SortShuffleManager {
    private static final String READ = "shuffle bytes by RDMA READ";
    private static final String OTHER = "shuffle bytes in Spark's own way";

    /// Of the driver, made with the first shuffle; null before.
    private LongAccumulator readBytes;

    private LongAccumulator otherBytes;

    /// Made by Spark.
    public RdmaShuffleManager(SparkConf conf, boolean isDriver) {
        super(conf);
    }

    /// What the tasks of an application have fetched from other executors.
    ///
    /// @param read by RDMA READ
    /// @param other in Spark's own way
    public record RemoteBytes(long read, long other) {}

    /// What tasks that have succeeded fetched so far. For the driver.
    public synchronized RemoteBytes remoteBytes() {
        return readBytes == null ? new RemoteBytes(0, 0) : new RemoteBytes(readBytes.sum(), otherBytes.sum());
    }

    @Override
    public synchronized <K, V, C> ShuffleHandle registerShuffle(int shuffle, ShuffleDependency<K, V, C> dependency) {
        if (readBytes == null) {
            SparkContext context = SparkContext.getOrCreate();
            readBytes = context.longAccumulator(READ);
            otherBytes = context.longAccumulator(OTHER);
        }
        BaseShuffleHandle<?, ?, ?> sort = (BaseShuffleHandle<?, ?, ?>) super.registerShuffle(shuffle, dependency);
        return new RdmaShuffleHandle(sort, readBytes, otherBytes);
    }

    @Override
    public <K, V> ShuffleWriter<K, V> getWriter(
            ShuffleHandle handle, long map, TaskContext context, ShuffleWriteMetricsReporter metrics) {
        ShuffleWriter<K, V> writer = super.getWriter(RdmaShuffleHandle.sort(handle), map, context, metrics);
        ExecutorNode node = RdmaShufflePlugin.state().node();
        if (node == null) {
            return writer;
        }
        node.connectAhead();
        MapOutputs.Id id = new MapOutputs.Id(handle.shuffleId(), map);
        return new RdmaShuffleWriter<>(
                writer,
                lengths -> node.outputs().add(id, shuffleBlockResolver().getDataFile(id.shuffle(), map), lengths));
    }

    @Override
    public <K, C> ShuffleReader<K, C> getReader(
            ShuffleHandle handle,
            int startMapIndex,
            int endMapIndex,
            int startPartition,
            int endPartition,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        RdmaShuffleHandle rdma = (RdmaShuffleHandle) handle;
        ExecutorNode node = RdmaShufflePlugin.state().node();
        if (node == null || rdma.sort().dependency().shuffleMergeEnabled()) {
            return super.getReader(
                    rdma.sort(), startMapIndex, endMapIndex, startPartition, endPartition, context, metrics);
        }
        SparkEnv env = SparkEnv.get();
        RdmaBlockStoreClient client =
                new RdmaBlockStoreClient(node, env.blockManager().blockStoreClient());
        TaskCompletionListener report = ended -> rdma.report(client.readBytes(), client.otherBytes());
        context.addTaskCompletionListener(report);
        @SuppressWarnings("unchecked") // as Spark's own manager does
        ShuffleDependency<K, ?, C> dependency =
                (ShuffleDependency<K, ?, C>) rdma.sort().dependency();
        return new RdmaShuffleReader<>(
                dependency,
                env.mapOutputTracker()
                        .getMapSizesByExecutorId(
                                handle.shuffleId(), startMapIndex, endMapIndex, startPartition, endPartition),
                client,
                context,
                metrics,
                SortShuffleManager.canUseBatchFetch(startPartition, endPartition, context));
    }

    @Override
    public boolean unregisterShuffle(int shuffle) {
        ExecutorNode node = RdmaShufflePlugin.state().node();
        if (node != null) {
            node.release(shuffle);
        }
        return super.unregisterShuffle(shuffle);
    }
}
