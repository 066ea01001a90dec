package io.verbena.spark.jobs;

import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.executor.ShuffleReadMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/// What Spark itself reports of the tasks that have ended.
final class Measures extends SparkListener {
    final LongAdder remoteBytes = new LongAdder();
    final LongAdder localBytes = new LongAdder();
    final LongAdder fetchWaitMs = new LongAdder();
    final LongAdder retries = new LongAdder();

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted stage) {
        if (stage.stageInfo().attemptNumber() > 0) {
            retries.increment();
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskInfo().successful()) {
            ShuffleReadMetrics read = end.taskMetrics().shuffleReadMetrics();
            remoteBytes.add(read.remoteBytesRead());
            localBytes.add(read.localBytesRead());
            fetchWaitMs.add(read.fetchWaitTime());
        }
    }
}
