package io.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.perf.PerfParameters.AtomicType;
import io.verbena.tools.perf.report.Measurement;
import io.verbena.verbs.Context;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.QueuePairType;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs in which both sides behave as with a C peer: the exchanges on the side channel are exactly those that
/// perftest's programs make. The numbers below are counted by hand from the description of perftest 6.06, not
/// from our tables.
@Timeout(60)
class CSequenceTest {
    private static final int PREAMBLE = 4 + 4 + 2;
    private static final int KEY_LINE = 108;
    private static final int REPORT = 5 * 8;
    static final Greeting C = new Greeting("6.06", false);
    static final SessionSettings SETTINGS =
            new SessionSettings(Duration.ofSeconds(20), Duration.ZERO, true, false, null, false);

    private final List<Measurement> measured = new ArrayList<>();

    static PerfParameters parameters(PerfTest test, boolean both, int queuePairs, List<Integer> sizes) {
        int depth = test.isLatency() ? 1 : 16;
        return new PerfParameters(
                test,
                QueuePairType.RC,
                sizes,
                100,
                0,
                depth,
                64,
                depth,
                0,
                queuePairs,
                both,
                false,
                1,
                1024,
                AtomicType.FETCH_AND_ADD,
                16,
                14,
                7,
                false,
                false);
    }

    private PerfListener listener() {
        return new PerfListener() {
            @Override
            public void measured(Measurement measurement) {
                measured.add(measurement);
            }
        };
    }

    /// One run over a proxy that counts; returns the bytes that the client and the server wrote.
    private long[] run(PerfParameters parameters) throws Exception {
        Context client = Rdma.provider("soft")
                .device(LoopbackAddress.any())
                .orElseThrow()
                .open();
        Context server = Rdma.provider("soft")
                .device(LoopbackAddress.any())
                .orElseThrow()
                .open();
        try (var wire = new CountingProxy()) {
            var serving = CompletableFuture.runAsync(
                    () -> side(parameters, server, wire.server(), false, null),
                    Thread.ofPlatform().daemon()::start);
            side(parameters, client, wire.client(), true, listener());
            serving.get(30, TimeUnit.SECONDS);
            return wire.counts();
        } finally {
            client.closeAll();
            server.closeAll();
        }
    }

    private static void side(
            PerfParameters parameters, Context context, Socket socket, boolean client, PerfListener listener) {
        PerfListener to = listener == null ? new PerfListener() {} : listener;
        try (var channel = new PeerChannel(socket, client, Duration.ofSeconds(20))) {
            PerfPort port = PerfPort.choose(context, null, -1);
            new PerfSession(parameters, port, channel, new HandWiring(), C, "peer", SETTINGS, to).run();
        }
    }

    @ParameterizedTest(name = "{0}, bidirectional {1}, {2} queue pairs: {3} key lines, {4} reports")
    @CsvSource({
        // N, connect, 1, N; 1, run; 1
        "SEND_LAT, false, 1, 5, 0",
        // 1, N, connect, N, 1; run
        "WRITE_LAT, false, 1, 4, 0",
        // the same, and 1 at the end
        "READ_LAT, false, 1, 5, 0",
        "ATOMIC_LAT, false, 1, 5, 0",
        // N, connect, 1, N; 1, run; 1
        "SEND_BW, false, 1, 5, 0",
        "SEND_BW, false, 2, 7, 0",
        "SEND_BW, true, 1, 5, 1",
        // N, connect, N, 1; run, 1, reports, 1
        "WRITE_BW, false, 1, 5, 1",
        "WRITE_BW, false, 2, 7, 1",
        "READ_BW, false, 1, 5, 1",
        "ATOMIC_BW, false, 3, 9, 1",
        // N, connect, N, 1; 1, run, reports; 1
        "WRITE_BW, true, 1, 5, 1",
        "READ_BW, true, 2, 7, 1",
        "ATOMIC_BW, true, 1, 5, 1",
    })
    void shouldExchangeWhatPerftestExchanges(PerfTest test, boolean both, int queuePairs, int lines, int reports)
            throws Exception {
        long[] counts = run(parameters(test, both, queuePairs, List.of(8)));
        long wanted = PREAMBLE + (long) lines * KEY_LINE + (long) reports * REPORT;
        assertEquals(wanted, counts[0], "bytes of the client");
        assertEquals(wanted, counts[1], "bytes of the server");
        assertEquals(1, measured.size());
        assertTrue(measured.getFirst().complete());
    }

    @ParameterizedTest(name = "{0}, bidirectional {1}, three sizes: {2} key lines, {3} reports")
    @CsvSource({
        // a barrier before each size
        "SEND_LAT, false, 7, 0",
        "WRITE_LAT, false, 4, 0",
        "READ_LAT, false, 5, 0",
        // a barrier before and behind each size
        "SEND_BW, false, 10, 0",
        "SEND_BW, true, 10, 3",
        // only the last size is reported
        "WRITE_BW, false, 5, 1",
        "WRITE_BW, true, 10, 3",
        "READ_BW, true, 10, 3",
    })
    void shouldExchangeWhatPerftestExchangesWithSeveralSizes(PerfTest test, boolean both, int lines, int reports)
            throws Exception {
        long[] counts = run(parameters(test, both, 1, List.of(2, 4, 8)));
        long wanted = PREAMBLE + (long) lines * KEY_LINE + (long) reports * REPORT;
        assertEquals(wanted, counts[0], "bytes of the client");
        assertEquals(wanted, counts[1], "bytes of the server");
        assertEquals(3, measured.size());
    }

    @Test
    void shouldServeACClientByItsOwnOptions() throws Exception {
        Context context = Rdma.provider("soft")
                .device(LoopbackAddress.any())
                .orElseThrow()
                .open();
        try (var runs = new PerfRuns(
                        "write-bw", "-s", "8", "-n", "100", "-t", "16", "-m", "1024", "--warm-up", "0.05");
                var socket = new Socket(InetAddress.ofLiteral(runs.address()), runs.port());
                var channel = new PeerChannel(socket, true, Duration.ofSeconds(20))) {
            byte[] answer = channel.exchange(Greeting.bytes(false), 16, "greeting");
            assertFalse(Greeting.parse(answer).isVerbena(), "a C program is answered as C programs do");
            assertEquals(0, answer[5]);
            PerfParameters parameters = parameters(PerfTest.WRITE_BW, false, 1, List.of(8));
            new PerfSession(
                            parameters,
                            PerfPort.choose(context, null, -1),
                            channel,
                            new HandWiring(),
                            C,
                            "peer",
                            SETTINGS,
                            listener())
                    .run();
            assertEquals(100, measured.getFirst().messages());
            runs.server().awaitText("write-bw done");
            assertTrue(
                    runs.server().out().contains("perftest 6.06"), runs.server().out());
        } finally {
            context.closeAll();
        }
    }

    @Test
    void shouldKnowTheSizesOfAll() {
        List<Integer> sizes = Limits.allSizes(1 << 23);
        assertEquals(23, sizes.size());
        assertEquals(2, sizes.getFirst());
        assertEquals(1 << 23, sizes.getLast());
        assertTrue(Stream.of(2, 64, 1024).allMatch(Limits.allSizes(1024)::contains));
        assertEquals(1024, Limits.allSizes(1024).getLast());
    }
}
