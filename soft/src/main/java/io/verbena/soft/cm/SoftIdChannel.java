package io.verbena.soft.cm;

import io.verbena.verbs.cm.CmEvent;
import java.util.List;
import java.util.function.Function;

/// The event channel that an id has now. Engines put events while the program moves the id to another channel, so both
/// take a lock, under which no thread waits.
final class SoftIdChannel {
    private final SoftConnectionId id;
    private volatile SoftEventChannel channel;

    SoftIdChannel(SoftConnectionId id, SoftEventChannel channel) {
        this.id = id;
        this.channel = channel;
        channel.add(id);
    }

    SoftEventChannel get() {
        return channel;
    }

    /// The id uses one more device.
    synchronized void use(SoftSharedDevice device) {
        channel.use(device);
    }

    void put(CmEvent event) {
        put(event, () -> {});
    }

    /// @param onTaken runs when the program takes the event
    synchronized void put(CmEvent event, Runnable onTaken) {
        channel.put(event, onTaken);
    }

    /// As [#put], for an event that has to be made for the channel it goes to.
    synchronized void putMade(Function<SoftEventChannel, CmEvent> maker, Runnable onTaken) {
        channel.put(maker.apply(channel), onTaken);
    }

    /// Pending events move along, and so do the ids of requests that the program has not taken yet.
    synchronized void migrate(SoftEventChannel target) {
        SoftEventChannel from = channel;
        if (from == target) {
            return;
        }
        target.add(id);
        channel = target;
        id.binding().devices().forEach(target::use);
        List<SoftEventChannel.Waiting> waiting = from.remove(id);
        for (SoftEventChannel.Waiting one : waiting) {
            if (one.event().listener() == id) {
                ((SoftConnectionId) one.event().id()).eventChannel().migrate(target);
            }
            target.put(one);
        }
    }

    /// The id is closed. Returns the ids of requests that the program did not take.
    synchronized List<SoftConnectionId> leave() {
        return channel.remove(id).stream()
                .map(SoftEventChannel.Waiting::event)
                .filter(event -> event.listener() == id)
                .map(event -> (SoftConnectionId) event.id())
                .toList();
    }
}
