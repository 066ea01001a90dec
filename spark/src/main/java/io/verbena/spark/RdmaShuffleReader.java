package io.verbena.spark;

import java.io.InputStream;
import org.apache.spark.Aggregator;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.internal.config.package$;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.checksum.RowBasedChecksum;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockFetcherIterator;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.Seq;

/// Reads the partitions of a reducer. All of it is Spark's: which blocks are local, how many are under way, checks of
/// what came, aggregation and sorting. Only the client that fetches is another one, which Spark's own reader does not
/// allow to choose.
final class RdmaShuffleReader<K, C> implements ShuffleReader<K, C> {
    private static final package$ CONFIG = package$.MODULE$;
    private static final long MEBIBYTE = 1 << 20;

    private final ShuffleDependency<K, ?, C> dependency;
    private final Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> blocks;
    private final BlockStoreClient client;
    private final TaskContext context;
    private final ShuffleReadMetricsReporter metrics;
    private final boolean mayJoinBlocks;
    private final SparkEnv env = SparkEnv.get();
    private final SparkConf conf = env.conf();

    RdmaShuffleReader(
            ShuffleDependency<K, ?, C> dependency,
            Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> blocks,
            BlockStoreClient client,
            TaskContext context,
            ShuffleReadMetricsReporter metrics,
            boolean mayJoinBlocks) {
        this.dependency = dependency;
        this.blocks = blocks;
        this.client = client;
        this.context = context;
        this.metrics = metrics;
        this.mayJoinBlocks = mayJoinBlocks;
    }

    @Override
    public Iterator<Product2<K, C>> read() {
        Records records = new Records(streams(), dependency.serializer().newInstance());
        Iterator<?> result = sortedOrCombined(new InterruptibleIterator<>(context, records));
        @SuppressWarnings("unchecked") // the serializer does not know the types
        Iterator<Product2<K, C>> typed = (Iterator<Product2<K, C>>) result;
        return typed instanceof InterruptibleIterator ? typed : new InterruptibleIterator<>(context, typed);
    }

    private Iterator<Tuple2<BlockId, InputStream>> streams() {
        return new ShuffleBlockFetcherIterator(
                        context,
                        client,
                        env.blockManager(),
                        env.mapOutputTracker(),
                        blocks,
                        (block, stream) -> env.serializerManager().wrapStream(block, stream),
                        number(CONFIG.REDUCER_MAX_SIZE_IN_FLIGHT()) * MEBIBYTE,
                        (int) number(CONFIG.REDUCER_MAX_REQS_IN_FLIGHT()),
                        (int) number(CONFIG.REDUCER_MAX_BLOCKS_IN_FLIGHT_PER_ADDRESS()),
                        number(CONFIG.MAX_REMOTE_BLOCK_SIZE_FETCH_TO_MEM()),
                        (int) number(CONFIG.SHUFFLE_MAX_ATTEMPTS_ON_NETTY_OOM()),
                        isOn(CONFIG.SHUFFLE_DETECT_CORRUPT()),
                        isOn(CONFIG.SHUFFLE_DETECT_CORRUPT_MEMORY()),
                        isOn(CONFIG.SHUFFLE_CHECKSUM_ENABLED()),
                        conf.get(CONFIG.SHUFFLE_CHECKSUM_ALGORITHM()),
                        metrics,
                        joinsBlocks(),
                        ShuffleBlockFetcherIterator.$lessinit$greater$default$18())
                .toCompletionIterator();
    }

    private long number(ConfigEntry<?> entry) {
        return ((Number) conf.get(entry)).longValue();
    }

    private boolean isOn(ConfigEntry<?> entry) {
        return (Boolean) conf.get(entry);
    }

    /// Whether neighbouring partitions of a map output are fetched as one block.
    private boolean joinsBlocks() {
        boolean isCompressed = isOn(CONFIG.SHUFFLE_COMPRESS());
        return mayJoinBlocks
                && dependency.serializer().supportsRelocationOfSerializedObjects()
                && (!isCompressed
                        || CompressionCodec$.MODULE$.supportsConcatenationOfSerializedStreams(
                                CompressionCodec$.MODULE$.createCodec(conf)));
    }

    /// The dependency says which of these; its types are not known here.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private Iterator<?> sortedOrCombined(Iterator records) {
        Option<Aggregator> aggregator = (Option) dependency.aggregator();
        if (dependency.keyOrdering().isDefined()) {
            Option<Aggregator> combiner = aggregator;
            if (aggregator.isDefined() && dependency.mapSideCombine()) {
                combiner = Option.apply(new Aggregator(
                        value -> value,
                        aggregator.get().mergeCombiners(),
                        aggregator.get().mergeCombiners()));
            }
            return new ExternalSorter(
                            context,
                            combiner,
                            Option.empty(),
                            dependency.keyOrdering(),
                            dependency.serializer(),
                            new RowBasedChecksum[0])
                    .insertAllAndUpdateMetrics(records);
        }
        if (aggregator.isEmpty()) {
            return records;
        }
        return dependency.mapSideCombine()
                ? aggregator.get().combineCombinersByKey(records, context)
                : aggregator.get().combineValuesByKey(records, context);
    }

    /// The records of all blocks, one block after the other, as they come.
    private final class Records extends AbstractIterator<Tuple2<Object, Object>> {
        private final Iterator<Tuple2<BlockId, InputStream>> streams;
        private final SerializerInstance serializer;
        private Iterator<Tuple2<Object, Object>> block;
        private boolean hasEnded;

        Records(Iterator<Tuple2<BlockId, InputStream>> streams, SerializerInstance serializer) {
            this.streams = streams;
            this.serializer = serializer;
        }

        @Override
        public boolean hasNext() {
            while (block == null || !block.hasNext()) {
                if (!streams.hasNext()) {
                    end();
                    return false;
                }
                block = serializer.deserializeStream(streams.next()._2()).asKeyValueIterator();
            }
            return true;
        }

        private void end() {
            if (!hasEnded) {
                hasEnded = true;
                context.taskMetrics().mergeShuffleReadMetrics();
            }
        }

        @Override
        public Tuple2<Object, Object> next() {
            if (!hasNext()) {
                throw new java.util.NoSuchElementException("all blocks were read");
            }
            metrics.incRecordsRead(1);
            return block.next();
        }
    }
}
