package io.verbena.spark.jobs;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/// The jobs. Each returns a text that says what came out, the same for the same number of bytes to move.
enum Job {
    /// Pairs with values of 1,000 bytes, grouped by their key, without adding them up before.
    GROUP(Job::group),
    /// Rows sorted by a key of all over the range, with partitions as Spark samples them.
    SORT(Job::sort),
    /// A join in which four rows of five have the same key. Adaptive execution splits that partition by map outputs.
    JOIN(Job::join),
    /// A shuffle that was written before, fetched four times by tasks that only count bytes: mostly fetching.
    FETCH(Job::fetch, Job::shuffled);

    private static final int PARTITIONS = 8;
    private static final int VALUE_BYTES = 1000;
    private static final int ROW_BYTES = 120;

    private static final int FETCHES = 4;
    private static final int LARGE_BYTES = 100_000;

    /// What the body begins with.
    private final BiFunction<SparkSession, Long, Object> preparation;

    private final BiFunction<SparkSession, Object, String> body;

    Job(BiFunction<SparkSession, Long, String> body) {
        preparation = (session, bytes) -> bytes;
        this.body = (session, bytes) -> body.apply(session, (Long) bytes);
    }

    Job(BiFunction<SparkSession, Object, String> body, BiFunction<SparkSession, Long, Object> preparation) {
        this.preparation = preparation;
        this.body = body;
    }

    /// What is done before, and is not part of the job. Returns what [#run] takes.
    ///
    /// @param bytes about how many are shuffled
    Object prepare(SparkSession session, long bytes) {
        return preparation.apply(session, bytes);
    }

    String run(SparkSession session, Object prepared) {
        return body.apply(session, prepared);
    }

    private static Object shuffled(SparkSession session, long bytes) {
        int each = (int) (bytes / LARGE_BYTES / PARTITIONS);
        List<Integer> seeds = IntStream.range(0, PARTITIONS).boxed().toList();
        JavaPairRDD<Integer, byte[]> pairs = JavaSparkContext.fromSparkContext(session.sparkContext())
                .parallelize(seeds, PARTITIONS)
                .flatMapToPair(seed -> new Pairs(seed, each, LARGE_BYTES))
                .partitionBy(new HashPartitioner(PARTITIONS));
        count(pairs);
        return pairs;
    }

    private static String fetch(SparkSession session, Object shuffled) {
        @SuppressWarnings("unchecked") // it was made so above
        JavaPairRDD<Integer, byte[]> pairs = (JavaPairRDD<Integer, byte[]>) shuffled;
        long bytes = 0;
        for (int i = 0; i < FETCHES; i++) {
            bytes += count(pairs);
        }
        return bytes + " bytes";
    }

    /// Spark skips the map stage of a shuffle that is there.
    private static long count(JavaPairRDD<Integer, byte[]> pairs) {
        return pairs.map(pair -> (long) pair._2().length).reduce(Long::sum);
    }

    private static String group(SparkSession session, long bytes) {
        int each = (int) (bytes / VALUE_BYTES / PARTITIONS);
        List<Integer> seeds = IntStream.range(0, PARTITIONS).boxed().toList();
        try (JavaContext context = new JavaContext(session)) {
            JavaPairRDD<Integer, byte[]> pairs = context.spark
                    .parallelize(seeds, PARTITIONS)
                    .flatMapToPair(seed -> new Pairs(seed, each, VALUE_BYTES));
            Tuple2<Long, Long> result = pairs.groupByKey(PARTITIONS)
                    .map(group -> {
                        long values = 0;
                        long sum = group._1();
                        for (byte[] value : group._2()) {
                            values++;
                            sum += Arrays.hashCode(value) * 31L; // in any order
                        }
                        return new Tuple2<>(values, sum * (2L * group._1() + 1));
                    })
                    .reduce((a, b) -> new Tuple2<>(a._1() + b._1(), a._2() + b._2()));
            return result._1() + " values, sum " + Long.toHexString(result._2());
        }
    }

    /// The session ends it, not the job.
    private record JavaContext(JavaSparkContext spark) implements AutoCloseable {
        JavaContext(SparkSession session) {
            this(JavaSparkContext.fromSparkContext(session.sparkContext()));
        }

        @Override
        public void close() {}
    }

    private static final class Pairs implements Iterator<Tuple2<Integer, byte[]>> {
        private final Random random;
        private final int valueBytes;
        private int left;

        Pairs(int seed, int count, int valueBytes) {
            random = new Random(seed);
            this.valueBytes = valueBytes;
            left = count;
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public Tuple2<Integer, byte[]> next() {
            left--;
            byte[] value = new byte[valueBytes];
            random.nextBytes(value);
            return new Tuple2<>(random.nextInt(1000), value);
        }
    }

    private static String sort(SparkSession session, long bytes) {
        Dataset<Row> sorted = rows(session, bytes).orderBy("key");
        // Each partition gives how many rows it has, a hash of them in their order, its first and its last key.
        List<Run> runs = sorted.javaRDD()
                .mapPartitions(rows -> List.of(Run.of(rows)).iterator())
                .collect();
        Run all = runs.stream().reduce(Run.EMPTY, Run::followedBy);
        return "%d rows, %s, hash %x".formatted(all.rows, all.isSorted ? "sorted" : "NOT SORTED", all.hash);
    }

    private static Dataset<Row> rows(SparkSession session, long bytes) {
        return session.range(0, bytes / ROW_BYTES, 1, PARTITIONS)
                .select(
                        expr("xxhash64(id)").as("key"),
                        expr("concat(hex(xxhash64(id, 1)), hex(xxhash64(id, 2)), hex(xxhash64(id, 3)), "
                                        + "hex(xxhash64(id, 4)), hex(xxhash64(id, 5)), hex(xxhash64(id, 6)))")
                                .as("text"));
    }

    /// Rows one after the other. The hash of two runs is that of the rows of both, however they are divided.
    record Run(long rows, long hash, long power, boolean isSorted, long first, long last) implements Serializable {
        static final Run EMPTY = new Run(0, 0, 1, true, 0, 0);
        private static final long FACTOR = 1_000_003;

        static Run of(Iterator<Row> rows) {
            Run run = EMPTY;
            while (rows.hasNext()) {
                Row row = rows.next();
                long key = row.getLong(0);
                run = run.followedBy(new Run(1, key * 31 + row.getString(1).hashCode(), FACTOR, true, key, key));
            }
            return run;
        }

        Run followedBy(Run next) {
            if (rows == 0) {
                return next;
            }
            if (next.rows == 0) {
                return this;
            }
            return new Run(
                    rows + next.rows,
                    hash * next.power + next.hash,
                    power * next.power,
                    isSorted && next.isSorted && last <= next.first,
                    first,
                    next.last);
        }
    }

    private static String join(SparkSession session, long bytes) {
        Dataset<Row> facts = rows(session, bytes).withColumn("place", expr("if(pmod(key, 5) < 4, 0, pmod(key, 5000))"));
        Dataset<Row> places = session.range(0, 5000, 1, PARTITIONS)
                .select(col("id").as("place"), expr("hex(xxhash64(id, 9))").as("name"));
        Row result = facts.join(places, "place")
                .selectExpr("count(1)", "sum(cast(xxhash64(place, key, text, name) as decimal(38,0)))")
                .first();
        return result.getLong(0) + " rows, sum " + result.get(1);
    }
}
