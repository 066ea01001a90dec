package io.verbena.verbs;

import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.spi.RdmaProvider;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// An event channel that becomes one of a provider when the first of its ids does.
final class AddressedEventChannel implements EventChannel {
    private static final String VERB = "rdma_get_cm_event";
    private static final Duration LONGEST = Duration.ofDays(365);

    private final AddressedConnectionManager manager;
    /// Ids that have no provider yet; the provider's channel knows the others.
    private final Set<AddressedId> undecided = new LinkedHashSet<>();

    private RdmaProvider provider;
    private EventChannel provided;
    private boolean closed;

    AddressedEventChannel(AddressedConnectionManager manager) {
        this.manager = manager;
    }

    static AddressedEventChannel require(String verb, EventChannel channel) {
        if (channel instanceof AddressedEventChannel ours) {
            return ours;
        }
        throw new RdmaException(
                verb,
                Errno.EINVAL,
                "the channel is not of this connection manager; for an id without one use createSynchronousId");
    }

    synchronized void add(AddressedId id) {
        if (closed) {
            throw new RdmaException("rdma_create_id", Errno.EBADF, "the event channel is closed");
        }
        undecided.add(id);
    }

    synchronized void remove(AddressedId id) {
        undecided.remove(id);
    }

    /// The provider's channel. A channel serves one provider, because no call can wait for two.
    synchronized EventChannel of(RdmaProvider wanted) {
        if (closed) {
            throw new RdmaException(VERB, Errno.EBADF, "the channel is closed");
        }
        if (provided == null) {
            provided = wanted.connectionManager().createEventChannel();
            provider = wanted;
            notifyAll();
        } else if (provider != wanted) {
            throw new RdmaException(
                    "rdma_bind_addr",
                    Errno.EINVAL,
                    "the address is of provider " + wanted.name() + ", but other ids of the event channel are of "
                            + provider.name() + "; make a channel for each, or set -D" + Rdma.PROVIDER_PROPERTY);
        }
        return provided;
    }

    @Override
    public CmEvent await(Duration timeout) {
        long startNs = System.nanoTime();
        EventChannel channel = awaitProvided(timeout);
        if (channel == null) {
            return null;
        }
        Duration left = timeout.minusNanos(System.nanoTime() - startNs);
        CmEvent event = channel.await(left.isNegative() ? Duration.ZERO : left);
        return event == null ? null : manager.translate(event, provider, this);
    }

    private synchronized EventChannel awaitProvided(Duration timeout) {
        long untilNs = System.nanoTime() + (timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout).toNanos();
        try {
            while (provided == null && !closed) {
                long leftNs = untilNs - System.nanoTime();
                if (leftNs <= 0) {
                    return null;
                }
                TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            }
        } catch (InterruptedException e) {
            throw new RdmaException(VERB, Errno.EINTR, "the waiting thread was interrupted", e);
        }
        if (provided == null) {
            throw new RdmaException(VERB, Errno.EBADF, "the channel is closed");
        }
        return provided;
    }

    @Override
    public synchronized boolean isReady() {
        return provided != null && provided.isReady();
    }

    @Override
    public synchronized Poller newPoller() {
        if (provided == null) {
            throw new RdmaException(
                    "make a poller",
                    Errno.EINVAL,
                    "the channel has no provider yet; bind or resolve the first of its ids before");
        }
        return provided.newPoller();
    }

    @Override
    public synchronized Pollable unwrap() {
        return provided == null ? this : provided;
    }

    @Override
    public synchronized void close() {
        if (!undecided.isEmpty()) {
            throw new RdmaException(
                    "rdma_destroy_event_channel",
                    Errno.EBUSY,
                    "ids use the channel: " + undecided + "; close these first");
        }
        if (provided != null) {
            provided.close();
        }
        closed = true;
        notifyAll();
    }

    @Override
    public synchronized String toString() {
        return provided == null ? "event channel without a provider yet" : provided.toString();
    }
}
