package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.spi.QueuePairTiming;

/// How the side that asks gets its connection: REQ, REP, RTU.
final class ActiveOpening {
    private final CmDialogue dialogue;
    private ConnectTarget target;

    ActiveOpening(CmDialogue dialogue) {
        this.dialogue = dialogue;
    }

    void connect(ConnectTarget target, LocalSettings settings) {
        dialogue.require(
                dialogue.state == CmState.IDLE, "rdma_connect", "the id is used up; make a new one for each attempt");
        this.target = target;
        dialogue.settings = settings;
        dialogue.peer(target.peer().high(), target.peer().low());
        request(dialogue.facts.mtu(), settings.timeoutNs());
    }

    private void request(Mtu mtu, long timeoutNs) {
        CmAgent agent = dialogue.agent;
        dialogue.names.renewLocalId();
        dialogue.req = CmMessages.req(
                agent.randomTransactionId(),
                dialogue.names.localId(),
                agent.randomPsn(),
                mtu,
                target,
                dialogue.settings,
                dialogue.facts);
        dialogue.state = CmState.REQ_SENT;
        dialogue.courier.sendUntilAnswered(dialogue.req, timeoutNs);
    }

    void onRep(CmRep reply) {
        switch (dialogue.state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> takeReply(reply);
            case REP_RECEIVED ->
                dialogue.courier.send(CmMessages.mra(
                        dialogue.req, dialogue.names, AnsweredMessage.REP, PassiveOpening.SERVICE_TIMEOUT));
            case ESTABLISHED -> dialogue.courier.send(CmMessages.rtu(dialogue.req, dialogue.names));
            default -> dialogue.agent.ignored();
        }
    }

    private void takeReply(CmRep reply) {
        dialogue.rep = reply;
        dialogue.names.remoteId(reply.localCommId());
        if (dialogue.names.isTaken(reply.localQpn(), reply.localCaGuid())) {
            refuse(RejectReason.STALE_CONNECTION, Errno.EPROTO);
            return;
        }
        QueuePairPlan plan = plan(dialogue.settings.timing());
        dialogue.rememberTimewait(plan);
        if (dialogue.settings.isExternal()) {
            claimPeer();
            dialogue.courier.stop();
            dialogue.state = CmState.REP_RECEIVED;
            dialogue.handler.onEvent(
                    CmEventType.CONNECT_RESPONSE, 0, CmMessages.seen(reply, dialogue.req.retryCount()));
            return;
        }
        try {
            dialogue.handler.connectQueuePair(dialogue.settings.qpNumber(), plan);
        } catch (RuntimeException e) {
            refuse(RejectReason.CONSUMER_REJECT, e instanceof RdmaException refused ? refused.errno() : Errno.EIO);
            return;
        }
        claimPeer();
        dialogue.courier.send(CmMessages.rtu(dialogue.req, dialogue.names));
        dialogue.established(CmMessages.seen(reply, dialogue.req.retryCount()));
    }

    private void refuse(RejectReason reason, Errno errno) {
        dialogue.withdraw(AnsweredMessage.REP, reason);
        dialogue.fail(CmEventType.CONNECT_ERROR, -errno.number(), CmMessages.NO_PARAMETERS);
    }

    private void claimPeer() {
        CmRep rep = dialogue.rep;
        dialogue.names.claimRemote(rep.localCommId(), rep.localQpn(), rep.localCaGuid());
    }

    /// The program moved its own queue pair.
    void establish() {
        dialogue.require(
                dialogue.state == CmState.REP_RECEIVED,
                "rdma_establish",
                "only after CONNECT_RESPONSE, and for a queue pair made without the id");
        dialogue.courier.send(CmMessages.rtu(dialogue.req, dialogue.names));
        dialogue.settle();
    }

    /// Null before the peer has answered.
    QueuePairPlan plan(QueuePairTiming timing) {
        return dialogue.rep == null ? null : QueuePairPlan.active(dialogue.req, dialogue.rep, timing);
    }

    void onMra(CmMra mra) {
        dialogue.state = CmState.MRA_REQ_RECEIVED;
        dialogue.courier.postpone(mra.serviceTimeout());
    }

    void onRej(CmRej rej) {
        if (!requestWithSmallerMtu(rej)) {
            dialogue.fail(CmEventType.REJECTED, rej.reason(), CmMessages.seen(rej));
        }
    }

    /// A peer on a smaller link says how much it can do: ask again with that.
    private boolean requestWithSmallerMtu(CmRej rej) {
        int possible = CmMessages.mtuCode(rej);
        if (rej.reason() != RejectReason.INVALID_PATH_MTU.code()
                || dialogue.state == CmState.REP_RECEIVED
                || possible < Mtu.MTU_256.code()
                || possible >= dialogue.req.pathMtu()) {
            return false;
        }
        request(Mtu.ofCode(possible), dialogue.courier.leftNs());
        return true;
    }
}
