package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.QueuePairTiming;

/// Opens a connection on the passive side: REQ, REP, RTU or the first data.
final class PassiveOpening {
    /// After this time no peer waits for an answer to its REQ; Linux gives up after about 100 s.
    static final long REQUEST_LIFE_NS = 120_000_000_000L;
    /// The time that an MRA asks for when the program is slow to accept: 17 s.
    static final int SERVICE_TIMEOUT = 22;

    private final CmExchange exchange;
    private int psn;

    PassiveOpening(CmExchange exchange) {
        this.exchange = exchange;
    }

    void onReq(CmReq req, long sourceHigh, long sourceLow) {
        exchange.req = req;
        exchange.peer(sourceHigh, sourceLow);
        exchange.isAccepted = true;
        exchange.names.beginOpening();
        exchange.names.renewLocalId();
        exchange.names.claimRemote(req.localCommId(), req.localQpn(), req.localCaGuid());
        // Already now: a program that moves its queue pair itself does so before it accepts.
        psn = exchange.agent.randomPsn();
        exchange.state = CmState.REQ_RECEIVED;
        exchange.sender.alarmIn(REQUEST_LIFE_NS);
    }

    void onDuplicateReq(CmReq duplicate) {
        switch (exchange.state) {
            case REQ_RECEIVED ->
                exchange.sender.send(
                        CmMessages.mra(exchange.req, exchange.names, AnsweredMessage.REQ, SERVICE_TIMEOUT));
            case REP_SENT, MRA_REP_RECEIVED -> exchange.sender.send(exchange.rep);
            case TIMEWAIT ->
                exchange.sender.send(
                        exchange.wasEstablished
                                ? CmMessages.refusal(duplicate, RejectReason.STALE_CONNECTION, CmExchange.NOTHING)
                                : CmMessages.rej(
                                        exchange.req,
                                        exchange.names,
                                        AnsweredMessage.REQ,
                                        RejectReason.CONSUMER_REJECT));
            default -> exchange.agent.ignored();
        }
    }

    void accept(LocalSettings settings) {
        if (exchange.state == CmState.TIMEWAIT || exchange.state == CmState.CLOSED) {
            throw new RdmaException(
                    exchange.sender.verb("rdma_accept"),
                    Errno.ECONNRESET,
                    "the peer gave up before its request was accepted; close this id");
        }
        exchange.require(exchange.state == CmState.REQ_RECEIVED, "rdma_accept", "there is no request to accept");
        exchange.settings = settings;
        exchange.rep = rep(settings);
        QueuePairPlan plan = plan(settings.timing());
        if (!settings.isExternal()) {
            try {
                exchange.handler.holdSends(true);
                exchange.handler.connectQueuePair(settings.qpNumber(), plan);
            } catch (RuntimeException e) {
                reject(CmExchange.NOTHING);
                throw e;
            }
        }
        exchange.rememberTimewait(plan);
        exchange.state = CmState.REP_SENT;
        exchange.sender.sendUntilAnswered(exchange.rep, settings.timeoutNs());
    }

    private CmRep rep(LocalSettings settings) {
        return CmMessages.rep(exchange.req, exchange.names.localId(), psn, settings, exchange.facts);
    }

    /// Before the request is accepted, as if it were with the most that both sides can do.
    QueuePairPlan plan(QueuePairTiming timing) {
        if (exchange.state == CmState.CLOSED) {
            return null;
        }
        CmRep known = exchange.rep == null ? rep(LocalSettings.most(exchange.facts, timing)) : exchange.rep;
        return QueuePairPlan.passive(exchange.req, known, timing);
    }

    /// Rejecting too late is no error: the peer gave up.
    void reject(byte[] privateData) {
        if (exchange.state == CmState.TIMEWAIT || exchange.state == CmState.CLOSED) {
            return;
        }
        exchange.require(exchange.state == CmState.REQ_RECEIVED, "rdma_reject", "there is no request to reject");
        CmRej rej = CmMessages.rej(exchange.req, exchange.names, AnsweredMessage.REQ, RejectReason.CONSUMER_REJECT)
                .withPrivateData(privateData);
        exchange.sender.send(rej);
        exchange.agent
                .answers()
                .add(exchange.names.request(), rej, exchange.agent.port().nowNs());
        exchange.forget();
    }

    void onRtu() {
        switch (exchange.state) {
            case REP_SENT, MRA_REP_RECEIVED -> exchange.established(CmMessages.NO_PARAMETERS);
            case TIMEWAIT -> {
                if (exchange.lastAnswer instanceof CmRej) {
                    exchange.sender.send(exchange.lastAnswer);
                }
            }
            default -> exchange.agent.ignored();
        }
    }

    /// The first request on the queue pair says the same as an RTU, which may come later or be lost.
    void onFirstRequest() {
        if (exchange.state == CmState.REP_SENT || exchange.state == CmState.MRA_REP_RECEIVED) {
            exchange.established(CmMessages.NO_PARAMETERS);
        }
    }

    void onMra(CmMra mra) {
        exchange.state = CmState.MRA_REP_RECEIVED;
        exchange.sender.postpone(mra.serviceTimeout());
    }
}
