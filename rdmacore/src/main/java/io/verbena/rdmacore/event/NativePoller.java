package io.verbena.rdmacore.event;

import io.verbena.verbs.Errno;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Waits on several channels of native devices.
public final class NativePoller implements Poller {
    private static final String VERB = "poll";
    private static final int NO_DESCRIPTOR = -1;

    /// The first is the poller's own, which is ready never and only closes.
    private final List<Waitable> members = new CopyOnWriteArrayList<>();

    private final Waitable own = new Waitable(VERB, NO_DESCRIPTOR);

    public NativePoller() {
        members.add(own);
    }

    @Override
    public Poller add(Pollable pollable) {
        Waitable waitable = waitable("add to poller", pollable);
        if (!members.contains(waitable)) {
            members.add(waitable);
        }
        return this;
    }

    @Override
    public Poller remove(Pollable pollable) {
        members.remove(waitable("remove from poller", pollable));
        return this;
    }

    private static Waitable waitable(String verb, Pollable pollable) {
        if (pollable instanceof WaitSource source) {
            return source.waitable();
        }
        throw new RdmaException(
                verb,
                Errno.EINVAL,
                pollable + " is not of a native device; a poller waits for channels of one provider");
    }

    @Override
    public int await(Duration timeout) {
        return Wait.until(VERB, () -> members, NanoClock.nanoseconds(timeout));
    }

    @Override
    public void close() {
        own.close();
    }
}
