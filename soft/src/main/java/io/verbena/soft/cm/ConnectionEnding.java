package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDrep;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.cm.CmEventType;

/// How a connection, or an attempt at one, comes to its end: because the program or the peer wants it, or because
/// nobody answers.
final class ConnectionEnding {
    private final CmDialogue dialogue;
    private final PassiveOpening passive;

    ConnectionEnding(CmDialogue dialogue, PassiveOpening passive) {
        this.dialogue = dialogue;
        this.passive = passive;
    }

    void disconnect(long timeoutNs) {
        switch (dialogue.state) {
            case ESTABLISHED -> {
                dialogue.handler.failQueuePair();
                sendDreq(timeoutNs);
            }
            case REP_SENT, MRA_REP_RECEIVED -> {
                dialogue.withdraw(AnsweredMessage.OTHER, RejectReason.CONSUMER_REJECT);
                dialogue.end(CmEventType.DISCONNECTED, 0);
            }
            case DREQ_SENT -> dialogue.handler.failQueuePair();
            case TIMEWAIT -> {}
            default ->
                dialogue.require(
                        dialogue.state == CmState.CLOSED && dialogue.wasEstablished,
                        "rdma_disconnect",
                        "not connected; to give up an attempt close the id");
        }
    }

    /// The id is being closed: the peer is told what it needs to know, the program hears nothing more.
    void close() {
        dialogue.handler = ConnectionHandler.NOBODY;
        switch (dialogue.state) {
            case IDLE -> dialogue.state = CmState.CLOSED;
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                dialogue.withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                dialogue.forget();
            }
            case REP_RECEIVED -> {
                dialogue.withdraw(AnsweredMessage.REP, RejectReason.CONSUMER_REJECT);
                dialogue.forget();
            }
            case REQ_RECEIVED -> passive.reject(CmDialogue.NOTHING);
            case REP_SENT, MRA_REP_RECEIVED -> {
                dialogue.withdraw(AnsweredMessage.OTHER, RejectReason.CONSUMER_REJECT);
                dialogue.enterTimewait();
            }
            case ESTABLISHED -> sendDreq(dialogue.settings.timeoutNs());
            case DREQ_SENT, TIMEWAIT, CLOSED -> {}
        }
    }

    /// The process is ending. The peer is told as when the id is closed, but a program that says good-bye itself at
    /// the same time still hears how that went.
    void sayGoodbye() {
        switch (dialogue.state) {
            case ESTABLISHED -> sendDreq(dialogue.settings.timeoutNs());
            case REP_SENT, MRA_REP_RECEIVED -> disconnect(dialogue.settings.timeoutNs());
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                dialogue.withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                giveUp();
            }
            case REP_RECEIVED -> {
                dialogue.withdraw(AnsweredMessage.REP, RejectReason.CONSUMER_REJECT);
                giveUp();
            }
            case REQ_RECEIVED -> passive.reject(CmDialogue.NOTHING);
            default -> {}
        }
    }

    private void giveUp() {
        dialogue.fail(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number(), CmMessages.NO_PARAMETERS);
    }

    private void sendDreq(long timeoutNs) {
        dialogue.state = CmState.DREQ_SENT;
        dialogue.courier.sendUntilAnswered(
                CmMessages.dreq(dialogue.agent.randomTransactionId(), dialogue.names), timeoutNs);
    }

    /// The peer opens a new connection from a queue pair that this one believes to be connected: it must have
    /// restarted.
    void onStale() {
        if (dialogue.state == CmState.ESTABLISHED) {
            disconnect(dialogue.settings.timeoutNs());
        }
    }

    /// Before the connection is established here, it is not answered: the peer asks again, and is understood then.
    void onDreq(CmDreq dreq) {
        CmDrep drep = new CmDrep(dreq.transactionId(), dialogue.names.localId(), dialogue.names.remoteId());
        switch (dialogue.state) {
            case REP_SENT, MRA_REP_RECEIVED, ESTABLISHED, DREQ_SENT -> {
                dialogue.courier.send(drep);
                dialogue.farewell = drep;
                dialogue.end(CmEventType.DISCONNECTED, 0);
            }
            case TIMEWAIT -> dialogue.courier.send(drep);
            default -> dialogue.agent.ignored();
        }
    }

    void onDrep() {
        if (dialogue.state == CmState.DREQ_SENT) {
            dialogue.end(CmEventType.DISCONNECTED, 0);
        } else {
            dialogue.agent.ignored();
        }
    }

    /// A REJ of a connection that was agreed on names it from both sides; others are echoes of early REQs.
    void onLateRej(CmRej rej) {
        if (dialogue.names.isWith(rej.localCommId())) {
            int status = dialogue.state == CmState.ESTABLISHED ? -Errno.ECONNRESET.number() : 0;
            dialogue.end(CmEventType.DISCONNECTED, status);
        } else {
            dialogue.agent.ignored();
        }
    }

    void onNoAnswer() {
        int status = -Errno.ETIMEDOUT.number();
        switch (dialogue.state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                dialogue.withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                giveUp();
            }
            case REP_SENT, MRA_REP_RECEIVED -> {
                dialogue.withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                dialogue.end(CmEventType.UNREACHABLE, status);
            }
            default -> dialogue.end(CmEventType.DISCONNECTED, status);
        }
    }

    /// The peer's process has ended without a word, as a neighbour on the same host can see.
    void onPeerGone() {
        switch (dialogue.state) {
            case ESTABLISHED -> dialogue.end(CmEventType.DISCONNECTED, -Errno.ECONNRESET.number());
            case REP_SENT, MRA_REP_RECEIVED, DREQ_SENT -> onNoAnswer();
            default -> {}
        }
    }

    void onAlarm() {
        if (dialogue.state == CmState.REQ_RECEIVED) {
            dialogue.enterTimewait();
            return;
        }
        dialogue.forget();
        if (dialogue.wasEstablished) {
            dialogue.handler.onEvent(CmEventType.TIMEWAIT_EXIT, 0, CmMessages.NO_PARAMETERS);
        }
    }
}
