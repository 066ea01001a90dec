package io.verbena.spark.jobs;

import io.verbena.sockets.SocketCounters;
import io.verbena.spark.RdmaShuffleManager;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/// A driver: runs jobs on executors of this host and prints a line for each. Started by [Application].
final class Driver {
    /// With this before the jobs, an executor is killed when the map outputs of the first job are there.
    static final String KILL = "kill";

    /// With this, an executor is killed while tasks of the first job's second stage run, which fetch from it.
    static final String KILL_FETCHING = "kill-fetching";

    /// After this word, the end of all shuffles is awaited, and what executors still use is printed.
    static final String RELEASE = "release";

    private static final long REPORTED_MS = 10_000;
    private static final int EXECUTORS = 2;
    private static final Duration LONGEST_START = Duration.ofSeconds(120);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private Driver() {}

    public static void main(String[] arguments) throws Exception {
        long bytes = Long.parseLong(arguments[0]);
        List<String> words = Arrays.asList(arguments).subList(1, arguments.length);
        try (SparkSession session = SparkSession.builder().getOrCreate()) {
            awaitExecutors(session);
            session.sparkContext().listenerBus().waitUntilEmpty(REPORTED_MS); // of that, listeners shall hear nothing
            Measures measures = new Measures();
            session.sparkContext().addSparkListener(measures);
            for (String word : words) {
                switch (word) {
                    case KILL -> session.sparkContext().addSparkListener(new Killer(false));
                    case KILL_FETCHING -> session.sparkContext().addSparkListener(new Killer(true));
                    case RELEASE -> System.out.println("still used: " + Memory.awaitRelease(session));
                    default -> {
                        awaitExecutors(session);
                        System.out.println(run(session, measures, Job.valueOf(word), bytes));
                    }
                }
            }
        }
    }

    /// Until all have run a task, for which they load classes: also the one that takes the place of a killed one. A job
    /// that one executor runs alone fetches nothing.
    private static void awaitExecutors(SparkSession session) {
        long beginNs = System.nanoTime();
        long present;
        while ((present = runningTasks(session)) < EXECUTORS) {
            if (System.nanoTime() - beginNs > LONGEST_START.toNanos()) {
                throw new IllegalStateException("after %d s %d executors run tasks, and not %d"
                        .formatted(LONGEST_START.toSeconds(), present, EXECUTORS));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /// How many executors take tasks. Idle ones get one each at once.
    private static long runningTasks(SparkSession session) {
        return JavaSparkContext.fromSparkContext(session.sparkContext())
                .parallelize(List.of(1, 2, 3, 4), 4)
                .map(task -> SparkEnv.get().executorId())
                .collect()
                .stream()
                .distinct()
                .count();
    }

    private static Result run(SparkSession session, Measures measures, Job job, long bytes) throws Exception {
        Object prepared = job.prepare(session, bytes);
        Totals before = Totals.now(session, measures);
        long beginNs = System.nanoTime();
        String outcome = job.run(session, prepared);
        long ms = Duration.ofNanos(System.nanoTime() - beginNs).toMillis();
        Totals after = Totals.now(session, measures);
        return new Result(
                job,
                ms,
                after.remote - before.remote,
                after.local - before.local,
                after.read - before.read,
                after.other - before.other,
                after.waitMs - before.waitMs,
                after.cpuMs - before.cpuMs,
                after.retries - before.retries,
                outcome);
    }

    /// All since the start.
    private record Totals(long remote, long local, long read, long other, long waitMs, long cpuMs, long retries) {
        static Totals now(SparkSession session, Measures measures) throws Exception {
            session.sparkContext().listenerBus().waitUntilEmpty(REPORTED_MS);
            var fetched = SparkEnv.get().shuffleManager() instanceof RdmaShuffleManager rdma
                    ? rdma.remoteBytes()
                    : new RdmaShuffleManager.RemoteBytes(0, 0);
            return new Totals(
                    measures.remoteBytes.sum(),
                    measures.localBytes.sum(),
                    fetched.read() + socketBytes(session),
                    fetched.other(),
                    measures.fetchWaitMs.sum(),
                    executors().stream().mapToLong(Driver::cpuMs).sum(),
                    measures.retries.sum());
        }
    }

    /// What executors have read by sockets over RDMA so far; 0 without the agent.
    private static long socketBytes(SparkSession session) {
        if (!session.conf().get("spark.executor.extraJavaOptions", "").contains("-javaagent:")) {
            return 0;
        }
        // Idle executors get a task each at once.
        List<Tuple2<String, Long>> counts = JavaSparkContext.fromSparkContext(session.sparkContext())
                .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 8)
                .map(task -> new Tuple2<>(
                        SparkEnv.get().executorId(), SocketCounters.now().rdmaBytesRead()))
                .collect();
        Map<String, Long> byExecutor = new HashMap<>();
        counts.forEach(count -> byExecutor.merge(count._1(), count._2(), Math::max));
        return byExecutor.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long cpuMs(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }

    /// Those of this driver.
    private static List<ProcessHandle> executors() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info()
                        .commandLine()
                        .orElse("")
                        .contains("org.apache.spark.executor.CoarseGrainedExecutorBackend"))
                .toList();
    }

    /// Kills an executor, as `kill -9` does: between the map outputs and those who fetch them, or when the first of
    /// these has ended while others run.
    private static final class Killer extends SparkListener {
        private final boolean whileFetching;
        private final AtomicBoolean isDone = new AtomicBoolean();

        Killer(boolean whileFetching) {
            this.whileFetching = whileFetching;
        }

        @Override
        public void onStageCompleted(SparkListenerStageCompleted stage) {
            if (!whileFetching && stage.stageInfo().shuffleDepId().isDefined()) {
                kill();
            }
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (whileFetching && end.taskMetrics().shuffleReadMetrics().remoteBytesRead() > 0) {
                kill();
            }
        }

        private void kill() {
            if (isDone.compareAndSet(false, true)) {
                ProcessHandle victim = executors().getFirst();
                System.out.println("killed executor with process id " + victim.pid() + ": " + victim.destroyForcibly());
            }
        }
    }
}
