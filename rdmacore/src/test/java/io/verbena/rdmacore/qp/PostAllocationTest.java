package io.verbena.rdmacore.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.rig.AllocatedBytes;
import io.verbena.rdmacore.rig.FakeDriver;
import io.verbena.rdmacore.rig.PlainRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A C function that ignores what it is given and returns 0 stands for the driver.
class PostAllocationTest {
    private static final int WARM_UP = 200_000;
    private static final int MEASURED = 100_000;

    @Test
    void shouldAllocateNothingWhenPosting() {
        MemorySegment function =
                Linker.nativeLinker().defaultLookup().find("sched_yield").orElseThrow();
        try (FakeDriver driver = new FakeDriver();
                Arena arena = Arena.ofShared()) {
            PlainRegion region = new PlainRegion(arena.allocate(64), 1, 1);
            SendPosts sends = new SendPosts(
                    "post send",
                    function,
                    driver.qp(),
                    QueuePairType.RC,
                    new QueuePairCapabilities(16, 16, 2, 2, 16),
                    operation -> {},
                    null);
            SendRequest one = new NativeSendRequest(2, 16, false).write(1, 2).from(region, 0, 8);
            SendRequest inline = new NativeSendRequest(2, 16, false)
                    .send()
                    .from(region, 0, 8)
                    .inline();
            List<SendRequest> chain = List.of(one, inline);
            run(sends, one, region, chain, WARM_UP);
            long before = AllocatedBytes.now();
            run(sends, one, region, chain, MEASURED);
            // The compiler may be late with something; what is left of it is less than a byte a round.
            assertEquals(0, (AllocatedBytes.now() - before) / MEASURED);
        }
    }

    private static void run(SendPosts sends, SendRequest one, PlainRegion region, List<SendRequest> chain, int rounds) {
        for (int i = 0; i < rounds; i++) {
            assertTrue(sends.post(one.wrId(i).remote(i, i).from(region, 0, 8)));
            assertEquals(2, sends.post(chain));
        }
    }
}
