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

/// How the side that is asked gets its connection: REQ, REP, RTU or the first data.
final class PassiveOpening {
    /// After that long nobody waits for an answer to a REQ any more; Linux gives up after about 100 s.
    static final long REQUEST_LIFE_NS = 120_000_000_000L;
    /// Asked for when the program is slow to accept: 17 s.
    static final int SERVICE_TIMEOUT = 22;

    private final CmDialogue dialogue;
    private int psn;

    PassiveOpening(CmDialogue dialogue) {
        this.dialogue = dialogue;
    }

    void onReq(CmReq req, long sourceHigh, long sourceLow) {
        dialogue.req = req;
        dialogue.peer(sourceHigh, sourceLow);
        dialogue.names.renewLocalId();
        dialogue.names.claimRemote(req.localCommId(), req.localQpn(), req.localCaGuid());
        // Already now: a program that moves its queue pair itself does so before it accepts.
        psn = dialogue.agent.randomPsn();
        dialogue.state = CmState.REQ_RECEIVED;
        dialogue.courier.alarmIn(REQUEST_LIFE_NS);
    }

    void onDuplicateReq(CmReq duplicate) {
        switch (dialogue.state) {
            case REQ_RECEIVED ->
                dialogue.courier.send(
                        CmMessages.mra(dialogue.req, dialogue.names, AnsweredMessage.REQ, SERVICE_TIMEOUT));
            case REP_SENT, MRA_REP_RECEIVED -> dialogue.courier.send(dialogue.rep);
            case TIMEWAIT ->
                dialogue.courier.send(
                        dialogue.wasEstablished
                                ? CmMessages.refusal(duplicate, RejectReason.STALE_CONNECTION, CmDialogue.NOTHING)
                                : CmMessages.rej(
                                        dialogue.req,
                                        dialogue.names,
                                        AnsweredMessage.REQ,
                                        RejectReason.CONSUMER_REJECT));
            default -> dialogue.agent.ignored();
        }
    }

    void accept(LocalSettings settings) {
        if (dialogue.state == CmState.TIMEWAIT || dialogue.state == CmState.CLOSED) {
            throw new RdmaException(
                    "rdma_accept", Errno.ECONNRESET, "the peer gave up before its request was accepted; close this id");
        }
        dialogue.require(dialogue.state == CmState.REQ_RECEIVED, "rdma_accept", "there is no request to accept");
        dialogue.settings = settings;
        dialogue.rep = rep(settings);
        QueuePairPlan plan = plan(settings.timing());
        if (!settings.isExternal()) {
            try {
                dialogue.handler.holdSends(true);
                dialogue.handler.connectQueuePair(settings.qpNumber(), plan);
            } catch (RuntimeException e) {
                reject(CmDialogue.NOTHING);
                throw e;
            }
        }
        dialogue.rememberTimewait(plan);
        dialogue.state = CmState.REP_SENT;
        dialogue.courier.sendUntilAnswered(dialogue.rep, settings.timeoutNs());
    }

    private CmRep rep(LocalSettings settings) {
        return CmMessages.rep(dialogue.req, dialogue.names.localId(), psn, settings, dialogue.facts);
    }

    /// Before the request is accepted, as if it were with the most that both sides can do.
    QueuePairPlan plan(QueuePairTiming timing) {
        if (dialogue.state == CmState.CLOSED) {
            return null;
        }
        CmRep known = dialogue.rep == null ? rep(LocalSettings.most(dialogue.facts, timing)) : dialogue.rep;
        return QueuePairPlan.passive(dialogue.req, known, timing);
    }

    /// Too late is no error: the peer gave up.
    void reject(byte[] privateData) {
        if (dialogue.state == CmState.TIMEWAIT || dialogue.state == CmState.CLOSED) {
            return;
        }
        dialogue.require(dialogue.state == CmState.REQ_RECEIVED, "rdma_reject", "there is no request to reject");
        CmRej rej = CmMessages.rej(dialogue.req, dialogue.names, AnsweredMessage.REQ, RejectReason.CONSUMER_REJECT)
                .withPrivateData(privateData);
        dialogue.courier.send(rej);
        dialogue.agent
                .answers()
                .add(dialogue.names.request(), rej, dialogue.agent.port().nowNs());
        dialogue.forget();
    }

    void onRtu() {
        switch (dialogue.state) {
            case REP_SENT, MRA_REP_RECEIVED -> dialogue.established(CmMessages.NO_PARAMETERS);
            case TIMEWAIT -> {
                if (dialogue.farewell instanceof CmRej) {
                    dialogue.courier.send(dialogue.farewell);
                }
            }
            default -> dialogue.agent.ignored();
        }
    }

    /// The first request on the queue pair says the same as an RTU, which may come later or be lost.
    void onFirstRequest() {
        if (dialogue.state == CmState.REP_SENT || dialogue.state == CmState.MRA_REP_RECEIVED) {
            dialogue.established(CmMessages.NO_PARAMETERS);
        }
    }

    void onMra(CmMra mra) {
        dialogue.state = CmState.MRA_REP_RECEIVED;
        dialogue.courier.postpone(mra.serviceTimeout());
    }
}
