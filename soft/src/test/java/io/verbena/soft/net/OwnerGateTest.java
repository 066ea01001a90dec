package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OwnerGateTest {
    private final AtomicInteger releases = new AtomicInteger();
    private final UseGate gate = new UseGate(releases::incrementAndGet);
    private final OwnerGate owner = new OwnerGate(gate);

    private void close() {
        assertTrue(gate.enter());
        gate.close();
        owner.close();
        gate.leave();
    }

    @Test
    void shouldReleaseWhenClosedWhileTheOwnerIsOutside() {
        assertTrue(owner.enter());
        owner.leave();
        close();
        assertEquals(1, releases.get());
        assertFalse(owner.enter());
        assertFalse(owner.enter());
        assertEquals(1, releases.get());
    }

    @Test
    void shouldReleaseWhenTheOwnerComesOutWhoWasInside() {
        assertTrue(owner.enter());
        assertTrue(owner.enter());
        close();
        assertFalse(owner.enter(), "closed");
        assertEquals(0, releases.get());
        owner.leave();
        assertEquals(0, releases.get());
        owner.leave();
        assertEquals(1, releases.get());
    }

    @Test
    void shouldNeverReleaseUnderTheOwner() throws InterruptedException {
        for (int round = 0; round < 500; round++) {
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger seen = new AtomicInteger(-1);
            UseGate uses = new UseGate(() -> seen.set(inside.get()));
            OwnerGate busy = new OwnerGate(uses);
            Thread thread = Thread.ofPlatform().start(() -> {
                while (busy.enter()) {
                    inside.setPlain(1);
                    inside.setPlain(0);
                    busy.leave();
                }
            });
            for (int spin = 0; spin < round; spin++) {
                Thread.onSpinWait();
            }
            assertTrue(uses.enter());
            uses.close();
            busy.close();
            uses.leave();
            thread.join(10_000);
            assertFalse(thread.isAlive(), "round " + round);
            assertEquals(0, seen.get(), "round " + round);
        }
    }
}
