package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.verbs.Errno;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.QueuePairTiming;

/// The state machine of one connection, as in the specification: each message and each call of the program is a method,
/// which delegates to one of the parts. Owned by the engine.
final class CmConnection {
    private final CmExchange exchange;
    private final ActiveOpening active;
    private final PassiveOpening passive;
    private final ConnectionEnding ending;
    private boolean isPassive;

    CmConnection(CmAgent agent) {
        exchange = new CmExchange(agent, this, this::onNoAnswer, this::onAlarm);
        active = new ActiveOpening(exchange);
        passive = new PassiveOpening(exchange);
        ending = new ConnectionEnding(exchange, passive);
    }

    void handler(ConnectionHandler handler) {
        exchange.handler = handler;
    }

    CmState state() {
        return exchange.state;
    }

    ConnectionNames names() {
        return exchange.names;
    }

    boolean isOfQueuePair(int qpNumber) {
        return exchange.settings != null && exchange.settings.qpNumber() == qpNumber;
    }

    /// The parameters of the peer's request, as this side sees them.
    ConnectionParameters requested() {
        return exchange.req == null ? CmMessages.NO_PARAMETERS : CmMessages.parametersOf(exchange.req);
    }

    /// How a queue pair is to be set up for this connection; null while that is not known.
    QueuePairPlan plan(QueuePairTiming timing) {
        return isPassive ? passive.plan(timing) : active.plan(timing);
    }

    // ---- calls of the program ----

    void connect(ConnectTarget target, LocalSettings settings) {
        active.connect(target, settings);
    }

    /// In place of [#connect], when it is known to fail.
    void fail(ConnectTarget target, CmEventType type, int status) {
        exchange.peer(target.peer().high(), target.peer().low());
        exchange.fail(type, status, CmMessages.NO_PARAMETERS);
    }

    void accept(LocalSettings settings) {
        passive.accept(settings);
    }

    void reject(byte[] privateData) {
        passive.reject(privateData);
    }

    void establish() {
        active.establish();
    }

    void disconnect(long timeoutNs) {
        ending.disconnect(timeoutNs);
    }

    void close() {
        ending.close();
    }

    void disconnectBeforeExit() {
        ending.disconnectBeforeExit();
    }

    // ---- messages of the peer ----

    void onReq(CmReq req, long sourceHigh, long sourceLow) {
        isPassive = true;
        passive.onReq(req, sourceHigh, sourceLow);
    }

    void onDuplicateReq(CmReq duplicate) {
        passive.onDuplicateReq(duplicate);
    }

    void onStale() {
        ending.onStale();
    }

    void onRep(CmRep reply) {
        active.onRep(reply);
    }

    void onRtu() {
        passive.onRtu();
    }

    void onFirstRequest() {
        passive.onFirstRequest();
    }

    void onPeerGone(Errno reason) {
        ending.onPeerGone(reason);
    }

    void onMra(CmMra mra) {
        AnsweredMessage waitedFor = switch (exchange.state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> AnsweredMessage.REQ;
            case REP_SENT, MRA_REP_RECEIVED -> AnsweredMessage.REP;
            default -> null;
        };
        if (mra.answered() != waitedFor) {
            exchange.agent.ignored();
        } else if (waitedFor == AnsweredMessage.REQ) {
            active.onMra(mra);
        } else {
            passive.onMra(mra);
        }
    }

    void onRej(CmRej rej) {
        switch (exchange.state) {
            case REQ_SENT, MRA_REQ_RECEIVED, REP_RECEIVED -> active.onRej(rej);
            case REQ_RECEIVED -> exchange.enterTimewait();
            case REP_SENT, MRA_REP_RECEIVED ->
                exchange.end(CmEventType.REJECTED, rej.reason(), CmMessages.parametersOf(rej));
            case ESTABLISHED, DREQ_SENT -> ending.onLateRej(rej);
            default -> exchange.agent.ignored();
        }
    }

    void onDreq(CmDreq dreq) {
        ending.onDreq(dreq);
    }

    void onDrep() {
        ending.onDrep();
    }

    // ---- time ----

    private void onNoAnswer() {
        ending.onNoAnswer();
    }

    private void onAlarm() {
        ending.onAlarm();
    }
}
