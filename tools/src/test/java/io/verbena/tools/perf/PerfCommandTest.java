package io.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every test between two Verbena sides in one process, each with few messages; one server for all of them.
@Timeout(60)
class PerfCommandTest {
    private static PerfRuns runs;

    @BeforeAll
    static void startServer() throws InterruptedException {
        runs = new PerfRuns();
    }

    @AfterAll
    static void stopServer() {
        runs.close();
    }

    /// WRITE latency counts from one write of the peer's to the next: one sample less than messages.
    private static long samples(PerfTest test, int messages) {
        return test == PerfTest.WRITE_LAT ? messages - 1 : messages;
    }

    @ParameterizedTest
    @EnumSource(PerfTest.class)
    void shouldMeasureAndVerify(PerfTest test) {
        CommandRun run = runs.run(test.label(), "-n", "150", "-s", "8", "--verify");
        PerfRuns.assertMeasured(run, 8, samples(test, 150));
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-lat", "write-lat", "send-bw", "send-bw -b", "read-bw"})
    void shouldMeasureByTime(String test) {
        String[] words = test.split(" ");
        CommandRun run = runs.run(words[0], "-D", "1", "--no-warm-up", words.length > 1 ? words[1] : "-N");
        assertEquals(0, run.exitCode(), run.out() + run.err());
        assertTrue(run.out().contains("size"), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-bw", "write-bw", "read-bw", "atomic-bw"})
    void shouldMeasureBothDirectionsOnSeveralQueuePairs(String test) {
        CommandRun run = runs.run(test, "-b", "-q", "3", "-n", "120", "-s", "8", "-t", "16", "-Q", "5", "--verify");
        PerfRuns.assertMeasured(run, 8, 3 * 120);
    }

    @ParameterizedTest
    @CsvSource({
        "send-lat, UC",
        "send-lat, UD",
        "send-bw, UC",
        "send-bw, UD",
        "write-lat, UC",
        "write-bw, UC",
    })
    void shouldMeasureOnUnreliableTransports(String test, String transport) {
        // few in flight: lost messages are not retransmitted
        CommandRun run = test.endsWith("bw")
                ? runs.run(test, "-c", transport, "-n", "20", "-s", "64", "-t", "4")
                : runs.run(test, "-c", transport, "-n", "20", "-s", "64");
        PerfRuns.assertMeasured(run, 64, test.equals("write-lat") ? 19 : 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-lat", "read-lat", "send-bw", "write-bw", "read-bw", "atomic-bw"})
    void shouldSleepUntilCompletionsCome(String test) {
        CommandRun run = runs.run(test, "-e", "-n", "40", "-s", "8", "--verify");
        PerfRuns.assertMeasured(run, 8, 40);
    }

    @Test
    void shouldSleepWhileItSendsAndReceivesAtOnce() {
        PerfRuns.assertMeasured(runs.run("send-bw", "-e", "-b", "-n", "40", "-s", "8", "--verify"), 8, 40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-bw", "write-bw", "read-bw"})
    void shouldPostListsOfRequests(String test) {
        CommandRun run = runs.run(test, "-l", "8", "-n", "160", "-s", "32", "-t", "32", "--verify");
        PerfRuns.assertMeasured(run, 32, 160);
    }

    @Test
    void shouldMeasureAllSizes() {
        CommandRun run = runs.run("write-bw", "-a", "-n", "3", "--verify", "--no-warm-up");
        for (int power = 1; power <= 23; power++) {
            PerfRuns.assertMeasured(run, 1 << power, 3);
        }
    }

    @Test
    void shouldMeasureAllSizesOfDatagramsUpToTheMtu() {
        CommandRun run = runs.run("send-lat", "-a", "-c", "UD", "-m", "1024", "-n", "3", "--no-warm-up");
        PerfRuns.assertMeasured(run, 1024, 3);
        assertTrue(!run.out().contains("\n 2048 "), run.out());
    }

    @Test
    void shouldMeasureSizesInTheOrderGiven() {
        CommandRun run = runs.run("write-lat", "-s", "4k,1,64", "-n", "10");
        PerfRuns.assertMeasured(run, 4096, 9);
        PerfRuns.assertMeasured(run, 1, 9);
        PerfRuns.assertMeasured(run, 64, 9);
    }

    @Test
    void shouldCompareAndSwap() {
        PerfRuns.assertMeasured(runs.run("atomic-lat", "-A", "CMP_AND_SWAP", "-n", "50", "--verify"), 8, 50);
    }

    @Test
    void shouldPostInlineUpToTheSizeThatWasAskedFor() {
        PerfRuns.assertMeasured(runs.run("write-bw", "-I", "64", "-s", "64,65", "-n", "50", "--verify"), 65, 50);
    }

    @Test
    void shouldServeSeveralClientsAtOnce() throws Exception {
        List<BackgroundCommand> clients = new ArrayList<>();
        for (PerfTest test : List.of(PerfTest.SEND_LAT, PerfTest.WRITE_BW, PerfTest.READ_LAT)) {
            clients.add(BackgroundCommand.start(runs.client(test.label(), "-n", "200", "-s", "16", "--verify")));
        }
        for (BackgroundCommand client : clients) {
            PerfRuns.assertMeasured(client.await(), 16, 200);
        }
    }

    @Test
    void shouldEndAfterOneClientWhenToldSo() throws Exception {
        try (var once = new PerfRuns("--once")) {
            PerfRuns.assertMeasured(once.run("send-lat", "-n", "10"), 2, 10);
            CommandRun ended = once.server().await();
            assertEquals(0, ended.exitCode(), ended.err());
            assertTrue(ended.out().contains("send-lat done"), ended.out());
        }
    }

    @Test
    void shouldAllocateNothingPerMessage() {
        // the first runs make one-time allocations
        runs.run("write-bw", "-n", "5000", "-s", "8", "--json", "-");
        CommandRun run = runs.run("write-bw", "-n", "20000", "-s", "8", "--json", "-");
        assertEquals(0, run.exitCode(), run.err());
        var found = java.util.regex.Pattern.compile("\"allocatedBytesPerMessage\": ([0-9.]+)")
                .matcher(run.out());
        assertTrue(found.find(), run.out());
        assertTrue(Double.parseDouble(found.group(1)) < 16, run.out());
    }
}
