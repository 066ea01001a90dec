package io.verbena.rdmacore;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class UseCountTest {
    private final UseCount count = new UseCount();

    @Test
    void shouldLetSeveralUsersInUntilTheEnd() {
        assertTrue(count.acquire());
        assertTrue(count.acquire());
        count.release();
        count.release();
        count.end();
        assertFalse(count.acquire());
        count.end();
    }

    @Test
    void shouldWaitForUsersAtTheEnd() throws InterruptedException {
        assertTrue(count.acquire());
        Thread closer = Thread.ofPlatform().daemon().start(count::end);
        closer.join(20);
        assertTrue(closer.isAlive(), "somebody is inside");
        count.release();
        closer.join();
        assertFalse(count.acquire());
    }

    @Test
    void shouldGoOnWhenItWasNotTheEnd() {
        count.end();
        count.resume();
        assertTrue(count.acquire());
        count.resume();
        count.release();
        count.end();
        assertFalse(count.acquire());
    }
}
