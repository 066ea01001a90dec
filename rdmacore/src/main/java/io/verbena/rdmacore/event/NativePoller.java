package io.verbena.rdmacore.event;

import io.verbena.rdmacore.lib.PollFds;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Waits on several channels of native devices.
final class NativePoller implements Poller {
    private static final String VERB = "poll";

    private final List<NativeEventSource<?>> sources = new CopyOnWriteArrayList<>();
    private final Signal change;
    /// Ready when the set of channels changed; closing it closes the poller.
    private final Descriptor descriptor;

    private NativePoller(Signal change) {
        this.change = change;
        this.descriptor = new Descriptor(VERB, change.fd());
    }

    /// Leaves nothing open when the process has no descriptor left for it.
    static NativePoller open() {
        Signal change = new Signal();
        try {
            return new NativePoller(change);
        } catch (RdmaException noDescriptor) {
            change.close();
            throw noDescriptor;
        }
    }

    @Override
    public Poller add(Pollable pollable) {
        NativeEventSource<?> source = source("add to poller", pollable);
        if (!sources.contains(source)) {
            sources.add(source);
            announce();
        }
        return this;
    }

    @Override
    public Poller remove(Pollable pollable) {
        sources.remove(source("remove from poller", pollable));
        announce();
        return this;
    }

    private void announce() {
        if (descriptor.enter()) {
            change.raise();
            descriptor.leave();
        }
    }

    private static NativeEventSource<?> source(String verb, Pollable pollable) {
        if (pollable.unwrap() instanceof NativeEventSource<?> source) {
            return source;
        }
        throw new RdmaException(
                verb,
                Errno.EINVAL,
                pollable + " is not of a native device; a poller waits for channels of one provider");
    }

    @Override
    public int await(Duration timeout) {
        long start = System.nanoTime();
        long budgetNs = Waits.nanoseconds(timeout);
        if (!descriptor.enter()) {
            throw closed("the poller");
        }
        try {
            while (true) {
                long leftNs = budgetNs - (System.nanoTime() - start);
                int ready = sleep(leftNs);
                if (descriptor.isClosed()) {
                    throw closed("the poller");
                }
                if (ready > 0 || leftNs <= 0) {
                    return ready;
                }
            }
        } finally {
            descriptor.leave();
        }
    }

    /// Waits a while on the channels there are now; how many are ready.
    private int sleep(long leftNs) {
        List<NativeEventSource<?>> now = List.copyOf(sources);
        int entered = 0;
        try (Arena arena = Arena.ofConfined()) {
            for (NativeEventSource<?> source : now) {
                if (!source.descriptor().enter()) {
                    throw closed("a channel of the poller");
                }
                entered++;
            }
            return sleep(now, arena, leftNs);
        } finally {
            for (int i = 0; i < entered; i++) {
                now.get(i).descriptor().leave();
            }
        }
    }

    /// The channels come first, then what ends them, then the poller's own.
    private int sleep(List<NativeEventSource<?>> now, Arena arena, long leftNs) {
        int count = now.size();
        long fds = arena.allocate((2L * count + 2) * PollFds.SIZE, 8).address();
        for (int i = 0; i < count; i++) {
            PollFds.set(fds, i, now.get(i).descriptor().fd());
            PollFds.set(fds, count + i, now.get(i).descriptor().endFd());
        }
        PollFds.set(fds, 2 * count, descriptor.fd());
        PollFds.set(fds, 2 * count + 1, descriptor.endFd());
        Waits.sleep(VERB, fds, 2 * count + 2, leftNs);
        if (PollFds.isReady(fds, 2 * count)) {
            change.clear();
        }
        int ready = 0;
        for (int i = 0; i < count; i++) {
            if (PollFds.isReady(fds, count + i)) {
                throw closed("a channel of the poller");
            }
            ready += PollFds.isReady(fds, i) ? 1 : 0;
        }
        return ready;
    }

    private static RdmaException closed(String what) {
        return new RdmaException(VERB, Errno.EBADF, what + " is closed");
    }

    @Override
    public void close() {
        if (descriptor.shut()) {
            change.close();
        }
    }
}
