package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.qp.NativeQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.CmEventText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// Changes an id on events and deadlines, and makes the program's events. All methods need the lock unless they say
/// otherwise.
final class IdEvents {
    private static final Logger LOG = System.getLogger(IdEvents.class.getName());

    private final IdState state;
    /// The program got CONNECT_ERROR; later events of the kernel only follow from it.
    private boolean hasFailed;

    IdEvents(IdState state) {
        this.state = state;
    }

    /// The connection is over on this side, whatever the peer does.
    void end(CmEventType type, int status) {
        state.manager.service().cancelDeadline(state);
        QueuePairSteps.fail(state.queuePair());
        state.destroyCmId();
        state.stage(type == CmEventType.DISCONNECTED ? NativeIdStage.DISCONNECTED : NativeIdStage.FAILED);
        state.channel().put(event(type, status, EventData.NO_PARAMETERS, ""));
    }

    /// An event that the service took. Without the lock.
    void deliver(EventData data) {
        NativeEventChannel held = state.lock();
        try {
            CmEvent event = onEvent(data);
            if (event != null) {
                held.put(event);
            }
        } finally {
            held.unlock();
        }
    }

    /// The time of a call is over. Without the lock.
    void onDeadline() {
        NativeEventChannel held = state.lock();
        try {
            if (state.address() == 0 || state.manager.service().hasDeadline(state)) {
                return;
            }
            switch (state.stage()) {
                case CONNECTING, ACCEPTED -> end(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number());
                case DISCONNECTING -> end(CmEventType.DISCONNECTED, -Errno.ETIMEDOUT.number());
                default -> LOG.log(Level.DEBUG, () -> state + " needs no deadline any more");
            }
        } finally {
            held.unlock();
        }
    }

    /// The event for the program; null for none.
    CmEvent onEvent(EventData data) {
        if (state.stage() == NativeIdStage.CLOSED || state.address() != data.id()) {
            return null;
        }
        return switch (data.type()) {
            case ADDRESS_RESOLVED -> onAddress(data);
            case ADDRESS_ERROR -> onAddressError(data);
            case ROUTE_RESOLVED -> plain(data, NativeIdStage.ROUTE_RESOLVED);
            case ROUTE_ERROR -> plain(data, NativeIdStage.ADDRESS_RESOLVED);
            case CONNECT_RESPONSE -> onResponse(data);
            case ESTABLISHED -> outcome(data, NativeIdStage.CONNECTED);
            case REJECTED, UNREACHABLE, CONNECT_ERROR -> onFailure(data);
            case DISCONNECTED -> onDisconnected(data);
            case MULTICAST_JOIN, MULTICAST_ERROR -> onJoin(data);
            default -> plain(data, state.stage());
        };
    }

    /// A request to this listener; null when it cannot be taken.
    CmEvent onRequest(EventData request) {
        NativeConnectionId made;
        try {
            made = state.id.newSibling();
        } catch (RuntimeException noDescriptor) {
            LOG.log(Level.WARNING, "a request to " + state + " is refused", noDescriptor);
            Rdmacm.LIB.destroyId(request.id()); // no other code will close it
            return null;
        }
        made.attachment(state.id.attachment());
        try {
            made.state.adopt(request);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a request to " + state + " is refused", e);
            made.close();
            return null;
        }
        return new CmEvent(
                CmEventType.CONNECT_REQUEST,
                made,
                state.id,
                request.status(),
                request.parameters(),
                request.datagram());
    }

    private CmEvent onAddress(EventData data) {
        try {
            state.readPlace();
        } catch (RdmaException e) {
            state.stage(NativeIdStage.BOUND);
            return event(CmEventType.ADDRESS_ERROR, -e.errnoNumber(), data.parameters(), e.getMessage());
        }
        return plain(data, NativeIdStage.ADDRESS_RESOLVED);
    }

    private CmEvent onAddressError(EventData data) {
        boolean goesOn =
                data.status() == -Errno.ETIMEDOUT.number() && state.search().tryAgain(state.address(), CmClock.nowNs());
        return goesOn ? null : plain(data, NativeIdStage.BOUND);
    }

    /// The peer accepted. A queue pair of the id's own is brought to work; else the program does that.
    private CmEvent onResponse(EventData data) {
        NativeQueuePair own = state.ownQueuePair();
        if (own == null) {
            state.answered();
            return outcome(data, NativeIdStage.CONNECTING);
        }
        try {
            QueuePairSteps.connect(state.address(), own, state.timing());
            IdCalls.check("rdma_establish", Rdmacm.LIB.establish(state.address()));
        } catch (RdmaException e) {
            state.manager.service().cancelDeadline(state);
            QueuePairSteps.fail(own);
            state.stage(NativeIdStage.FAILED);
            hasFailed = true;
            return event(CmEventType.CONNECT_ERROR, -e.errnoNumber(), data.parameters(), e.getMessage());
        }
        state.manager.service().cancelDeadline(state);
        state.stage(NativeIdStage.CONNECTED);
        return event(CmEventType.ESTABLISHED, 0, data.parameters(), "");
    }

    private CmEvent onFailure(EventData data) {
        if (hasFailed) {
            return null;
        }
        QueuePairSteps.fail(state.queuePair());
        return outcome(data, NativeIdStage.FAILED);
    }

    private CmEvent onDisconnected(EventData data) {
        if (hasFailed) {
            return null;
        }
        QueuePairSteps.fail(state.queuePair());
        if (data.status() == 0) {
            Rdmacm.LIB.disconnect(state.address()); // confirms it, if it was the peer's wish; else it is done already
        }
        return outcome(data, NativeIdStage.DISCONNECTED);
    }

    private CmEvent onJoin(EventData data) {
        if (!state.groups.has(data.join())) {
            return null; // left meanwhile
        }
        if (data.type() == CmEventType.MULTICAST_JOIN && data.status() == 0) {
            try {
                state.groups.onJoined(data.join(), data.datagram().address(), state.queuePair());
            } catch (RdmaException e) {
                return event(CmEventType.MULTICAST_ERROR, -e.errnoNumber(), data.parameters(), e.getMessage());
            }
        }
        return plain(data, state.stage());
    }

    private CmEvent outcome(EventData data, NativeIdStage next) {
        state.manager.service().cancelDeadline(state);
        return plain(data, next);
    }

    private CmEvent plain(EventData data, NativeIdStage next) {
        state.stage(next);
        return new CmEvent(
                data.type(),
                state.id,
                null,
                data.status(),
                data.parameters(),
                data.datagram(),
                CmEventText.of(data.type(), data.status(), ""));
    }

    CmEvent event(CmEventType type, int status, ConnectionParameters parameters, String failure) {
        return new CmEvent(type, state.id, null, status, parameters, null, CmEventText.of(type, status, failure));
    }
}
