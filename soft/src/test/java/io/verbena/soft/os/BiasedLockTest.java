package io.verbena.soft.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.ChildJvm;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BiasedLockTest {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long LONG_ENOUGH_NS = 5_000_000_000L;
    /// More acquisitions than a thread needs to get the bias.
    private static final int MANY = 20_000;

    private final BiasedLock lock = new BiasedLock();
    /// Two counters that are equal, unless two threads hold the lock at once.
    private long first;

    private long second;

    private void increment() {
        lock.lock();
        try {
            first++;
            second++;
            assertEquals(first, second);
        } finally {
            lock.unlock();
        }
    }

    private void takeOften() {
        for (int i = 0; i < MANY; i++) {
            increment();
        }
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    @Test
    void shouldKeepOthersOutWhileOneThreadIsPreferred() throws Exception {
        takeOften();
        var stop = new AtomicBoolean();
        var others = new AtomicLong();
        Thread other = start(() -> {
            while (!stop.get()) {
                increment();
                others.incrementAndGet();
                LockSupport.parkNanos(20_000);
            }
        });
        int turns = 1;
        while (turns <= 100 || others.get() == 0) {
            takeOften();
            turns++;
        }
        stop.set(true);
        other.join();
        assertEquals((long) turns * MANY + others.get(), first);
    }

    @Test
    void shouldCountHowOftenItIsTakenFromThePreferredThread() throws Exception {
        takeOften();
        assertEquals(0, lock.revocations(), "one thread alone takes nothing from anybody");
        boolean biased = lock.isBiased();
        start(this::increment).join();
        assertEquals(biased ? 1 : 0, lock.revocations());
    }

    @Test
    void shouldCountRightWhenThreadsAreHotInTurnAndAtOnce() throws Exception {
        int threads = 4;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < threads; i++) {
                start(this::takeOften).join();
            }
            Thread[] all = new Thread[threads];
            for (int i = 0; i < threads; i++) {
                all[i] = start(this::takeOften);
            }
            for (Thread thread : all) {
                thread.join();
            }
        }
        assertEquals(3L * 2 * threads * MANY, first);
    }

    @Test
    void shouldBeTakenAgainByItsHolder() throws Exception {
        takeOften();
        lock.lock();
        assertTrue(lock.tryLock());
        assertTrue(lock.isHeldByCurrentThread());
        lock.unlock();
        assertTrue(lock.isHeldByCurrentThread());
        assertFalse(tryFromAnotherThread());
        lock.unlock();
        assertFalse(lock.isHeldByCurrentThread());
        assertTrue(tryFromAnotherThread());
    }

    @Test
    void shouldPreferAThreadUnlessTurnedOff() {
        takeOften();
        assertEquals(AsymmetricFence.IN_PROCESS, lock.isBiased());
    }

    /// Another thread that comes once in many times is worth a bias; one that comes as often is not.
    @Test
    void shouldKeepABiasThatPaysAndDropOneThatDoesNot() throws Exception {
        takeOften();
        for (int i = 0; i < 20; i++) {
            takeOften();
            assertTrue(tryFromAnotherThread());
        }
        assertEquals(AsymmetricFence.IN_PROCESS, lock.isBiased());
        for (int i = 0; i < 20; i++) {
            increment();
            assertTrue(tryFromAnotherThread());
        }
        assertFalse(lock.isBiased());
    }

    /// Two threads that take turns settle: each trial of a bias needs twice as many acquisitions as the last.
    @Test
    void shouldTryABiasLessAndLessOftenWhileItDoesNotPay() throws Exception {
        int trials = 0;
        boolean was = false;
        for (int i = 0; i < 40_000; i++) {
            increment();
            trials += lock.isBiased() && !was ? 1 : 0;
            was = lock.isBiased();
            if (i % 500 == 0) {
                assertTrue(tryFromAnotherThread());
            }
        }
        assertTrue(trials <= 8, trials + " trials");
    }

    @Test
    void shouldDoTheSameAsAnOrdinaryLockWhenTurnedOff() throws Exception {
        try (ChildJvm child = UnbiasedProcess.start(UnbiasedProcess.LOCK)) {
            assertEquals(UnbiasedProcess.PASSED, child.line());
            assertEquals(0, child.end());
        }
    }

    private boolean tryFromAnotherThread() throws InterruptedException {
        boolean[] got = new boolean[1];
        start(() -> {
                    got[0] = lock.tryLock();
                    if (got[0]) {
                        lock.unlock();
                    }
                })
                .join();
        return got[0];
    }

    @Test
    void shouldLetOthersInWhenThePreferredThreadIsGone() throws Exception {
        start(this::takeOften).join();
        increment();
        assertEquals(MANY + 1, first);
    }

    /// A thread whose tryLock fails has stored something before, and relies on the holder to read it after unlocking.
    @Test
    void shouldShowTheHolderWhatOthersStoredWhoWereTurnedAway() throws Exception {
        takeOften();
        long[] word = new long[1];
        int rounds = 20_000;
        var done = new CountDownLatch(1);
        Thread other = start(() -> {
            for (int round = 1; round <= rounds; round++) {
                ELEMENT.setVolatile(word, 0, (long) round);
                if (lock.tryLock()) {
                    ELEMENT.setVolatile(word, 0, 0L);
                    lock.unlock();
                } else {
                    // The holder resets it.
                    while ((long) ELEMENT.getVolatile(word, 0) != 0) {
                        Thread.onSpinWait();
                    }
                }
            }
            done.countDown();
        });
        while (done.getCount() > 0) {
            if (lock.tryLock()) {
                lock.unlock();
                if ((long) ELEMENT.getOpaque(word, 0) != 0 && lock.tryLock()) {
                    ELEMENT.setVolatile(word, 0, 0L);
                    lock.unlock();
                }
            }
        }
        assertTrue(done.await(1, TimeUnit.SECONDS));
        other.join();
    }

    /// A thread that stays interrupted would not nap, but retry without a pause.
    @Test
    void shouldNapThoughInterrupted() throws Exception {
        var interrupted = new AtomicBoolean();
        lock.lock();
        Thread other = start(() -> {
            Thread.currentThread().interrupt();
            increment();
            interrupted.set(Thread.interrupted());
        });
        long start = System.nanoTime();
        boolean napped = false;
        while (!napped && System.nanoTime() - start < LONG_ENOUGH_NS) {
            napped = LockSupport.getBlocker(other) == lock && !other.isInterrupted();
        }
        lock.unlock();
        other.join();
        assertTrue(napped);
        assertTrue(interrupted.get(), "still to be seen by who waits for it");
        assertEquals(1, first);
    }
}
