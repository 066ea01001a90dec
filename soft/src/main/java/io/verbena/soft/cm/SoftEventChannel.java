package io.verbena.soft.cm;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.wait.EventSource;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.EventChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Where events of ids wait to be taken.
final class SoftEventChannel extends EventSource<SoftEventChannel.Waiting> implements EventChannel {
    record Waiting(CmEvent event, Runnable onTaken) {}

    private final Set<SoftConnectionId> ids = ConcurrentHashMap.newKeySet();

    SoftEventChannel() {
        super("rdma_get_cm_event");
    }

    void add(SoftConnectionId id) {
        if (events.isClosed()) {
            throw new RdmaException("rdma_create_id", Errno.EBADF, "the event channel is closed");
        }
        ids.add(id);
    }

    /// @param onTaken runs when the program takes the event
    void put(CmEvent event, Runnable onTaken) {
        put(new Waiting(event, onTaken));
    }

    void put(Waiting waiting) {
        events.put(waiting);
    }

    /// An id is being closed or moved: its events, and those of requests to it, are nobody's here any more.
    List<Waiting> remove(SoftConnectionId id) {
        ids.remove(id);
        List<Waiting> its = new ArrayList<>();
        events.removeIf(waiting -> {
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
        Waiting waiting = events.await(timeout);
        if (waiting == null) {
            return null;
        }
        waiting.onTaken.run();
        return waiting.event;
    }

    @Override
    public Collection<Engine> engines() {
        Set<Engine> engines = new LinkedHashSet<>();
        for (SoftConnectionId id : ids) {
            engines.addAll(id.engines());
        }
        return engines;
    }

    @Override
    public void close() {
        if (!ids.isEmpty()) {
            throw new RdmaException(
                    "rdma_destroy_event_channel", Errno.EBUSY, "ids use the channel: " + ids + "; close these first");
        }
        events.close();
    }
}
