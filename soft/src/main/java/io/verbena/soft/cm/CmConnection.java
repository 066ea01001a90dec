package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDrep;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmTimeout;
import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;

/// One connection, as the specification draws it: each message and each wish of the program is a method, which does
/// what the state says. Owned by the engine. Whatever happens, the program gets at most one event that ends the
/// connection, and the connection leaves the tables in the end.
final class CmConnection {
    /// After that long nobody waits for an answer to a REQ any more; Linux gives up after about 100 s.
    static final long REQUEST_LIFE_NS = 120_000_000_000L;
    /// For connections that never were established, and queue pairs without a timeout: 0.27 s.
    private static final int DEFAULT_TIMEWAIT = 16;
    /// Asked for when the program is slow to accept: 17 s.
    private static final int SERVICE_TIMEOUT = 22;

    private static final byte[] NOTHING = {};

    private final CmAgent agent;
    private final PortFacts facts;
    private final ConnectionNames names;
    private final Courier courier;
    private ConnectionHandler handler = ConnectionHandler.NOBODY;
    private CmState state = CmState.IDLE;
    private LocalSettings settings;
    private ConnectTarget target;
    private CmReq req;
    private CmRep rep;
    /// What ended the connection, for a peer that did not hear it: a REJ or a DREP.
    private CmMessage farewell;

    private boolean wasEstablished;
    private int timewaitCode = DEFAULT_TIMEWAIT;

    CmConnection(CmAgent agent) {
        this.agent = agent;
        facts = agent.port().facts();
        names = new ConnectionNames(this, agent);
        courier = new Courier(agent.port(), names, this::onNoAnswer, this::onAlarm);
    }

    void handler(ConnectionHandler handler) {
        this.handler = handler;
    }

    CmState state() {
        return state;
    }

    ConnectionNames names() {
        return names;
    }

    boolean isOfQueuePair(int qpNumber) {
        return settings != null && settings.qpNumber() == qpNumber;
    }

    // ---- what the program wants ----

    void connect(ConnectTarget target, LocalSettings settings) {
        require(state == CmState.IDLE, "rdma_connect", "the id is used up; make a new one for each attempt");
        this.target = target;
        this.settings = settings;
        names.peer(target.peer().high(), target.peer().low());
        request(facts.mtu(), settings.timeoutNs());
    }

    private void request(Mtu mtu, long timeoutNs) {
        names.renewLocalId();
        req = CmMessages.req(
                agent.randomTransactionId(), names.localId(), agent.randomPsn(), mtu, target, settings, facts);
        state = CmState.REQ_SENT;
        courier.sendUntilAnswered(req, timeoutNs);
    }

    void accept(LocalSettings settings) {
        if (state == CmState.TIMEWAIT || state == CmState.CLOSED) {
            throw new RdmaException(
                    "rdma_accept", Errno.ECONNRESET, "the peer gave up before its request was accepted; close this id");
        }
        require(state == CmState.REQ_RECEIVED, "rdma_accept", "there is no request to accept");
        this.settings = settings;
        rep = CmMessages.rep(req, names.localId(), agent.randomPsn(), settings, facts);
        QueuePairPlan plan = QueuePairPlan.passive(req, rep, settings.timing());
        try {
            handler.holdSends(true);
            handler.connectQueuePair(settings.qpNumber(), plan);
        } catch (RuntimeException e) {
            reject(NOTHING);
            throw e;
        }
        rememberTimewait(plan);
        state = CmState.REP_SENT;
        courier.sendUntilAnswered(rep, settings.timeoutNs());
    }

    /// Too late is no error: the peer gave up.
    void reject(byte[] privateData) {
        if (state == CmState.TIMEWAIT || state == CmState.CLOSED) {
            return;
        }
        require(state == CmState.REQ_RECEIVED, "rdma_reject", "there is no request to reject");
        CmRej rej = CmMessages.rej(req, names, AnsweredMessage.REQ, RejectReason.CONSUMER_REJECT)
                .withPrivateData(privateData);
        courier.send(rej);
        agent.rejects().add(names.request(), rej, agent.port().nowNs());
        forget();
    }

    void disconnect(long timeoutNs) {
        switch (state) {
            case ESTABLISHED -> {
                handler.failQueuePair();
                sendDreq(timeoutNs);
            }
            case REP_SENT, MRA_REP_RECEIVED -> {
                withdraw(AnsweredMessage.OTHER, RejectReason.CONSUMER_REJECT);
                end(CmEventType.DISCONNECTED, 0);
            }
            case DREQ_SENT, TIMEWAIT -> {}
            default ->
                require(
                        state == CmState.CLOSED && wasEstablished,
                        "rdma_disconnect",
                        "not connected; to give up an attempt close the id");
        }
    }

