package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ShortLockTest {
    private static final int ENOUGH_FOR_BIAS = 2_000;
    private static final int LOCKS = 300;
    private static final int MOST_TIMES = 200_000;

    /// Plain: only the lock keeps the sum right.
    private long sum;

    private void take(ShortLock lock, int times) {
        for (int i = 0; i < times; i++) {
            lock.lock();
            sum++;
            lock.unlock();
        }
    }

    private static Thread.Builder thread(boolean isVirtual) {
        return isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
    }

    @Test
    void shouldGetBiasWhenOneThreadTakesItAgainAndAgain() {
        ShortLock lock = new ShortLock();
        take(lock, ENOUGH_FOR_BIAS);
        assertTrue(lock.isBiased());
        take(lock, ENOUGH_FOR_BIAS);
        assertEquals(2 * ENOUGH_FOR_BIAS, sum);
    }

    @Test
    void shouldLoseBiasWhenAnotherThreadComes() throws InterruptedException {
        ShortLock lock = new ShortLock();
        take(lock, ENOUGH_FOR_BIAS);
        Thread.ofPlatform().start(() -> take(lock, 1)).join();
        assertFalse(lock.isBiased());
        take(lock, 1);
        assertEquals(ENOUGH_FOR_BIAS + 2, sum);
    }

    @Test
    void shouldGetNoBiasAnyMoreWhenThreadsTakeItInTurns() throws InterruptedException {
        ShortLock lock = new ShortLock();
        for (int turn = 0; turn < 4; turn++) {
            take(lock, ENOUGH_FOR_BIAS);
            Thread.ofVirtual().start(() -> take(lock, 1)).join();
        }
        take(lock, ENOUGH_FOR_BIAS);
        assertFalse(lock.isBiased());
    }

    /// Each lock loses its bias in the middle of the work of the thread that has it.
    @Test
    void shouldLetOneThreadInAtATimeWhenBiasIsRevoked() throws InterruptedException {
        for (int n = 0; n < LOCKS; n++) {
            ShortLock lock = new ShortLock();
            sum = 0;
            int taken = 0;
            Thread other = thread(n % 2 == 0).unstarted(() -> take(lock, ENOUGH_FOR_BIAS));
            take(lock, ENOUGH_FOR_BIAS);
            other.start();
            while (other.isAlive() && taken < MOST_TIMES) {
                take(lock, 10);
                taken += 10;
            }
            other.join();
            assertEquals(2L * ENOUGH_FOR_BIAS + taken, sum, "lock " + n);
        }
    }
}
