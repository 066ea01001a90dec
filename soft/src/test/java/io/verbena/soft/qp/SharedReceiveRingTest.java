package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SharedReceiveRingTest {
    private static void post(SharedReceiveRing ring, long wrId) {
        SoftReceiveRequest request = new SoftReceiveRequest(null, 1);
        request.wrId(wrId).intoAddress(wrId, 1, 1);
        ring.write(request);
    }

    @Test
    void shouldCountTakenCompletionsOfSeveralPollers() throws InterruptedException {
        SharedReceiveRing ring = new SharedReceiveRing(1 << 16, 1);
        long[] hand = new long[2];
        while (!ring.isFull()) {
            post(ring, ring.next());
        }
        for (int i = 0; i < 1 << 16; i++) {
            assertEquals(1, ring.take(hand));
            assertEquals(i, hand[0]);
        }
        assertTrue(ring.isFull(), "no completion is taken yet");
        Thread[] pollers = new Thread[4];
        for (int i = 0; i < pollers.length; i++) {
            pollers[i] = Thread.ofPlatform().start(() -> {
                for (int n = 0; n < 1 << 14; n++) {
                    ring.onTaken();
                }
            });
        }
        for (Thread poller : pollers) {
            poller.join();
        }
        for (int i = 0; i < 1 << 16; i++) {
            assertFalse(ring.isFull(), "every place is free again");
            post(ring, i);
        }
        assertTrue(ring.isFull());
    }

    @Test
    void shouldStayFullWhenMadeSmallerThanWhatIsNotTaken() {
        SharedReceiveRing ring = new SharedReceiveRing(8, 1);
        long[] hand = new long[2];
        for (int i = 0; i < 6; i++) {
            post(ring, i);
        }
        for (int i = 0; i < 5; i++) {
            ring.take(hand);
        }
        ring.resize(4);
        assertTrue(ring.isFull(), "one waits and five are not taken");
        ring.onTaken();
        ring.onTaken();
        assertTrue(ring.isFull());
        ring.onTaken();
        assertFalse(ring.isFull());
        assertEquals(5, ring.wrId());
    }
}
