package io.verbena.tools.ping;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.Statistics;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.Rdma;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PingAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int TRIPS = 2_000;
    private static final int RUNS = 20;

    @Test
    void shouldAllocateNothingInARoundTrip() throws Exception {
        String address = LoopbackAddress.any();
        var patience = Duration.ofSeconds(20);
        try (var _ = BackgroundCommand.start("ping", "--device", address, "--wait", "notify")
                .awaitText("server listens on " + address)) {
            var place = new PingPlace(
                    Rdma.provider("soft").connectionManager(),
                    new InetSocketAddress(LoopbackAddress.any(), 0),
                    new InetSocketAddress(address, 12321),
                    patience,
                    patience);
            var mode = new WaitMode(EventWait.SYNC, CompletionWait.SPIN);
            try (var session =
                    PingSession.connect(place, mode, new PingParameters(RUNS * TRIPS, 8), new Statistics())) {
                // Compilers of a busy machine take their time: the first runs are for them.
                long excess = Long.MAX_VALUE;
                for (int i = 0; i < RUNS && excess > 0; i++) {
                    long start = System.nanoTime();
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    run(session);
                    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
                    // now and then there is a look at the peer, the more the longer it takes
                    long looks = 1 + (System.nanoTime() - start) / Waiting.LOOK.toNanos();
                    excess = allocated - 8 * TRIPS - 1024 * looks;
                }
                assertTrue(excess <= 0, excess + " bytes too many for " + TRIPS + " round trips");
                session.disconnect();
            }
        }
    }

    private static void run(PingSession session) {
        for (int i = 0; i < TRIPS; i++) {
            session.roundTrip();
        }
    }
}
