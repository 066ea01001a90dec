package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmTimeout;
import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;

/// What is known of one connection, and the steps that its opening and its ending share. Owned by the engine. Whatever
/// happens, the program gets at most one event that ends the connection, and the connection leaves the tables in the
/// end.
final class CmDialogue {
    static final byte[] NOTHING = {};
    /// For connections that never were established, and queue pairs without a timeout: 0.27 s.
    private static final int DEFAULT_TIMEWAIT = 16;

    final CmAgent agent;
    final PortFacts facts;
    final ConnectionNames names;
    final Courier courier;
    ConnectionHandler handler = ConnectionHandler.NOBODY;
    CmState state = CmState.IDLE;
    LocalSettings settings;
    CmReq req;
    CmRep rep;
    /// What ended the connection, for a peer that did not hear it: a REJ or a DREP.
    CmMessage farewell;

    boolean wasEstablished;
    private int timewaitCode = DEFAULT_TIMEWAIT;

    CmDialogue(CmAgent agent, CmConnection connection, Runnable onNoAnswer, Runnable onAlarm) {
        this.agent = agent;
        facts = agent.port().facts();
        names = new ConnectionNames(connection, agent);
        courier = new Courier(agent.port(), onNoAnswer, onAlarm);
    }

    void peer(long high, long low) {
        names.peer(high, low);
        courier.to(high, low);
    }

    void established(ConnectionParameters seen) {
        settle();
        handler.onEvent(CmEventType.ESTABLISHED, 0, seen);
    }

    /// As [#established], for a program that knows it already because it asked for it.
    void settle() {
        courier.stop();
        wasEstablished = true;
        state = CmState.ESTABLISHED;
        handler.holdSends(false);
    }

    /// Takes back a REQ or a REP. A REJ because of a timeout carries the GUID, by which a peer finds what it belongs
    /// to.
    void withdraw(AnsweredMessage answered, RejectReason reason) {
        byte[] info = reason == RejectReason.TIMEOUT ? CmMessages.guidBytes(facts.guid()) : NOTHING;
        farewell = CmMessages.rej(req, names, answered, reason).withAdditionalInfo(info);
        courier.send(farewell);
    }

    /// The attempt of an active side is over, and nothing is left to wait for.
    void fail(CmEventType type, int status, ConnectionParameters seen) {
        handler.failQueuePair();
        forget();
        handler.onEvent(type, status, seen);
    }

    void end(CmEventType type, int status) {
        end(type, status, CmMessages.NO_PARAMETERS);
    }

    /// The connection is over.
    void end(CmEventType type, int status, ConnectionParameters seen) {
        handler.failQueuePair();
        enterTimewait();
        handler.onEvent(type, status, seen);
    }

    void enterTimewait() {
        state = CmState.TIMEWAIT;
        if (!wasEstablished) {
            names.releaseQueuePair();
            // A REQ that is repeated later belongs to this attempt; the program must not see it as another.
            CmRej late = CmMessages.rej(req, names, AnsweredMessage.REQ, RejectReason.CONSUMER_REJECT);
            agent.answers().add(names.request(), late, agent.port().nowNs());
        }
        courier.alarmIn(CmTimeout.nanoseconds(timewaitCode));
    }

    void forget() {
        courier.stop();
        state = CmState.CLOSED;
        names.release();
    }

    void rememberTimewait(QueuePairPlan plan) {
        timewaitCode = plan.ackTimeout() == 0 ? DEFAULT_TIMEWAIT : plan.ackTimeout();
    }

    void require(boolean condition, String verb, String remedy) {
        if (!condition) {
            throw new RdmaException(verb, Errno.EINVAL, remedy);
        }
    }
}
