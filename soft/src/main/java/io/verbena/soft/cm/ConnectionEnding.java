package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDrep;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.cm.CmEventType;

/// Ends a connection or an attempt: on a call of the program, on a message of the peer, or because no answer comes.
final class ConnectionEnding {
    private final CmExchange exchange;
    private final PassiveOpening passive;

    ConnectionEnding(CmExchange exchange, PassiveOpening passive) {
        this.exchange = exchange;
        this.passive = passive;
    }

    void disconnect(long timeoutNs) {
        switch (exchange.state) {
            case ESTABLISHED -> {
                exchange.handler.failQueuePair();
                sendDreq(timeoutNs);
            }
            case REP_SENT, MRA_REP_RECEIVED -> {
                exchange.withdraw(AnsweredMessage.OTHER, RejectReason.CONSUMER_REJECT);
                exchange.end(CmEventType.DISCONNECTED, 0);
            }
            case DREQ_SENT -> exchange.handler.failQueuePair();
            case TIMEWAIT -> {}
            default ->
                exchange.require(
                        exchange.state == CmState.CLOSED && exchange.wasEstablished,
                        "rdma_disconnect",
                        "not connected; to give up an attempt close the id");
        }
    }

    /// For an id that is closed: ends the connection or the attempt at the peer, and gives the program no more events.
    void close() {
        exchange.handler = ConnectionHandler.NOBODY;
        switch (exchange.state) {
            case IDLE -> exchange.state = CmState.CLOSED;
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                exchange.withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                exchange.forget();
            }
            case REP_RECEIVED -> {
                exchange.withdraw(AnsweredMessage.REP, RejectReason.CONSUMER_REJECT);
                exchange.forget();
            }
            case REQ_RECEIVED -> passive.reject(CmExchange.NOTHING);
            case REP_SENT, MRA_REP_RECEIVED -> {
                exchange.withdraw(AnsweredMessage.OTHER, RejectReason.CONSUMER_REJECT);
                exchange.enterTimewait();
            }
            case ESTABLISHED -> sendDreq(exchange.settings.timeoutNs());
            case DREQ_SENT, TIMEWAIT, CLOSED -> {}
        }
    }

    /// For a process that ends: as [#close], but a program that disconnects at the same time still gets its event.
    void disconnectBeforeExit() {
        switch (exchange.state) {
            case ESTABLISHED -> sendDreq(exchange.settings.timeoutNs());
            case REP_SENT, MRA_REP_RECEIVED -> disconnect(exchange.settings.timeoutNs());
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                exchange.withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                giveUp();
            }
            case REP_RECEIVED -> {
                exchange.withdraw(AnsweredMessage.REP, RejectReason.CONSUMER_REJECT);
                giveUp();
            }
            case REQ_RECEIVED -> passive.reject(CmExchange.NOTHING);
            default -> {}
        }
    }

    private void giveUp() {
        exchange.fail(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number(), CmMessages.NO_PARAMETERS);
    }

    private void sendDreq(long timeoutNs) {
        exchange.state = CmState.DREQ_SENT;
        exchange.sender.sendUntilAnswered(
                CmMessages.dreq(exchange.agent.randomTransactionId(), exchange.names), timeoutNs);
    }

    /// The peer opens a new connection from a queue pair that is connected here: the peer must have restarted.
    void onStale() {
        if (exchange.state == CmState.ESTABLISHED) {
            disconnect(exchange.settings.timeoutNs());
        }
    }

    /// Before the connection is established here, a DREQ is not answered: the peer repeats it.
    void onDreq(CmDreq dreq) {
        CmDrep drep = new CmDrep(dreq.transactionId(), exchange.names.localId(), exchange.names.remoteId());
        switch (exchange.state) {
            case REP_SENT, MRA_REP_RECEIVED, ESTABLISHED, DREQ_SENT -> {
                exchange.sender.send(drep);
                exchange.lastAnswer = drep;
                exchange.end(CmEventType.DISCONNECTED, 0);
            }
            case TIMEWAIT -> exchange.sender.send(drep);
            default -> exchange.agent.ignored();
        }
    }

    void onDrep() {
        if (exchange.state == CmState.DREQ_SENT) {
            exchange.end(CmEventType.DISCONNECTED, 0);
        } else {
            exchange.agent.ignored();
        }
    }

    /// A REJ of an agreed connection names both communication ids; others are late answers to early REQs.
    void onLateRej(CmRej rej) {
        if (exchange.names.isWith(rej.localCommId())) {
            int status = exchange.state == CmState.ESTABLISHED ? -Errno.ECONNRESET.number() : 0;
            exchange.end(CmEventType.DISCONNECTED, status);
        } else {
            exchange.agent.ignored();
        }
    }

    void onNoAnswer() {
        int status = -Errno.ETIMEDOUT.number();
        switch (exchange.state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> {
                exchange.withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                giveUp();
            }
            case REP_SENT, MRA_REP_RECEIVED -> {
                exchange.withdraw(AnsweredMessage.OTHER, RejectReason.TIMEOUT);
                exchange.end(CmEventType.UNREACHABLE, status);
            }
            default -> exchange.end(CmEventType.DISCONNECTED, status);
        }
    }

    /// The peer's process has ended, as can be seen on one host, or the peer does not answer. In case it was only
    /// unreachable, a DREQ tells it that the connection is closed.
    void onPeerGone(Errno reason) {
        switch (exchange.state) {
            case ESTABLISHED -> {
                if (reason == Errno.ETIMEDOUT) {
                    exchange.sender.send(CmMessages.dreq(exchange.agent.randomTransactionId(), exchange.names));
                }
                exchange.end(CmEventType.DISCONNECTED, -reason.number());
            }
            case REP_SENT, MRA_REP_RECEIVED, DREQ_SENT -> onNoAnswer();
            default -> {}
        }
    }

    void onAlarm() {
        if (exchange.state == CmState.REQ_RECEIVED) {
            exchange.enterTimewait();
            return;
        }
        exchange.forget();
        if (exchange.wasEstablished) {
            exchange.handler.onEvent(CmEventType.TIMEWAIT_EXIT, 0, CmMessages.NO_PARAMETERS);
        }
    }
}
