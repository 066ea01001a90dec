package io.verbena.spark.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Jobs with a driver and two executors, each a process of its own. All must give what Spark as it is gives.
@Tag("slow")
@Timeout(650) // of two applications
class ShuffleTest {
    /// Tests that take long together: `-Dspark=all` runs them, too.
    private static final String ON_REQUEST = "on-request";

    private static final Path MODULE = Path.of(System.getProperty("spark.module"));
    private static final Duration LONGEST = Duration.ofSeconds(300);
    private static final long BYTES = 40_000_000;
    private static final double MOST = 0.99;

    /// What Spark as it is gave, for jobs that were asked for.
    private static final Map<Job, Result> EXPECTED = new EnumMap<>(Job.class);

    private static Result expected(Job job) throws Exception {
        if (!EXPECTED.containsKey(job)) {
            Result result = application(Way.TCP).run(LONGEST, BYTES, job.name()).getFirst();
            assertTrue(result.remoteBytes() > BYTES / 40, () -> "hardly anything is fetched: " + result);
            EXPECTED.put(job, result);
        }
        return EXPECTED.get(job);
    }

    /// On a machine that has other things to do, executors take long to answer each other.
    private static Application application(Way way) {
        return new Application(MODULE, way).set("spark.verbena.connectTimeout", "20s");
    }

    private static void assertSame(List<Result> results) throws Exception {
        for (Result result : results) {
            assertEquals(expected(result.job()).outcome(), result.outcome());
        }
    }

    private static void assertReadByRdma(Result result) {
        assertEquals(result.remoteBytes(), result.readBytes() + result.otherBytes(), () -> "other counts: " + result);
        assertTrue(result.readBytes() >= MOST * result.remoteBytes(), () -> "too little by RDMA READ: " + result);
        assertTrue(result.remoteBytes() > BYTES / 40, () -> "hardly anything is fetched: " + result);
    }

