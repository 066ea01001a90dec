package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.layout.RdmaCmEvent;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.rdmacore.lib.Memory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// Takes the events of ids and watches their deadlines, on a thread that runs while there are ids.
final class EventService {
    private static final Logger LOG = System.getLogger(EventService.class.getName());

    private final LongSupplier clock;
    private final Map<Long, IdState> ids = new ConcurrentHashMap<>();
    private final Deadlines<IdState> deadlines = new Deadlines<>();
    private ServiceThread thread;
    private int users;

    EventService(LongSupplier clock) {
        this.clock = clock;
    }

    /// Counts one more id; returns the address of the channel for it.
    synchronized long retain() {
        if (thread == null) {
            thread = ServiceThread.start(this);
        }
        users++;
        return thread.channel();
    }

    /// The id is gone from the channel.
    synchronized void release() {
        users--;
        if (users == 0) {
            thread.stop();
            thread = null;
        }
    }

    /// Events of that address are for that id from now on.
    void add(long address, IdState id) {
        ids.put(address, id);
    }

    void remove(long address, IdState id) {
        ids.remove(address, id);
    }

    /// Only for an id that retains the service.
    synchronized void deadline(IdState id, long timeoutNs) {
        deadlines.set(id, clock.getAsLong() + timeoutNs);
        setTimer();
    }

    synchronized boolean hasDeadline(IdState id) {
        return deadlines.get(id).isPresent();
    }

    synchronized void cancelDeadline(IdState id) {
        deadlines.cancel(id);
    }

    private void setTimer() {
        if (thread != null && deadlines.earliest().isPresent()) {
            thread.armTimer(deadlines.earliest().getAsLong() - clock.getAsLong());
        }
    }

    private synchronized IdState takeExpired() {
        IdState expired = deadlines.takeExpired(clock.getAsLong());
        if (expired == null) {
            if (thread != null) {
                thread.disarm();
            }
            setTimer();
        }
        return expired;
    }

    /// On the thread: takes all events that are there.
    void run(long channel, long result) {
        while (take(channel, result)) {
            continue;
        }
        for (IdState id = takeExpired(); id != null; id = takeExpired()) {
            try {
                id.events.onDeadline();
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "deadline of " + id, e);
            }
        }
    }

    private boolean take(long channel, long result) {
        int failed = Rdmacm.LIB.getEvent(channel, result);
        if (failed < 0) {
            if (failed != -Libc.EAGAIN && failed != -Libc.EINTR) {
                LOG.log(Level.WARNING, "rdma_get_cm_event failed with error number {0}", -failed);
            }
            return false;
        }
        long event = Memory.getLong(result);
        // Until the event is acknowledged, the id cannot be destroyed, so its address cannot be that of another id.
        IdState id = ids.get(RdmaCmEvent.ID.get(event));
        try {
            EventData data = EventData.take(event);
            if (id != null) {
                id.events.deliver(data);
            }
        } catch (RuntimeException e) { // a failure of one id must not end the thread
            LOG.log(Level.WARNING, "event of " + id, e);
        }
        return true;
    }
}
