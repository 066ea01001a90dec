package io.verbena.spark.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Jobs whose executors are in two network namespaces, so that software devices reach each other by UDP.
@Tag("slow")
@Tag("on-request")
@Timeout(650)
class TwoHostsTest {
    private static final Path MODULE = Path.of(System.getProperty("spark.module"));
    private static final Duration LONGEST = Duration.ofSeconds(300);
    private static final long BYTES = 40_000_000;

    private static TwoHosts hosts;
    private static List<Result> expected;

    @BeforeAll
    @Timeout(450)
    static void runSparkAsItIs() throws Exception {
        try {
            hosts = new TwoHosts(MODULE);
        } catch (IOException e) {
            abort("network namespaces need root: " + e.getMessage());
        }
        expected = run(Way.TCP);
    }

    @AfterAll
    static void close() {
        if (hosts != null) {
            hosts.close();
        }
    }

    private static List<Result> run(Way way) throws Exception {
        Application application = hosts.use(new Application(MODULE, way))
                .set("spark.verbena.network", TwoHosts.NETWORK)
                .set("spark.verbena.connectTimeout", "20s")
                .option("-Dverbena.soft.path=udp");
        List<Result> results = application.run(LONGEST, BYTES, "GROUP", "SORT");
        assertEquals(2, results.size());
        for (Result result : results) {
            assertTrue(result.remoteBytes() > BYTES / 40, () -> "hardly anything is fetched: " + result);
        }
        return results;
    }

    private static void assertSame(List<Result> results) {
        assertEquals(
                expected.stream().map(Result::outcome).toList(),
                results.stream().map(Result::outcome).toList());
    }

    @Test
    void shouldFetchBlocksOfTheOtherHostByRdmaRead() throws Exception {
        List<Result> results = run(Way.RDMA);
        assertSame(results);
        for (Result result : results) {
            assertTrue(result.readBytes() >= 0.99 * result.remoteBytes(), () -> "too little by RDMA READ: " + result);
        }
    }

    @Test
    void shouldRunSparkAsItIsOverSocketsByRdma() throws Exception {
        List<Result> results = run(Way.SOCKETS);
        assertSame(results);
        for (Result result : results) {
            assertTrue(result.readBytes() >= result.remoteBytes(), () -> "too little by RDMA: " + result);
        }
    }
}
