package io.verbena.tools.perf;

import static io.verbena.tools.perf.PerfRuns.assertMeasured;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `perf -R`: both sides connect with the connection manager, and exchange everything over one of its queue pairs.
@Timeout(120)
class ManagedRunsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource
    void shouldMeasureEveryTestOnQueuePairsOfTheConnectionManager(PerfTest test) throws InterruptedException {
        try (var runs = new PerfRuns("-R")) {
            int samples = test == PerfTest.WRITE_LAT ? 199 : 200;
            assertMeasured(runs.run(test.label(), "-R", "-n", "200", "-s", "8"), 8, samples);
            runs.server().awaitText(test.label() + " done");
        }
    }

    @Test
    void shouldConnectSeveralQueuePairsInBothDirections() throws InterruptedException {
        try (var runs = new PerfRuns("-R")) {
            assertMeasured(runs.run("write-bw", "-R", "-n", "100", "-s", "4096", "-q", "3", "-b"), 4096, 300);
        }
    }

    @Test
    void shouldMeasureDatagramsThatTheServerAnswers() throws InterruptedException {
        try (var runs = new PerfRuns("-R")) {
            assertMeasured(runs.run("send-lat", "-R", "-c", "UD", "-n", "100", "-s", "64"), 64, 100);
            assertMeasured(runs.run("send-bw", "-R", "-c", "UD", "-n", "50", "-t", "8", "-s", "64"), 64, 50);
        }
    }

    @Test
    void shouldServeOneClientAndEndWithItsResult() throws Exception {
        try (var runs = new PerfRuns("-R", "--once")) {
            assertMeasured(runs.run("send-lat", "-R", "-n", "100"), 2, 100);
            assertEquals(0, runs.server().await().exitCode());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND_LAT", "WRITE_LAT", "READ_LAT", "SEND_BW", "WRITE_BW"})
    void shouldServeACClientByItsOwnOptions(PerfTest test) throws InterruptedException {
        PerfParameters parameters = CSequenceTest.parameters(test, false, 1, List.of(8));
        var options =
                new ArrayList<>(List.of(test.label(), "-R", "-s", "8", "-n", "100", "-m", "1024", "--no-warm-up"));
        if (!test.isLatency()) {
            options.addAll(List.of("-t", "16"));
        }
        ConnectionManager cm = Rdma.provider("soft").connectionManager();
        try (var runs = new PerfRuns(options.toArray(String[]::new))) {
            var server = new InetSocketAddress(InetAddress.ofLiteral(runs.address()), runs.port());
            try (ConnectionId id = cm.createEndpoint(PortSpace.TCP, null, server, LIMIT);
                    var wiring = new ClientWiring(cm, null, server, LIMIT);
                    var channel = new PeerChannel(ManagedLink.connect(id, CSequenceTest.SETTINGS), true, LIMIT)) {
                byte[] answer = channel.exchange(Greeting.bytes(false), Greeting.BYTES, "greeting");
                assertFalse(Greeting.parse(answer).isVerbena(), "a C program is answered as C programs do");
                PerfPort port = PerfPort.choose(id.context(), null, -1);
                new PerfSession(
                                parameters,
                                port,
                                channel,
                                wiring,
                                CSequenceTest.C,
                                "peer",
                                CSequenceTest.SETTINGS,
                                new PerfListener() {})
                        .run();
            }
            runs.server().awaitText(test.label() + " done");
        }
    }

    @Test
    void shouldTellToStartAServerWithTheSameOption() throws InterruptedException {
        CommandRun run =
                CommandRun.of("perf", "send-lat", LoopbackAddress.any(), "-p", "18999", "-R", "--timeout", "5");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("verbena perf -R"), run.err());
    }

    @Test
    void shouldRefuseWhatTheConnectionManagerHasNot() {
        CommandRun transport = CommandRun.of("perf", "send-lat", LoopbackAddress.any(), "-R", "-c", "UC");
        assertNotEquals(0, transport.exitCode());
        assertTrue(transport.err().contains("rdma_cm has no connections of type UC"), transport.err());
        CommandRun gid = CommandRun.of("perf", "send-lat", LoopbackAddress.any(), "-R", "-x", "1");
        assertEquals(2, gid.exitCode());
        assertTrue(gid.err().contains("rdma_cm chooses the GID"), gid.err());
    }
}