    @Test
    void shouldFetchBlocksOfOtherExecutorsByRdmaRead() throws Exception {
        List<Result> results = application(Way.RDMA).run(LONGEST, BYTES, "GROUP", "GROUP");
        assertEquals(2, results.size());
        assertSame(results);
        results.forEach(ShuffleTest::assertReadByRdma);
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldFetchBlocksOfQueriesByRdmaRead() throws Exception {
        List<Result> results = application(Way.RDMA).run(LONGEST, BYTES, "SORT", "JOIN");
        assertEquals(2, results.size());
        assertSame(results);
        results.forEach(ShuffleTest::assertReadByRdma);
    }

    @Test
    void shouldTryStagesAgainWhenAnExecutorIsKilled() throws Exception {
        Application application = application(Way.RDMA);
        List<Result> results = application.run(LONGEST, BYTES, Driver.KILL, "GROUP", "GROUP");
        assertEquals(2, results.size());
        assertSame(results);
        assertTrue(application.lines().stream().anyMatch(line -> line.matches("killed executor.*true")));
        assertTrue(results.getFirst().retries() > 0, () -> "no stage was tried again: " + results);
        assertReadByRdma(results.getLast()); // with the executor that came in place of the killed one
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldGoOnWhenAnExecutorIsKilledWhileOthersFetchFromIt() throws Exception {
        Application application = application(Way.RDMA);
        List<Result> results = application.run(LONGEST, BYTES, Driver.KILL_FETCHING, "GROUP", "SORT");
        assertEquals(2, results.size());
        assertSame(results);
        assertTrue(application.lines().stream().anyMatch(line -> line.matches("killed executor.*true")));
        assertTrue(results.getFirst().retries() > 0, () -> "no stage was tried again: " + results);
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldGiveMemoryBackWhenShufflesAreOver() throws Exception {
        Application application = application(Way.RDMA);
        List<Result> results = application.run(LONGEST, BYTES, "GROUP", "SORT", Driver.RELEASE, "GROUP");
        assertEquals(3, results.size());
        assertReadByRdma(results.getLast()); // in memory that was used before
        assertSame(results);
        assertTrue(application.lines().contains("still used: 0"), () -> "no 'still used: 0' in the log");
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldReadMappedFilesByRdmaWhenThereIsNoMemoryForCopies() throws Exception {
        Result result = application(Way.RDMA)
                .set("spark.verbena.memory", "0")
                .run(LONGEST, BYTES, "GROUP")
                .getFirst();
        assertSame(List.of(result));
        assertReadByRdma(result);
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldGiveTheSameResultsWithSpeculativeTasks() throws Exception {
        List<Result> results = application(Way.RDMA)
                .set("spark.speculation", "true")
                .set("spark.speculation.interval", "10ms")
                .set("spark.speculation.multiplier", "1.01")
                .set("spark.speculation.quantile", "0.1")
                .set("spark.speculation.minTaskRuntime", "1ms")
                .run(LONGEST, BYTES, "GROUP", "SORT", "JOIN");
        assertEquals(3, results.size());
        assertSame(results);
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldTakeSparksOwnWayWhenBlocksAreMerged() throws Exception {
        Application application = application(Way.RDMA).set("spark.shuffle.push.enabled", "true");
        Result result = application.run(LONGEST, BYTES, "GROUP").getFirst();
        assertSame(List.of(result));
        assertEquals(0, result.readBytes());
        assertTrue(application.executorLines().stream()
                .anyMatch(line -> line.contains("All blocks are fetched in Spark's own way: spark.shuffle.push")));
    }

    /// A file system of 12 MB has no room for the map outputs: Spark fails the job, with RDMA as without, and ends.
    @Test
    @Tag(ON_REQUEST)
    void shouldFailAsSparkDoesWhenTheShuffleDirectoryIsFull() throws Exception {
        Path small = Files.createTempDirectory("verbena-full");
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", small.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mount.waitFor(10, TimeUnit.SECONDS) && mount.exitValue() == 0, "mounting needs root");
        try {
            for (Way way : List.of(Way.TCP, Way.RDMA)) {
                Application application = application(way).localDirectory(small);
                assertThrows(IllegalStateException.class, () -> application.run(LONGEST, BYTES, "GROUP"));
                assertTrue(
                        application.lines().stream().anyMatch(line -> line.contains("No space left on device")),
                        () -> way + " failed for another reason");
            }
        } finally {
            new ProcessBuilder("umount", "-l", small.toString()).start().waitFor(10, TimeUnit.SECONDS);
            Files.delete(small);
        }
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldFetchByRdmaReadWhenOnePacketOfAHundredIsLost() throws Exception {
        List<Result> results = application(Way.RDMA)
                .executorOption("-Dverbena.soft.path=udp")
                .executorOption("-Dverbena.soft.faults=loss=0.01,seed=7")
                .run(LONGEST, BYTES, "GROUP");
        assertSame(results);
        assertReadByRdma(results.getFirst());
    }

    @Test
    void shouldTakeSparksOwnWayForWhatIsOverTheLimitOfRegistration() throws Exception {
        Application application =
                application(Way.RDMA).set("spark.verbena.memory", "4m").set("spark.verbena.registered", "12m");
        Result result = application.run(LONGEST, BYTES, "GROUP").getFirst();
        assertSame(List.of(result));
        assertTrue(result.readBytes() > 0 && result.otherBytes() > 0, () -> "one way is missing: " + result);
        assertEquals(result.remoteBytes(), result.readBytes() + result.otherBytes());
        assertTrue(application.executorLines().stream()
                .anyMatch(line -> line.contains("spark.verbena.registered allows 12582912 bytes")));
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldTakeSparksOwnWayWhenTrafficMustBeEncrypted() throws Exception {
        Application application = application(Way.RDMA).set("spark.io.encryption.enabled", "true");
        Result result = application.run(LONGEST, BYTES, "GROUP").getFirst();
        assertSame(List.of(result));
        assertEquals(0, result.readBytes());
        assertTrue(application.executorLines().stream()
                .anyMatch(line -> line.contains("All blocks are fetched in Spark's own way: spark.io.encryption")));
    }

    @Test
    @Tag(ON_REQUEST)
    void shouldRunSparkAsItIsOverSocketsByRdma() throws Exception {
        Application application = application(Way.SOCKETS);
        Result result = application.run(LONGEST, BYTES, "GROUP").getFirst();
        assertSame(List.of(result));
        assertTrue(result.readBytes() >= result.remoteBytes(), () -> "too little by RDMA: " + result);
    }
}
