package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmTimeout;
import io.verbena.roce.mad.RejectReason;
import io.verbena.soft.event.SoftEvents;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.CmEventText;

/// The message exchange of one connection: its data, and the steps that opening and ending share. Owned by the engine.
/// The program gets at most one event that ends the connection, and the connection always leaves the tables in the end.
final class CmExchange {
    static final byte[] NOTHING = {};
    /// For connections that never were established, and queue pairs without a timeout: 0.27 s.
    private static final int DEFAULT_TIMEWAIT = 16;

    final CmAgent agent;
    final PortFacts facts;
    final ConnectionNames names;
    final MessageSender sender;
    ConnectionHandler handler = ConnectionHandler.NOBODY;
    CmState state = CmState.IDLE;
    LocalSettings settings;
    CmReq req;
    CmRep rep;
    /// The message that ended the connection, a REJ or a DREP, to be repeated for a peer that missed it.
    CmMessage lastAnswer;

    boolean wasEstablished;
    /// Whether the peer asked for the connection.
    boolean isAccepted;

    private long openedNs;
    private long establishedNs;
    private int timewaitCode = DEFAULT_TIMEWAIT;

    CmExchange(CmAgent agent, CmConnection connection, Runnable onNoAnswer, Runnable onAlarm) {
        this.agent = agent;
        facts = agent.port().facts();
        names = new ConnectionNames(connection, agent);
        sender = new MessageSender(agent.port(), onNoAnswer, onAlarm);
    }

    void peer(long high, long low) {
        names.peer(high, low);
        sender.to(high, low);
        openedNs = agent.port().nowNs();
    }

    void established(ConnectionParameters seen) {
        enterEstablished();
        handler.onEvent(CmEventType.ESTABLISHED, 0, seen);
    }

    /// As [#established], without an event, because the program called for it.
    void enterEstablished() {
        sender.stop();
        names.endOpening();
        wasEstablished = true;
        state = CmState.ESTABLISHED;
        handler.holdSends(false);
        establishedNs = agent.port().nowNs();
        SoftEvents.connected(
                facts.gid(),
                settings.qpNumber(),
                names.peer(),
                names.remoteQpn(),
                isAccepted,
                establishedNs - openedNs);
    }

    /// Takes back a REQ or a REP. A REJ because of a timeout carries the GUID, by which the peer finds the connection.
    void withdraw(AnsweredMessage answered, RejectReason reason) {
        byte[] info = reason == RejectReason.TIMEOUT ? CmMessages.guidBytes(facts.guid()) : NOTHING;
        lastAnswer = CmMessages.rej(req, names, answered, reason).withAdditionalInfo(info);
        sender.send(lastAnswer);
    }

    /// The attempt of an active side is over, and nothing is left to wait for.
    void fail(CmEventType type, int status, ConnectionParameters seen) {
        handler.failQueuePair();
        forget();
        reportFailure(type, status);
        handler.onEvent(type, status, seen);
    }

    void end(CmEventType type, int status) {
        end(type, status, CmMessages.NO_PARAMETERS);
    }

    /// The connection is over.
    void end(CmEventType type, int status, ConnectionParameters seen) {
        handler.failQueuePair();
        reportEnd(type, status);
        enterTimewait();
        handler.onEvent(type, status, seen);
    }

    private void reportEnd(CmEventType type, int status) {
        if (!wasEstablished) {
            reportFailure(type, status);
            return;
        }
        SoftEvents.disconnected(
                facts.gid(),
                settings.qpNumber(),
                names.peer(),
                names.remoteQpn(),
                state == CmState.DREQ_SENT,
                status == 0 ? null : () -> CmEventText.of(type, status, ""),
                agent.port().nowNs() - establishedNs);
    }

    private void reportFailure(CmEventType type, int status) {
        SoftEvents.connectFailed(
                facts.gid(),
                names.peer(),
                isAccepted,
                () -> CmEventText.of(type, status, ""),
                agent.port().nowNs() - openedNs);
    }

    void enterTimewait() {
        names.endOpening();
        state = CmState.TIMEWAIT;
        if (!wasEstablished) {
            names.releaseQueuePair();
            // A REQ that is repeated later belongs to this attempt; the program must not see it as a new one.
            CmRej late = CmMessages.rej(req, names, AnsweredMessage.REQ, RejectReason.CONSUMER_REJECT);
            agent.answers().add(names.request(), late, agent.port().nowNs());
        }
        sender.alarmIn(CmTimeout.nanoseconds(timewaitCode));
    }

    void forget() {
        sender.stop();
        state = CmState.CLOSED;
        names.release();
    }

    void rememberTimewait(QueuePairPlan plan) {
        timewaitCode = plan.ackTimeout() == 0 ? DEFAULT_TIMEWAIT : plan.ackTimeout();
    }

    void require(boolean condition, String verb, String remedy) {
        if (!condition) {
            throw new RdmaException(sender.verb(verb), Errno.EINVAL, remedy);
        }
    }
}
