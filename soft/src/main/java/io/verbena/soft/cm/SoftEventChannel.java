package io.verbena.soft.cm;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.wait.SoftEventSource;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.EventChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The event channel of a program: a queue of events of ids.
final class SoftEventChannel extends SoftEventSource<SoftEventChannel.Waiting> implements EventChannel {
    record Waiting(CmEvent event, Runnable onTaken) {}

    private final Set<SoftConnectionId> ids = ConcurrentHashMap.newKeySet();
    /// The devices of the ids. To ask thousands of ids at each wait would take longer than most waits.
    private List<SoftSharedDevice> devices = List.of();

    SoftEventChannel() {
        super("rdma_get_cm_event");
    }

    void add(SoftConnectionId id) {
        if (isClosed()) {
            throw new RdmaException("rdma_create_id", Errno.EBADF, "the event channel is closed");
        }
        ids.add(id);
    }

    /// An id of this channel uses a device, which is retained already.
    void use(SoftSharedDevice device) {
        synchronized (ids) {
            if (!devices.contains(device)) {
                List<SoftSharedDevice> more = new ArrayList<>(devices);
                more.add(device);
                devices = List.copyOf(more);
            }
        }
    }

    /// @param onTaken runs when the program takes the event
    void put(CmEvent event, Runnable onTaken) {
        put(new Waiting(event, onTaken));
    }

    /// An id is being closed or moved: removes its events, and those of requests to it.
    List<Waiting> remove(SoftConnectionId id) {
        ids.remove(id);
        List<Waiting> its = new ArrayList<>();
        removeIf(waiting -> {
            CmEvent event = waiting.event;
            boolean isIts = event.id() == id || event.listener() == id;
            if (isIts) {
                its.add(waiting);
            }
            return isIts;
        });
        return its;
    }

    @Override
    public CmEvent await(Duration timeout) {
        Waiting waiting = awaitEvent(timeout);
        if (waiting == null) {
            return null;
        }
        waiting.onTaken.run();
        return waiting.event;
    }

    /// A device is forgotten when no id uses it, be it of this channel or not: to run its engine until then does no
    /// harm.
    @Override
    protected Collection<Engine> engines() {
        synchronized (ids) {
            if (!devices.stream().allMatch(SoftSharedDevice::hasUsers)) {
                devices = devices.stream().filter(SoftSharedDevice::hasUsers).toList();
            }
            return devices.stream().map(SoftSharedDevice::engine).toList();
        }
    }

    @Override
    public void close() {
        if (!ids.isEmpty()) {
            throw new RdmaException(
                    "rdma_destroy_event_channel", Errno.EBUSY, "ids use the channel: " + ids + "; close these first");
        }
        super.close();
    }
}
