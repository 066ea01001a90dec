package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;

/// What the ids of all providers have in common: their settings, and how a synchronous id waits. A provider only starts
/// what a program calls for, in the methods named `start`; the outcome is an event. A synchronous id is an asynchronous
/// one with a channel of its own, on which it waits for that event.
public abstract class ConnectionIdBase implements ConnectionId {
    private final PortSpace space;
    private final ConnectionOptions options;
    /// Null for an asynchronous id.
    private final SynchronousOutcomes outcomes;

    private volatile Object attachment;

    /// Makes an id that does nothing yet.
    ///
    /// @param own the channel of a synchronous id, which is closed with it; null for an asynchronous id
    protected ConnectionIdBase(PortSpace space, ConnectionOptions options, EventChannel own) {
        this.space = space;
        this.options = options;
        this.outcomes = own == null ? null : new SynchronousOutcomes(own);
    }

    // ---- what a provider adds ----

    /// The channel that events of the id go to now.
    protected abstract EventChannel currentChannel();

    /// What the id can do now, one of the provider's own stages.
    protected abstract Enum<?> stage();

    /// Whether the id is closed.
    protected abstract boolean isClosed();

    /// The time by which the id's channel waits.
    protected abstract long nowNs();

    /// Why the last call failed, when that is known better than from its event; else null.
    protected RuntimeException failureReason() {
        return null;
    }

    /// Throws when no requests come to the id.
    protected abstract void requireListening();

    /// Starts [#resolveAddress].
    protected abstract void startResolvingAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout);

    /// Starts [#resolveRoute].
    protected abstract void startResolvingRoute(Duration timeout);

    /// Starts [#connect].
    protected abstract void startConnecting(ConnectionParameters parameters);

    /// Starts [#accept].
    protected abstract void startAccepting(ConnectionParameters parameters);

    /// Starts [#disconnect].
    protected abstract void startDisconnecting();

    /// Starts [#joinMulticast].
    protected abstract void startJoining(InetSocketAddress group, boolean sendOnly);

    /// Moves an asynchronous id to another channel; null, or a channel of another provider, is refused.
    protected abstract void moveTo(EventChannel target);

    /// Closes the id, but not its channel.
    protected abstract void end();

    // ---- readable at any time ----

    @Override
    public final PortSpace portSpace() {
        return space;
    }

    /// Whether the id is for datagrams.
    public final boolean isDatagram() {
        return PortSpaceRules.isDatagram(space);
    }

    /// Whether its calls wait for their outcome.
    public final boolean isSynchronous() {
        return outcomes != null;
    }

    /// The options, to be read and changed.
    public final ConnectionOptions options() {
        return options;
    }

    @Override
    public final EventChannel channel() {
        return isSynchronous() ? null : currentChannel();
    }

    @Override
    public final Object attachment() {
        return attachment;
    }

    @Override
    public final void attachment(Object attachment) {
        this.attachment = attachment;
    }

    @Override
    public final Duration timeout() {
        return options.timeout();
    }

    @Override
    public final void timeout(Duration timeout) {
        options.timeout(timeout);
    }

    @Override
    public final CmEvent event() {
        return isSynchronous() ? outcomes.latest(this) : null;
    }

    /// Throws EBADF when the id is closed, and EINVAL with the remedy when it is in none of those stages.
    protected final void require(String verb, Set<? extends Enum<?>> allowed, String remedy) {
        Enum<?> now = stage();
        if (!allowed.contains(now)) {
            throw isClosed()
                    ? new RdmaException(verb, Errno.EBADF, "the id is closed")
                    : new RdmaException(verb, Errno.EINVAL, "the id is " + now + "; " + remedy);
        }
    }

    // ---- calls ----

    @Override
    public final void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        startResolvingAddress(local, peer, timeout);
        if (isSynchronous()) {
            outcomes.awaitAddress(this, timeout);
        }
    }

    @Override
    public final void resolveRoute(Duration timeout) {
        startResolvingRoute(timeout);
        if (isSynchronous()) {
            outcomes.awaitRoute(this, timeout);
        }
    }

    @Override
    public final void connect(ConnectionParameters parameters) {
        boolean isExternal = queuePair() == null && !isDatagram();
        startConnecting(parameters);
        if (isSynchronous()) {
            outcomes.awaitConnection(this, isExternal);
        }
    }

    @Override
    public final ConnectionId awaitRequest(Duration timeout) {
        if (!isSynchronous()) {
            throw new RdmaException(
                    "rdma_get_request", Errno.EINVAL, "requests of this id arrive on its event channel");
        }
        requireListening();
        CmEvent request = outcomes.awaitRequest(this, timeout);
        if (request == null) {
            return null;
        }
        ((ConnectionIdBase) request.id()).outcomes.begin(request);
        return request.id();
    }

    @Override
    public final void accept(ConnectionParameters parameters) {
        startAccepting(parameters);
        if (isSynchronous() && !isDatagram()) { // for datagrams nothing is confirmed
            outcomes.awaitAccepted(this);
        }
    }

    @Override
    public final void disconnect() {
        startDisconnecting();
        if (isSynchronous()) {
            outcomes.awaitDisconnected(this);
        }
    }

    @Override
    public final void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        startJoining(group, sendOnly);
        if (isSynchronous()) {
            outcomes.awaitGroup(this);
        }
    }

    @Override
    public final void migrate(EventChannel target) {
        if (isSynchronous()) {
            throw new RdmaException("rdma_migrate_id", Errno.EINVAL, "a synchronous id keeps its own channel");
        }
        moveTo(target);
    }

    @Override
    public final void close() {
        end();
        if (isSynchronous()) {
            currentChannel().close();
        }
    }

    @Override
    public final String toString() {
        return "id[" + localAddress() + " -> " + peerAddress() + ", " + stage() + "]";
    }
}
