package io.verbena.rdmacore.event;

import io.verbena.rdmacore.lib.CallState;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.rdmacore.lib.PollFds;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.time.Duration;

/// A queue of events of one kind, the base of completion channels, event channels and asynchronous events.
public abstract class NativeEventSource<E> implements Pollable {
    /// A wait that found nothing at first is followed by this many that sleep at once, without looking first.
    private static final int SLEEPS_AT_ONCE = 15;

    private final String verb;
    private final Descriptor descriptor;
    /// How many of those are left. Threads that change it at once only lose a count.
    private int sleepsAtOnce;

    /// @param verb what a program that waits here is doing, for errors
    protected NativeEventSource(String verb, int fd) {
        this.verb = verb;
        this.descriptor = new Descriptor(verb, fd);
    }

    /// Takes an event and acknowledges it; null when there is none. Runs between [Descriptor#enter] and
    /// [Descriptor#leave], so the channel is not closed meanwhile; several threads may be here at once.
    protected abstract E take();

    final Descriptor descriptor() {
        return descriptor;
    }

    /// Waits at most that long for an event; null when the time is over.
    ///
    /// In C a wait is one system call, a read that blocks. Here it is two, since no other thread could end a read:
    /// sleep, then read. Where events are there before the program waits, as in a stream, it is the read alone. Reading
    /// first each time would make it three for a program that waits for each message. Virtual threads read first each
    /// time: their sleep costs far more.
    public E await(Duration timeout) {
        long budgetNs = Waits.nanoseconds(timeout);
        enter();
        try {
            if (budgetNs > 0 && sleepsAtOnce > 0 && !Thread.currentThread().isVirtual()) {
                sleepsAtOnce--;
            } else {
                E event = take();
                if (event != null || budgetNs <= 0) {
                    return event;
                }
                sleepsAtOnce = SLEEPS_AT_ONCE;
            }
            return sleep(System.nanoTime(), budgetNs);
        } finally {
            descriptor.leave();
        }
    }

    private E sleep(long start, long budgetNs) {
        long leftNs = budgetNs;
        while (true) {
            long fds = CallState.scratch();
            PollFds.set(fds, 0, descriptor.fd());
            PollFds.set(fds, 1, descriptor.endFd());
            Waits.sleep(verb, fds, 2, leftNs);
            if (descriptor.isClosed()) {
                throw closed();
            }
            E event = take();
            if (event != null || leftNs <= 0) {
                return event;
            }
            leftNs = budgetNs - (System.nanoTime() - start);
        }
    }

    private void enter() {
        if (!descriptor.enter()) {
            throw closed();
        }
    }

    private RdmaException closed() {
        return new RdmaException(verb, Errno.EBADF, "the channel is closed");
    }

    @Override
    public final boolean isReady() {
        if (!descriptor.enter()) {
            return false;
        }
        try {
            long fds = CallState.scratch();
            PollFds.set(fds, 0, descriptor.fd());
            return Libc.poll(fds, 1, 0) > 0;
        } finally {
            descriptor.leave();
        }
    }

    @Override
    public final Poller newPoller() {
        return NativePoller.open();
    }

    /// Wakes all waiting threads, with EBADF, and returns when they have left.
    protected final void shut() {
        descriptor.shut();
    }
}
