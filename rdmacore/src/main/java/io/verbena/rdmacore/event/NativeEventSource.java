package io.verbena.rdmacore.event;

import io.verbena.rdmacore.lib.Libc;
import io.verbena.rdmacore.lib.PollFds;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.time.Duration;

/// A queue of events of one kind, the base of completion channels, event channels and asynchronous events.
public abstract class NativeEventSource<E> implements Pollable {
    private final String verb;
    private final Descriptor descriptor;

    /// @param verb what a program that waits here is doing, for errors
    protected NativeEventSource(String verb, int fd) {
        this.verb = verb;
        this.descriptor = new Descriptor(verb, fd);
    }

    /// Takes an event and acknowledges it; null when there is none. Runs between [Descriptor#enter] and
    /// [Descriptor#leave], so the channel is not closed meanwhile; several threads may be here at once.
    protected abstract E take();

    /// Whether there is an event that was read from the descriptor already.
    protected boolean hasReadAhead() {
        return false;
    }

    final Descriptor descriptor() {
        return descriptor;
    }

    /// Waits at most that long for an event; null when the time is over.
    public E await(Duration timeout) {
        long start = System.nanoTime();
        long budgetNs = Waits.nanoseconds(timeout);
        enter();
        try {
            E event = take();
            return event != null || budgetNs <= 0 ? event : await(start, budgetNs);
        } finally {
            descriptor.leave();
        }
    }

    private E await(long start, long budgetNs) {
        try (Arena arena = Arena.ofConfined()) {
            long fds = arena.allocate(2L * PollFds.SIZE, 8).address();
            while (true) {
                PollFds.set(fds, 0, descriptor.fd());
                PollFds.set(fds, 1, descriptor.endFd());
                long leftNs = budgetNs - (System.nanoTime() - start);
                Waits.sleep(verb, fds, 2, leftNs);
                if (descriptor.isClosed()) {
                    throw closed();
                }
                E event = take();
                if (event != null || leftNs <= 0) {
                    return event;
                }
            }
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
        try (Arena arena = Arena.ofConfined()) {
            long fds = arena.allocate(PollFds.SIZE, 8).address();
            PollFds.set(fds, 0, descriptor.fd());
            return hasReadAhead() || Libc.poll(fds, 1, 0) > 0;
        } finally {
            descriptor.leave();
        }
    }

    @Override
    public final Poller newPoller() {
        return NativePoller.open();
    }

    protected final boolean isShut() {
        return descriptor.isClosed();
    }

    /// Wakes all waiting threads, with EBADF, and returns when they have left.
    protected final void shut() {
        descriptor.shut();
    }
}
