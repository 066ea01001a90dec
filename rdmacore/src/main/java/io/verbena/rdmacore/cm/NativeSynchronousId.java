package io.verbena.rdmacore.cm;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.SynchronousOutcomes;
import java.net.InetSocketAddress;
import java.time.Duration;

/// An id whose calls wait for their outcome: an asynchronous one with a channel of its own. The synchronous ids of
/// librdmacm wait without a deadline and cannot be woken.
final class NativeSynchronousId extends NativeConnectionId {
    private final SynchronousOutcomes outcomes;

    NativeSynchronousId(NativeConnectionManager manager, PortSpace space, ConnectionOptions options) {
        super(manager, NativeEventChannel.open(), space, options);
        this.outcomes = new SynchronousOutcomes(this, state.channel(), CmClock::nowNs, () -> null);
    }

    @Override
    NativeConnectionId newSibling() {
        return new NativeSynchronousId(state.manager, state.space, state.options.copy());
    }

    @Override
    public EventChannel channel() {
        return null;
    }

    @Override
    public void migrate(EventChannel target) {
        throw new RdmaException("rdma_migrate_id", Errno.EINVAL, "a synchronous id keeps its own channel");
    }

    @Override
    public CmEvent event() {
        return outcomes.latest(state.stage() != NativeIdStage.CLOSED);
    }

    @Override
    public void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        super.resolveAddress(local, peer, timeout);
        outcomes.awaitAddress(timeout);
    }

    @Override
    public void resolveRoute(Duration timeout) {
        super.resolveRoute(timeout);
        outcomes.awaitRoute(timeout);
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        boolean isExternal = queuePair() == null && !state.isDatagram();
        super.connect(parameters);
        outcomes.awaitConnection(isExternal);
    }

    @Override
    public ConnectionId awaitRequest(Duration timeout) {
        requireListening();
        CmEvent request = outcomes.awaitRequest(timeout);
        if (request == null) {
            return null;
        }
        NativeSynchronousId id = (NativeSynchronousId) request.id();
        id.outcomes.begin(request);
        return id;
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        super.accept(parameters);
        if (!state.isDatagram()) { // for datagrams nothing is confirmed
            outcomes.awaitAccepted();
        }
    }

    @Override
    public void disconnect() {
        super.disconnect();
        outcomes.awaitDisconnected();
    }

    @Override
    public void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        super.joinMulticast(group, sendOnly);
        outcomes.awaitGroup();
    }

    @Override
    public void close() {
        super.close();
        state.channel().close();
    }
}
