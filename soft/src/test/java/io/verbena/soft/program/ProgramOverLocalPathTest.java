package io.verbena.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.os.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The programs of [ProgramTest] between devices of one host, stepped under the virtual clock. The same properties
/// apply.
@EnabledOnOs(OS.LINUX)
class ProgramOverLocalPathTest {
    private static final Integer SECONDS = Integer.getInteger("verbena.program.seconds");
    private static final Long SEED = Long.getLong("verbena.test.seed");
    private static final int PROGRAMS = 60;
    private static final int REQUESTS = 60;

    /// Each path through the code that a request can take.
    private static final List<String> REQUEST_PATHS = List.of(
            "SEND",
            "SEND more",
            "SEND by reference",
            "SEND_WITH_IMMEDIATE",
            "SEND_WITH_INVALIDATE",
            "SEND_WITH_INVALIDATE by reference",
            "RDMA_WRITE",
            "RDMA_WRITE more",
            "RDMA_WRITE by reference",
            "RDMA_WRITE_WITH_IMMEDIATE",
            "RDMA_WRITE_WITH_IMMEDIATE more",
            "RDMA_WRITE_WITH_IMMEDIATE by reference",
            "RDMA_READ",
            "COMPARE_AND_SWAP",
            "FETCH_AND_ADD",
            "ATOMIC_WRITE",
            "FLUSH",
            "reply to RDMA_READ",
            "reply to COMPARE_AND_SWAP",
            "reply to FETCH_AND_ADD",
            "direct WRITE",
            "direct READ",
            "direct FETCH_AND_ADD",
            "direct COMPARE_AND_SWAP",
            "direct ATOMIC_WRITE",
            "polled a queue",
            "polled queue pairs",
            "receiver not ready",
            "quiet",
            "event");

    private final Map<String, Integer> seen = new TreeMap<>();

    private void run(long seed) {
        LocalProgramEnvironment environment = new LocalProgramEnvironment(seed);
        try {
            Program.run(seed, environment, FaultPlan.none(), REQUESTS);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed %d (repeat with -Dverbena.test.seed=%d)".formatted(seed, seed), e);
        }
        environment.seen().forEach((what, count) -> seen.merge(what, count, Integer::sum));
        environment.close();
    }

    @Test
    void shouldAgreeWithTheModelWhateverDevicesOfOneHostDoToEachOther() {
        long first = SEED != null ? SEED : SECONDS == null ? 1 : NanoClock.SYSTEM.nowNs();
        long startNs = NanoClock.SYSTEM.nowNs();
        long done = 0;
        while (SECONDS == null ? done < PROGRAMS : NanoClock.SYSTEM.nowNs() - startNs < SECONDS * 1_000_000_000L) {
            run(first + done++);
        }
        System.out.printf("%d programs from seed %d agree with the model: %s%n", done, first, seen);
        List<String> unused = new ArrayList<>(REQUEST_PATHS);
        unused.removeAll(seen.keySet());
        assertEquals(List.of(), unused, "ways that no request took");
    }
}
