package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.QueuePairTiming;

/// One connection, as the specification draws it: each message and each wish of the program is a method, which hands
/// it to the part that deals with it. Owned by the engine.
final class CmConnection {
    private final CmDialogue dialogue;
    private final ActiveOpening active;
    private final PassiveOpening passive;
    private final ConnectionEnding ending;
    private boolean isPassive;

    CmConnection(CmAgent agent) {
        dialogue = new CmDialogue(agent, this, this::onNoAnswer, this::onAlarm);
        active = new ActiveOpening(dialogue);
        passive = new PassiveOpening(dialogue);
        ending = new ConnectionEnding(dialogue, passive);
    }

    void handler(ConnectionHandler handler) {
        dialogue.handler = handler;
    }

    CmState state() {
        return dialogue.state;
    }

    ConnectionNames names() {
        return dialogue.names;
    }

    boolean isOfQueuePair(int qpNumber) {
        return dialogue.settings != null && dialogue.settings.qpNumber() == qpNumber;
    }

    /// What the peer asked for, as this side sees it.
    ConnectionParameters requested() {
        return dialogue.req == null ? CmMessages.NO_PARAMETERS : CmMessages.seen(dialogue.req);
    }

    /// How a queue pair is to be set up for this connection; null while that is not known.
    QueuePairPlan plan(QueuePairTiming timing) {
        return isPassive ? passive.plan(timing) : active.plan(timing);
    }

    // ---- what the program wants ----

    void connect(ConnectTarget target, LocalSettings settings) {
        active.connect(target, settings);
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

    void sayGoodbye() {
        ending.sayGoodbye();
    }

    // ---- what the peer says ----

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

    void onPeerGone() {
        ending.onPeerGone();
    }

    void onMra(CmMra mra) {
        AnsweredMessage waitedFor = switch (dialogue.state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> AnsweredMessage.REQ;
            case REP_SENT, MRA_REP_RECEIVED -> AnsweredMessage.REP;
            default -> null;
        };
        if (mra.answered() != waitedFor) {
            dialogue.agent.ignored();
        } else if (waitedFor == AnsweredMessage.REQ) {
            active.onMra(mra);
        } else {
            passive.onMra(mra);
        }
    }

    void onRej(CmRej rej) {
        switch (dialogue.state) {
            case REQ_SENT, MRA_REQ_RECEIVED, REP_RECEIVED -> active.onRej(rej);
            case REQ_RECEIVED -> dialogue.enterTimewait();
            case REP_SENT, MRA_REP_RECEIVED -> dialogue.end(CmEventType.REJECTED, rej.reason(), CmMessages.seen(rej));
            case ESTABLISHED, DREQ_SENT -> ending.onLateRej(rej);
            default -> dialogue.agent.ignored();
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