    /// The id is being closed: the peer is told what it needs to know, the program hears nothing more.
    void close() {
        handler = ConnectionHandler.NOBODY;
        switch (state) {
            case IDLE -> state = CmState.CLOSED;
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                forget();
            }
            case REQ_RECEIVED -> reject(NOTHING);
            case REP_SENT, MRA_REP_RECEIVED -> {
                withdraw(AnsweredMessage.OTHER, RejectReason.CONSUMER_REJECT);
                enterTimewait();
            }
            case ESTABLISHED -> sendDreq(settings.timeoutNs());
            case DREQ_SENT, TIMEWAIT, CLOSED -> {}
        }
    }

    // ---- what the peer says ----

    void onReq(CmReq req, long sourceHigh, long sourceLow) {
        this.req = req;
        names.peer(sourceHigh, sourceLow);
        names.renewLocalId();
        names.claimRemote(req.localCommId(), req.localQpn(), req.localCaGuid());
        state = CmState.REQ_RECEIVED;
        courier.alarmIn(REQUEST_LIFE_NS);
    }

    void onDuplicateReq(CmReq duplicate) {
        switch (state) {
            case REQ_RECEIVED -> courier.send(CmMessages.mra(req, names, SERVICE_TIMEOUT));
            case REP_SENT, MRA_REP_RECEIVED -> courier.send(rep);
            case TIMEWAIT ->
                courier.send(
                        wasEstablished
                                ? CmMessages.refusal(duplicate, RejectReason.STALE_CONNECTION, NOTHING)
                                : CmMessages.rej(req, names, AnsweredMessage.REQ, RejectReason.CONSUMER_REJECT));
            default -> agent.ignored();
        }
    }

    /// The peer opens a new connection from a queue pair that this one believes to be connected: it must have
    /// restarted.
    void onStale() {
        if (state == CmState.ESTABLISHED) {
            disconnect(settings.timeoutNs());
        }
    }

    void onRep(CmRep reply) {
        switch (state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> takeReply(reply);
            case ESTABLISHED -> courier.send(CmMessages.rtu(req, names));
            default -> agent.ignored();
        }
    }

    private void takeReply(CmRep reply) {
        rep = reply;
        names.remoteId(reply.localCommId());
        if (names.isTaken(reply.localQpn(), reply.localCaGuid())) {
            withdraw(AnsweredMessage.REP, RejectReason.STALE_CONNECTION);
            fail(CmEventType.CONNECT_ERROR, -Errno.EPROTO.number(), CmMessages.NO_PARAMETERS);
            return;
        }
        QueuePairPlan plan = QueuePairPlan.active(req, reply, settings.timing());
        try {
            handler.connectQueuePair(settings.qpNumber(), plan);
        } catch (RuntimeException e) {
            withdraw(AnsweredMessage.REP, RejectReason.CONSUMER_REJECT);
            Errno errno = e instanceof RdmaException refused ? refused.errno() : Errno.EIO;
            fail(CmEventType.CONNECT_ERROR, -errno.number(), CmMessages.NO_PARAMETERS);
            return;
        }
        rememberTimewait(plan);
        names.claimRemote(reply.localCommId(), reply.localQpn(), reply.localCaGuid());
        courier.send(CmMessages.rtu(req, names));
        establish(CmMessages.seen(reply, req.retryCount()));
    }

    void onRtu() {
        switch (state) {
            case REP_SENT, MRA_REP_RECEIVED -> establish(CmMessages.NO_PARAMETERS);
            case TIMEWAIT -> {
                if (farewell instanceof CmRej) {
                    courier.send(farewell);
                }
            }
            default -> agent.ignored();
        }
    }

    /// The first request on the queue pair says the same as an RTU, which may come later or be lost.
    void onFirstRequest() {
        if (state == CmState.REP_SENT || state == CmState.MRA_REP_RECEIVED) {
            establish(CmMessages.NO_PARAMETERS);
        }
    }

    void onMra(CmMra mra) {
        CmState patient = mra.answered() == AnsweredMessage.REQ ? CmState.MRA_REQ_RECEIVED : CmState.MRA_REP_RECEIVED;
        CmState waiting = mra.answered() == AnsweredMessage.REQ ? CmState.REQ_SENT : CmState.REP_SENT;
        if (state != waiting && state != patient) {
            agent.ignored();
            return;
        }
        state = patient;
        courier.postpone(CmTimeout.nanoseconds(mra.serviceTimeout()) + Retransmission.FIRST_NS);
    }

    void onRej(CmRej rej) {
        switch (state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                if (!requestWithSmallerMtu(rej)) {
                    fail(CmEventType.REJECTED, rej.reason(), CmMessages.seen(rej));
                }
            }
            case REQ_RECEIVED -> enterTimewait();
            case REP_SENT, MRA_REP_RECEIVED -> end(CmEventType.REJECTED, rej.reason(), CmMessages.seen(rej));
            case ESTABLISHED, DREQ_SENT -> onLateRej(rej);
            default -> agent.ignored();
        }
    }

    /// One that means this connection names it from both sides; others are echoes of early REQs.
    private void onLateRej(CmRej rej) {
        if (names.isWith(rej.localCommId())) {
            int status = state == CmState.ESTABLISHED ? -Errno.ECONNRESET.number() : 0;
            end(CmEventType.DISCONNECTED, status);
        } else {
            agent.ignored();
        }
    }

    /// A peer on a smaller link says how much it can do: ask again with that.
    private boolean requestWithSmallerMtu(CmRej rej) {
        int possible = CmMessages.mtuCode(rej);
        if (rej.reason() != RejectReason.INVALID_PATH_MTU.code()
                || possible < Mtu.MTU_256.code()
                || possible >= req.pathMtu()) {
            return false;
        }
        request(Mtu.ofCode(possible), courier.leftNs());
        return true;
    }

    void onDreq(CmDreq dreq) {
        CmDrep drep = new CmDrep(dreq.transactionId(), names.localId(), names.remoteId());
        courier.send(drep);
        switch (state) {
            case REP_SENT, MRA_REP_RECEIVED, ESTABLISHED, DREQ_SENT -> {
                farewell = drep;
                end(CmEventType.DISCONNECTED, 0);
            }
            default -> agent.ignored();
        }
    }

    void onDrep() {
        if (state == CmState.DREQ_SENT) {
            end(CmEventType.DISCONNECTED, 0);
        } else {
            agent.ignored();
        }
    }

    // ---- time ----

    private void onNoAnswer() {
        int status = -Errno.ETIMEDOUT.number();
        switch (state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                fail(CmEventType.UNREACHABLE, status, CmMessages.NO_PARAMETERS);
            }
            case REP_SENT, MRA_REP_RECEIVED -> {
                withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                end(CmEventType.UNREACHABLE, status);
            }
            default -> end(CmEventType.DISCONNECTED, status);
        }
    }

    private void onAlarm() {
        if (state == CmState.REQ_RECEIVED) {
            enterTimewait();
            return;
        }
        forget();
        if (wasEstablished) {
            handler.onEvent(CmEventType.TIMEWAIT_EXIT, 0, CmMessages.NO_PARAMETERS);
        }
    }

    // ---- steps they share ----

    private void establish(ConnectionParameters seen) {
        courier.stop();
        wasEstablished = true;
        state = CmState.ESTABLISHED;
        handler.holdSends(false);
        handler.onEvent(CmEventType.ESTABLISHED, 0, seen);
    }

    private void sendDreq(long timeoutNs) {
        state = CmState.DREQ_SENT;
        courier.sendUntilAnswered(CmMessages.dreq(agent.randomTransactionId(), names), timeoutNs);
    }

    /// Takes back a REQ or a REP. A REJ because of a timeout carries the GUID, by which a peer finds what it belongs
    /// to.
    private void withdraw(AnsweredMessage answered, RejectReason reason) {
        byte[] info = reason == RejectReason.TIMEOUT ? CmMessages.guidBytes(facts.guid()) : NOTHING;
        farewell = CmMessages.rej(req, names, answered, reason).withAdditionalInfo(info);
        courier.send(farewell);
    }

    /// The attempt of an active side is over, and nothing is left to wait for.
    private void fail(CmEventType type, int status, ConnectionParameters seen) {
        handler.failQueuePair();
        forget();
        handler.onEvent(type, status, seen);
    }

    private void end(CmEventType type, int status) {
        end(type, status, CmMessages.NO_PARAMETERS);
    }

    /// The connection is over.
    private void end(CmEventType type, int status, ConnectionParameters seen) {
        handler.failQueuePair();
        enterTimewait();
        handler.onEvent(type, status, seen);
    }

    private void enterTimewait() {
        state = CmState.TIMEWAIT;
        if (!wasEstablished) {
            names.releaseQueuePair();
            // A REQ that is repeated later belongs to this attempt; the program must not see it as another.
            CmRej late = CmMessages.rej(req, names, AnsweredMessage.REQ, RejectReason.CONSUMER_REJECT);
            agent.rejects().add(names.request(), late, agent.port().nowNs());
        }
        courier.alarmIn(CmTimeout.nanoseconds(timewaitCode));
    }

    private void forget() {
        courier.stop();
        state = CmState.CLOSED;
        names.release();
    }

    private void rememberTimewait(QueuePairPlan plan) {
        timewaitCode = plan.ackTimeout() == 0 ? DEFAULT_TIMEWAIT : plan.ackTimeout();
    }

    private static void require(boolean condition, String verb, String remedy) {
        if (!condition) {
            throw new RdmaException(verb, Errno.EINVAL, remedy);
        }
    }
}
