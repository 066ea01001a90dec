package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDrep;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmRtu;
import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.RejectReason;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.event.SoftEvents;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The connection manager of one device: finds the connection or the listener a message is for. A message that fits
/// nothing is counted and answered with at most one message of the same size, so a flood neither uses up memory nor is
/// amplified.
final class CmAgent {
    private static final byte[] NOTHING = {};
    /// With more connections than this, new requests are refused.
    private static final int MAX_CONNECTIONS = 1 << 16;

    private static final int PSN_BITS = 24;

    private final CmPort port;
    private final RandomGenerator random;
    private final ConnectionTables tables;
    private final HalfOpenConnections halfOpen = new HalfOpenConnections();
    private final RecentAnswers answers = new RecentAnswers();
    private final Map<Long, RequestHandler> listeners = new HashMap<>();
    private final SidrAgent datagrams;
    private final Runnable onIdle;
    private volatile boolean idle = true;

    /// @param onIdle called by the owner of the engine when the last connection is gone
    CmAgent(CmPort port, RandomGenerator random, Runnable onIdle) {
        this.port = port;
        this.random = random;
        this.tables = new ConnectionTables(port.numbers(), random);
        this.onIdle = onIdle;
        this.datagrams = new SidrAgent(port, random, this::onChange);
    }

    CmPort port() {
        return port;
    }

    ConnectionTables tables() {
        return tables;
    }

    HalfOpenConnections halfOpen() {
        return halfOpen;
    }

    SidrAgent datagrams() {
        return datagrams;
    }

    RecentAnswers answers() {
        return answers;
    }

    /// Whether no connection needs this agent any more. From any thread.
    boolean isIdle() {
        return idle;
    }

    /// A connection that will be the active side.
    CmConnection newConnection(ConnectionHandler handler) {
        CmConnection connection = new CmConnection(this);
        connection.handler(handler);
        return connection;
    }

    /// False when another listener has the service id.
    boolean listen(long serviceId, RequestHandler handler) {
        return listeners.putIfAbsent(serviceId, handler) == null;
    }

    /// False when it did not listen.
    boolean stopListening(long serviceId, RequestHandler handler) {
        return listeners.remove(serviceId, handler);
    }

    int addLocal(CmConnection connection) {
        int id = tables.addLocal(connection);
        onChange();
        return id;
    }

    /// A connection, or a lookup of a datagram service, was added or removed.
    void onChange() {
        boolean was = idle;
        idle = tables.size() == 0 && datagrams.isEmpty();
        if (idle && !was) {
            onIdle.run();
        }
    }

    int randomPsn() {
        return random.nextInt(1 << PSN_BITS);
    }

    long randomTransactionId() {
        return random.nextLong();
    }

    void onMessage(CmMessage message, long sourceHigh, long sourceLow) {
        switch (message) {
            case CmReq req -> onReq(req, sourceHigh, sourceLow);
            case CmRep rep -> onRep(rep, sourceHigh, sourceLow);
            case CmRtu rtu -> {
                CmConnection connection = find(rtu.remoteCommId(), rtu.localCommId(), sourceHigh, sourceLow);
                if (connection != null) {
                    connection.onRtu();
                }
            }
            case CmRej rej -> onRej(rej, sourceHigh, sourceLow);
            case CmMra mra -> onMra(mra, sourceHigh, sourceLow);
            case CmDreq dreq -> onDreq(dreq, sourceHigh, sourceLow);
            case CmDrep drep -> {
                CmConnection connection = find(drep.remoteCommId(), drep.localCommId(), sourceHigh, sourceLow);
                if (connection != null) {
                    connection.onDrep();
                }
            }
            case CmSidrReq request -> datagrams.onReq(request, sourceHigh, sourceLow);
            case CmSidrRep reply -> datagrams.onRep(reply, sourceHigh, sourceLow);
        }
    }

    private void onReq(CmReq req, long sourceHigh, long sourceLow) {
        RemoteKey request = new RemoteKey(req.localCommId(), req.localCaGuid(), sourceHigh, sourceLow);
        CmConnection known = tables.byRemoteId(request);
        if (known != null) {
            known.onDuplicateReq(req);
            return;
        }
        CmMessage rejected = answers.find(request, port.nowNs());
        if (rejected != null) {
            port.send(rejected, sourceHigh, sourceLow);
            return;
        }
        RemoteKey qp = new RemoteKey(req.localQpn(), req.localCaGuid(), sourceHigh, sourceLow);
        CmConnection stale = tables.byRemoteQp(qp);
        if (stale != null) {
            refuse(req, RejectReason.STALE_CONNECTION, NOTHING, sourceHigh, sourceLow);
            stale.onStale();
            return;
        }
        RequestHandler listener = listeners.get(req.serviceId());
        if (listener == null) {
            refuse(req, RejectReason.INVALID_SERVICE_ID, NOTHING, sourceHigh, sourceLow);
            return;
        }
        if (!halfOpen.admits(sourceHigh, sourceLow)) {
            drop(
                    "many half-open connections, and this host has its share of them",
                    HalfOpenConnections.MANY,
                    sourceHigh,
                    sourceLow);
            return;
        }
        CmaHeader header = RequestCheck.header(req);
        RequestCheck.Refusal refusal = RequestCheck.check(req, header, port.facts(), sourceHigh, sourceLow);
        if (refusal != null) {
            refuse(req, refusal.reason(), refusal.info(), sourceHigh, sourceLow);
        } else if (tables.size() >= MAX_CONNECTIONS) {
            refuse(req, RejectReason.NO_RESOURCES, NOTHING, sourceHigh, sourceLow);
        } else {
            port.onGuid(req.localCaGuid(), sourceHigh, sourceLow);
            offer(listener, req, header, request);
        }
    }

