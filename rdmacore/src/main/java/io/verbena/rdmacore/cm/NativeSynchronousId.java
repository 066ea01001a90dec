package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.event.Waits;
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

/// An id whose calls wait for their outcome: an asynchronous one with a channel of its own. The synchronous ids of
/// librdmacm wait without a deadline and cannot be woken.
final class NativeSynchronousId extends NativeConnectionId {
    /// The kernel or a deadline ends every wait in time; this bound is for a busy host where they are late.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final String ACCEPT = "rdma_accept";

    private static final Set<CmEventType> TERMINAL = EnumSet.of(
            CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.CONNECT_ERROR, CmEventType.DISCONNECTED);
    private static final Set<CmEventType> FAILURES = EnumSet.of(
            CmEventType.REJECTED,
            CmEventType.UNREACHABLE,
            CmEventType.CONNECT_ERROR,
            CmEventType.DISCONNECTED,
            CmEventType.ADDRESS_ERROR,
            CmEventType.ROUTE_ERROR,
            CmEventType.MULTICAST_ERROR,
            CmEventType.DEVICE_REMOVAL);

    private volatile CmEvent event;
    private volatile boolean isOver;

    NativeSynchronousId(NativeConnectionManager manager, PortSpace space, ConnectionOptions options) {
        super(manager, NativeEventChannel.open(), space, options);
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
        // A listener's events are requests, which only awaitRequest takes.
        if (event != null && event.listener() != this && state.stage() != NativeIdStage.CLOSED) {
            for (CmEvent next = state.channel().tryTake();
                    next != null;
                    next = state.channel().tryTake()) {
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
        boolean isExternal = queuePair() == null && !state.isDatagram();
        CmEventType outcome = isExternal ? CmEventType.CONNECT_RESPONSE : CmEventType.ESTABLISHED;
        super.connect(parameters);
        await("rdma_connect", outcome, timeout());
    }

    @Override
    public ConnectionId awaitRequest(Duration timeout) {
        requireListening();
        CmEvent request = state.channel().await(timeout);
        if (request == null) {
            return null;
        }
        event = request;
        if (!(request.id() instanceof NativeSynchronousId id) || id == this) {
            throw new RdmaException("rdma_get_request", Errno.of(-request.status()), request.explain());
        }
        id.event = request;
        return id;
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        super.accept(parameters);
        if (!state.isDatagram()) {
            await(ACCEPT, CmEventType.ESTABLISHED, timeout());
        }
    }

    @Override
    public void disconnect() {
        super.disconnect();
        if (!isOver) {
            await("rdma_disconnect", CmEventType.DISCONNECTED, timeout());
        }
    }

    @Override
    public void joinMulticast(InetSocketAddress group, boolean sendOnly) {
        super.joinMulticast(group, sendOnly);
        await("rdma_join_multicast", CmEventType.MULTICAST_JOIN, timeout());
    }

    /// @param timeout of the call, which has begun
    private void await(String verb, CmEventType wanted, Duration timeout) {
        long untilNs = CmClock.nowNs() + Waits.nanoseconds(timeout) + GRACE.toNanos();
        while (true) {
            CmEvent next = state.channel().await(Duration.ofNanos(Math.max(0, untilNs - CmClock.nowNs())));
            if (next == null) {
                throw new RdmaException(
                        PeerText.verb(verb, peerAddress()), Errno.ETIMEDOUT, "no outcome within " + timeout);
            }
            note(next);
            if (next.type() == wanted && next.status() == 0) {
                return;
            }
            if (next.type() == wanted || FAILURES.contains(next.type())) {
                throw failure(verb, next);
            }
        }
    }

    /// A request that was accepted is not refused any more: its sender went away.
    private RdmaException failure(String call, CmEvent failed) {
        String verb = PeerText.verb(call, peerAddress());
        return switch (failed.type()) {
            case REJECTED ->
                call.equals(ACCEPT)
                        ? new RdmaException(
                                verb, Errno.ECONNRESET, "the peer gave up meanwhile: " + failed.explanation())
                        : new RdmaException(
                                verb,
                                Errno.ECONNREFUSED,
                                "rejected: reason " + failed.status() + ", " + failed.explanation());
            case UNREACHABLE ->
                new RdmaException(
                        verb, failed.status() > 0 ? Errno.ECONNREFUSED : Errno.ETIMEDOUT, failed.explanation());
            case DISCONNECTED ->
                failed.status() == -Errno.ETIMEDOUT.number()
                        ? new RdmaException(verb, Errno.ETIMEDOUT, failed.explanation())
                        : new RdmaException(verb, Errno.ECONNRESET, "the peer disconnected");
            default -> new RdmaException(verb, Math.abs(failed.status()), failed.explanation(), null);
        };
    }

    @Override
    public void close() {
        super.close();
        state.channel().close();
    }
}
