package io.verbena.spark;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.network.shuffle.DownloadFileManager;
import org.apache.spark.network.shuffle.MergedBlocksMetaListener;
import org.apache.spark.network.shuffle.checksum.Cause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a reducer fetches blocks with: by RDMA READ, and what cannot be read so by Spark's own client. That one also
/// decides what a failure means: it knows which executors live, tries again, and reports what Spark retries stages for.
final class RdmaBlockStoreClient extends BlockStoreClient {
    private static final Logger LOG = LoggerFactory.getLogger(RdmaBlockStoreClient.class);

    private final ExecutorNode node;
    private final BlockStoreClient spark;
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder otherBytes = new LongAdder();

    RdmaBlockStoreClient(ExecutorNode node, BlockStoreClient spark) {
        this.node = node;
        this.spark = spark;
    }

    /// What came by RDMA READ.
    long readBytes() {
        return readBytes.sum();
    }

    /// What came in Spark's own way.
    long otherBytes() {
        return otherBytes.sum();
    }

    @Override
    public void fetchBlocks(
            String host,
            int port,
            String executor,
            String[] blocks,
            BlockFetchingListener listener,
            DownloadFileManager files) {
        Counting byRead = new Counting(listener, readBytes);
        Counting byOther = new Counting(listener, otherBytes);
        if (files != null) {
            otherWay(host, port, executor, List.of(blocks), byOther, files, "it is large, and goes to a file");
            return;
        }
        try {
            Peer peer = node.peers().peer(executor);
            new Fetch(
                            peer,
                            node.counters(),
                            byRead,
                            (failed, reason) -> node.background()
                                    .execute(() -> otherWay(host, port, executor, failed, byOther, null, reason)))
                    .start(blocks);
        } catch (RuntimeException e) { // before anything was read
            if (e instanceof RdmaException rdma && rdma.errno() == Errno.EINTR) {
                Thread.currentThread().interrupt(); // the task is to end
            }
            otherWay(host, port, executor, List.of(blocks), byOther, null, e.getMessage());
        }
    }

    private void otherWay(
            String host,
            int port,
            String executor,
            List<String> blocks,
            BlockFetchingListener listener,
            DownloadFileManager files,
            String reason) {
        node.counters().otherBlocks.add(blocks.size());
        ShuffleEvents.fallback(executor, blocks.size(), reason);
        LOG.warn(
                "{} blocks of executor {}, the first of them {}, are fetched in Spark's own way: {}",
                blocks.size(),
                executor,
                blocks.getFirst(),
                reason);
        spark.fetchBlocks(host, port, executor, blocks.toArray(String[]::new), listener, files);
    }

    @Override
    public Cause diagnoseCorruption(
            String host,
            int port,
            String executor,
            int shuffle,
            long map,
            int partition,
            long checksum,
            String algorithm) {
        return spark.diagnoseCorruption(host, port, executor, shuffle, map, partition, checksum, algorithm);
    }

    @Override
    public void getMergedBlockMeta(
            String host, int port, int shuffle, int merge, int partition, MergedBlocksMetaListener listener) {
        spark.getMergedBlockMeta(host, port, shuffle, merge, partition, listener);
    }

    @Override
    public void close() {} // Spark's own client lives as long as the executor

    /// Counts the bytes that come by one way.
    private record Counting(BlockFetchingListener listener, LongAdder bytes) implements BlockFetchingListener {
        @Override
        public void onBlockFetchSuccess(String block, ManagedBuffer data) {
            bytes.add(data.size());
            listener.onBlockFetchSuccess(block, data);
        }

        @Override
        public void onBlockFetchFailure(String block, Throwable problem) {
            listener.onBlockFetchFailure(block, problem);
        }
    }
}