    private void offer(RequestHandler listener, CmReq req, CmaHeader header, RemoteKey request) {
        CmConnection connection = new CmConnection(this);
        ConnectionHandler handler = listener.onRequest(connection, header, CmMessages.parametersOf(req));
        if (handler == null) {
            drop("the listener's backlog is full", 0, request.addressHigh(), request.addressLow());
            return;
        }
        connection.handler(handler);
        connection.onReq(req, request.addressHigh(), request.addressLow());
    }

    /// Without an answer: the peer asks again.
    private void drop(String reason, int limit, long sourceHigh, long sourceLow) {
        port.counters().increment(Counter.CONNECTION_REQUESTS_DROPPED);
        SoftEvents.refused(port.facts().gid(), sourceHigh, sourceLow, "connection", "dropped", reason, limit);
    }

    private void refuse(CmReq req, RejectReason reason, byte[] info, long sourceHigh, long sourceLow) {
        port.counters().increment(Counter.CONNECTION_REQUESTS_REFUSED);
        SoftEvents.refused(
                port.facts().gid(),
                sourceHigh,
                sourceLow,
                "connection",
                "refused",
                reason.name(),
                reason == RejectReason.NO_RESOURCES ? MAX_CONNECTIONS : 0);
        port.send(CmMessages.refusal(req, reason, info), sourceHigh, sourceLow);
    }

    private void onRep(CmRep rep, long sourceHigh, long sourceLow) {
        CmConnection connection = find(rep.remoteCommId(), sourceHigh, sourceLow);
        if (connection != null && connection.names().isWithOrUnknown(rep.localCommId())) {
            port.onGuid(rep.localCaGuid(), sourceHigh, sourceLow);
            connection.onRep(rep);
        } else {
            ignored();
            port.send(CmMessages.unknownId(rep), sourceHigh, sourceLow);
        }
    }

    /// The rejecting side may not have a communication id, or the rejected side may not know it yet.
    private void onRej(CmRej rej, long sourceHigh, long sourceLow) {
        CmConnection connection = find(rej.remoteCommId(), sourceHigh, sourceLow);
        if (connection == null && rej.reason() == RejectReason.TIMEOUT.code()) {
            RemoteKey request = new RemoteKey(rej.localCommId(), CmMessages.guid(rej), sourceHigh, sourceLow);
            connection = tables.byRemoteId(request);
        }
        if (connection != null) {
            connection.onRej(rej);
        } else {
            ignored();
        }
    }

    private void onMra(CmMra mra, long sourceHigh, long sourceLow) {
        CmConnection connection = find(mra.remoteCommId(), sourceHigh, sourceLow);
        if (connection != null
                && (mra.answered() == AnsweredMessage.REQ || connection.names().isWith(mra.localCommId()))) {
            connection.onMra(mra);
        } else {
            ignored();
        }
    }

    /// A DREQ for a closed connection is confirmed, so that the peer can stop.
    private void onDreq(CmDreq dreq, long sourceHigh, long sourceLow) {
        CmConnection connection = tables.byLocalId(dreq.remoteCommId());
        if (connection == null || !connection.names().isWith(dreq.localCommId())) {
            ignored();
            port.send(new CmDrep(dreq.transactionId(), dreq.remoteCommId(), dreq.localCommId()), sourceHigh, sourceLow);
        } else if (connection.names().isFrom(sourceHigh, sourceLow) && connection.isOfQueuePair(dreq.remoteQpn())) {
            connection.onDreq(dreq);
        } else {
            ignored();
        }
    }

    private CmConnection find(int localId, int remoteId, long sourceHigh, long sourceLow) {
        CmConnection connection = tables.byLocalId(localId);
        if (connection != null
                && connection.names().isWith(remoteId)
                && connection.names().isFrom(sourceHigh, sourceLow)) {
            return connection;
        }
        ignored();
        return null;
    }

    private CmConnection find(int localId, long sourceHigh, long sourceLow) {
        CmConnection connection = tables.byLocalId(localId);
        return connection != null && connection.names().isFrom(sourceHigh, sourceLow) ? connection : null;
    }

    void ignored() {
        port.counters().increment(Counter.CONNECTION_MESSAGES_IGNORED);
    }
}
