package io.verbena.rdmacore;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
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
        assertTrue(closer.join(Duration.ofSeconds(30)));
        assertFalse(count.acquire());
    }

    /// Otherwise threads that use the object in turns would keep it from being closed.
    @Test
    void shouldLetNobodyInWhileTheEndWaitsForUsers() {
        assertTrue(count.acquire());
        assertTrue(count.refuse());
        assertFalse(count.acquire());
        assertFalse(count.refuse());
        count.release();
        count.awaitNoUsers();
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
