package io.verbena.spark.jobs;

import io.verbena.spark.RdmaShufflePlugin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/// The memory that executors use for map outputs.
final class Memory {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private Memory() {}

    /// Lets Spark notice that no shuffle is needed any more, and waits until executors have given back what they had.
    /// Returns the bytes that they still use.
    static long awaitRelease(SparkSession session) {
        long beginNs = System.nanoTime();
        long bytes;
        do {
            System.gc(); // Spark's cleaner learns from the collector which shuffles are over
            LockSupport.parkNanos(PAUSE.toNanos());
            bytes = usedBytes(session);
        } while (bytes > 0 && System.nanoTime() - beginNs < LONGEST.toNanos());
        return bytes;
    }

    private static long usedBytes(SparkSession session) {
        // Idle executors get a task each at once.
        return JavaSparkContext.fromSparkContext(session.sparkContext())
                .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 8)
                .mapToPair(task -> new Tuple2<>(SparkEnv.get().executorId(), RdmaShufflePlugin.usedBytes()))
                .collect()
                .stream()
                .distinct()
                .mapToLong(Tuple2::_2)
                .sum();
    }
}
