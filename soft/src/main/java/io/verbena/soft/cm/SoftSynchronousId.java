package io.verbena.soft.cm;

import io.verbena.soft.os.NanoClock;
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

/// An id whose calls wait for their outcome: an asynchronous one with a channel of its own.
final class SoftSynchronousId extends SoftConnectionId {
    private final SynchronousOutcomes outcomes;

    SoftSynchronousId(SoftConnectionManager manager, PortSpace space, ConnectionOptions options) {
        super(manager, new SoftEventChannel(), space, options);
        this.outcomes = new SynchronousOutcomes(
                this, events(), () -> clock().nowNs(), () -> failure().get());
    }

    private SoftEventChannel events() {
        return eventChannel().get();
    }

    /// That of the device, whose time may be simulated.
    private NanoClock clock() {
        SoftSharedDevice device = binding().device();
        return device == null ? NanoClock.SYSTEM : device.engine().clock();
    }

    @Override
    SoftConnectionId newSibling(SoftEventChannel channel, ConnectionOptions options) {
        return new SoftSynchronousId(manager, portSpace(), options);
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
        return outcomes.latest(!events().isClosed());
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
        boolean isExternal = queuePair() == null && !PortSpaces.isDatagram(portSpace());
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
        SoftSynchronousId id = (SoftSynchronousId) request.id();
        id.outcomes.begin(request);
        return id;
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        super.accept(parameters);
        if (!PortSpaces.isDatagram(portSpace())) { // for datagrams nothing is confirmed
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
        events().close();
    }
}
