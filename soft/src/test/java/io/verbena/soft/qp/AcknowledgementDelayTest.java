package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AcknowledgementDelayTest {
    private static final long QUICK_NS = AcknowledgementDelay.HOLD_NS / 3;

    private final AcknowledgementDelay delay = new AcknowledgementDelay();
    private long nowNs = Long.MAX_VALUE - 1_000_000;

    /// A peer that sends on without waiting: returns how many acknowledgements its messages took.
    private int pingPong(int messages) {
        int sent = 0;
        for (int i = 0; i < messages; i++) {
            delay.onMessage(nowNs);
            if (!delay.mayWait(nowNs)) {
                delay.onSent();
                sent++;
            }
            nowNs += QUICK_NS;
        }
        return sent;
    }

    /// A peer that waits for each acknowledgement: returns how many of them came late.
    private int waitForEach(int messages) {
        int late = 0;
        for (int i = 0; i < messages; i++) {
            delay.onMessage(nowNs);
            if (delay.mayWait(nowNs)) {
                late++;
                nowNs += AcknowledgementDelay.HOLD_NS;
                assertFalse(delay.mayWait(nowNs), "held no longer than promised");
            }
            delay.onSent();
            nowNs += QUICK_NS;
        }
        return late;
    }

    @Test
    void shouldAcknowledgeTheFirstMessagesAtOnce() {
        assertEquals(AcknowledgementDelay.FIRST_TRIAL - 1, pingPong(AcknowledgementDelay.FIRST_TRIAL - 1));
    }

    @Test
    void shouldSpeakForManyWhenThePeerGoesOn() {
        pingPong(1000);
        int messages = 1000;
        int sent = pingPong(messages);
        assertTrue(sent <= messages / AcknowledgementDelay.MOST_HELD + 1, "sent " + sent);
        assertTrue(sent >= messages / AcknowledgementDelay.MOST_HELD - 1, "sent " + sent);
    }

    @Test
    void shouldSpeakForFewAtFirst() {
        pingPong(AcknowledgementDelay.FIRST_TRIAL + 1);
        assertEquals(3, pingPong(3 * AcknowledgementDelay.FEWEST_HELD));
    }

    /// A peer whose messages stop when so many are unacknowledged. Returns how often it had to wait.
    private int withShortQueue(int messages, int queue) {
        int late = 0;
        int outstanding = 0;
        for (int i = 0; i < messages; i++) {
            delay.onMessage(nowNs);
            boolean waits = delay.mayWait(nowNs);
            if (waits && ++outstanding == queue) {
                late++;
                nowNs += AcknowledgementDelay.HOLD_NS;
                waits = delay.mayWait(nowNs);
                assertFalse(waits, "held no longer than promised");
            }
            if (!waits) {
                delay.onSent();
                outstanding = 0;
            }
            nowNs += QUICK_NS;
        }
        return late;
    }

    @Test
    void shouldSeldomKeepAPeerWithAShortQueueWaiting() {
        assertTrue(withShortQueue(100_000, AcknowledgementDelay.FEWEST_HELD + 2) < 500);
    }

    @Test
    void shouldHoldTheFirstMessageOnlyForAWhile() {
        pingPong(1000);
        long slowNs = AcknowledgementDelay.HOLD_NS - 1;
        int sent = 0;
        for (int i = 0; i < 200; i++) {
            delay.onMessage(nowNs);
            if (!delay.mayWait(nowNs)) {
                delay.onSent();
                sent++;
            }
            nowNs += slowNs;
        }
        assertTrue(sent >= 200 / 18, "sent " + sent);
    }

    @Test
    void shouldTryLessAndLessOftenWhenThePeerWaits() {
        assertTrue(waitForEach(100_000) < 120);
    }

    @Test
    void shouldAcknowledgeAtOnceAgainWhenAPatientPeerStops() {
        pingPong(100);
        delay.onMessage(nowNs);
        assertTrue(delay.mayWait(nowNs));
        nowNs += AcknowledgementDelay.HOLD_NS;
        assertFalse(delay.mayWait(nowNs));
        delay.onSent();
        delay.onMessage(nowNs);
        assertFalse(delay.mayWait(nowNs), "impatient until tried again");
    }

    @Test
    void shouldFindOutAgainWhenAPeerThatWaitedGoesOn() {
        waitForEach(10_000);
        int messages = 10_000;
        assertTrue(pingPong(messages) < messages / 4);
    }

    @Test
    void shouldForgetWhatItLearntWhenReset() {
        pingPong(100);
        delay.reset();
        delay.onMessage(nowNs);
        assertFalse(delay.mayWait(nowNs));
    }
}
