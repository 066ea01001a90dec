package io.verbena.soft.cm;

import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.PeerText;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// An id whose calls wait for their outcome: an asynchronous one with a channel of its own.
final class SoftSynchronousId extends SoftConnectionId {
    /// The connection ends every wait in time; this bound is for a busy host where it is late.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final String ACCEPT = "rdma_accept";

    private static final Set<CmEventType> TERMINAL = EnumSet.of(
            CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.CONNECT_ERROR, CmEventType.DISCONNECTED);

    private volatile CmEvent event;
    private volatile boolean isOver;

    SoftSynchronousId(SoftConnectionManager manager, PortSpace space, ConnectionOptions options) {
        super(manager, new SoftEventChannel(), space, options);
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

    private SoftEventChannel events() {
        return eventChannel().get();
    }

    @Override
    public CmEvent event() {
        // A listener's events are requests, which only awaitRequest takes.
        if (event != null && event.listener() != this && !events().isClosed()) {
            for (CmEvent next = events().tryTake(); next != null; next = events().tryTake()) {
                note(next);
            }
        }
        return event;
    }

    /// TIMEWAIT_EXIT always follows DISCONNECTED; a program that calls late must still see DISCONNECTED.
    private void note(CmEvent next) {
        if (next.type() == CmEventType.TIMEWAIT_EXIT) {
            return;
        }
        event = next;
        isOver |= TERMINAL.contains(next.type());
    }

    @Override
    public void resolveAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        super.resolveAddress(local, peer, timeout);
        await("rdma_resolve_addr", CmEventType.ADDRESS_RESOLVED, timeout);
    }

    @Override
    public void resolveRoute(Duration timeout) {
        super.resolveRoute(timeout);
        await("rdma_resolve_route", CmEventType.ROUTE_RESOLVED, timeout);
    }

    /// For a queue pair made without the id the outcome is CONNECT_RESPONSE.
    @Override
    public void connect(ConnectionParameters parameters) {
        boolean isExternal = queuePair() == null && !PortSpaces.isDatagram(portSpace());
        CmEventType outcome = isExternal ? CmEventType.CONNECT_RESPONSE : CmEventType.ESTABLISHED;
        super.connect(parameters);
        await("rdma_connect", outcome, timeout().plus(GRACE));
    }

    @Override
    public ConnectionId awaitRequest(Duration timeout) {
        requireListening();
        CmEvent request = events().await(timeout);
        if (request == null) {
            return null;
        }
        event = request;
        SoftSynchronousId id = (SoftSynchronousId) request.id();
        id.event = request;
        return id;
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        super.accept(parameters);
        if (PortSpaces.isDatagram(portSpace())) {
            return; // nothing is confirmed
        }
        await(ACCEPT, CmEventType.ESTABLISHED, timeout().plus(GRACE));
    }

    @Override
    public void disconnect() {
        super.disconnect();
        if (!isOver) {
            await("rdma_disconnect", CmEventType.DISCONNECTED, timeout().plus(GRACE));
        }
    }

    @Override
    public void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        super.joinMulticast(group, sendOnly);
        await("rdma_join_multicast", CmEventType.MULTICAST_JOIN, timeout().plus(GRACE));
    }

    private void await(String verb, CmEventType wanted, Duration timeout) {
        while (true) {
            CmEvent next = events().await(timeout);
            if (next == null) {
                throw new RdmaException(
                        PeerText.verb(verb, peerAddress()), Errno.ETIMEDOUT, "no outcome within " + timeout);
            }
            note(next);
            if (next.type() == wanted && next.status() != -Errno.ETIMEDOUT.number()) {
                return;
            }
            if (isFailure(next, wanted)) {
                throw failure(verb, next, failure().get());
            }
        }
    }

    /// Other events, such as TIMEWAIT_EXIT or an ESTABLISHED that no call waits for, are only noted.
    private static boolean isFailure(CmEvent next, CmEventType wanted) {
        return next.type() == wanted
                || TERMINAL.contains(next.type())
                || next.type() == CmEventType.MULTICAST_ERROR
                || next.type() == CmEventType.ADDRESS_ERROR
                || next.type() == CmEventType.ROUTE_ERROR;
    }

    private RdmaException failure(String call, CmEvent failed, RuntimeException reason) {
        String verb = PeerText.verb(call, peerAddress());
        return switch (failed.type()) {
            case REJECTED -> rejected(call, verb, failed.status());
            case UNREACHABLE ->
                new RdmaException(
                        verb,
                        failed.status() > 0 || failed.status() == -Errno.ECONNREFUSED.number()
                                ? Errno.ECONNREFUSED
                                : Errno.ETIMEDOUT,
                        failed.explanation());
            case DISCONNECTED ->
                failed.status() == -Errno.ETIMEDOUT.number()
                        ? new RdmaException(verb, Errno.ETIMEDOUT, failed.explanation())
                        : new RdmaException(verb, Errno.ECONNRESET, "the peer disconnected");
            default ->
                reason instanceof RdmaException explained
                        ? explained
                        : new RdmaException(
                                verb, Errno.of(-failed.status()), "failed with " + failed.explain(), reason);
        };
    }

    /// A request that was accepted is not refused any more: its sender went away.
    private static RdmaException rejected(String call, String verb, int reason) {
        String text = "reason " + reason + ", " + RejectReason.text(reason);
        return call.equals(ACCEPT)
                ? new RdmaException(verb, Errno.ECONNRESET, "the peer gave up meanwhile: " + text)
                : new RdmaException(verb, Errno.ECONNREFUSED, "rejected: " + text);
    }

    @Override
    public void close() {
        super.close();
        events().close();
    }
}
