package io.verbena.soft.wait;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/// Wakes a thread that sleeps in a system call when it is interrupted. A system call does not notice an interrupt, but
/// `Thread.interrupt` closes the channel in whose operation a thread is blocked: this one, for one sleep.
///
/// A thread has one such channel. Whoever is in an operation of a channel of its own, and waits for a device in it, has
/// to check for interrupts afterwards.
final class InterruptWake extends AbstractInterruptibleChannel {
    private final Runnable wake;

    InterruptWake(Runnable wake) {
        this.wake = wake;
    }

    /// Wakes at once when the thread is interrupted already.
    void beginSleep() {
        begin();
    }

    void endSleep() {
        try {
            end(true);
        } catch (AsynchronousCloseException interrupted) {
            // The thread's status tells it, and whoever waits checks that.
        }
    }

    @Override
    protected void implCloseChannel() {
        wake.run();
    }
}
