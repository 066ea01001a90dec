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

/// Opens a connection on the active side: REQ, REP, RTU.
final class ActiveOpening {
    private final CmExchange exchange;
    private ConnectTarget target;

    ActiveOpening(CmExchange exchange) {
        this.exchange = exchange;
    }

    void connect(ConnectTarget target, LocalSettings settings) {
        exchange.require(
                exchange.state == CmState.IDLE, "rdma_connect", "the id is used up; make a new one for each attempt");
        this.target = target;
        exchange.settings = settings;
        exchange.peer(target.peer().high(), target.peer().low());
        request(exchange.facts.mtu(), settings.timeoutNs());
    }

    private void request(Mtu mtu, long timeoutNs) {
        CmAgent agent = exchange.agent;
        exchange.names.renewLocalId();
        exchange.req = CmMessages.req(
                agent.randomTransactionId(),
                exchange.names.localId(),
                agent.randomPsn(),
                mtu,
                target,
                exchange.settings,
                exchange.facts);
        exchange.state = CmState.REQ_SENT;
        exchange.sender.sendUntilAnswered(exchange.req, timeoutNs);
    }

    void onRep(CmRep reply) {
        switch (exchange.state) {
            case REQ_SENT, MRA_REQ_RECEIVED -> takeReply(reply);
            case REP_RECEIVED ->
                exchange.sender.send(CmMessages.mra(
                        exchange.req, exchange.names, AnsweredMessage.REP, PassiveOpening.SERVICE_TIMEOUT));
            case ESTABLISHED -> exchange.sender.send(CmMessages.rtu(exchange.req, exchange.names));
            default -> exchange.agent.ignored();
        }
    }

    private void takeReply(CmRep reply) {
        exchange.rep = reply;
        exchange.names.remoteId(reply.localCommId());
        if (!RequestCheck.isConnectable(reply.localQpn())) {
            refuse(RejectReason.UNSUPPORTED_REQUEST, Errno.EPROTO);
            return;
        }
        if (exchange.names.isTaken(reply.localQpn(), reply.localCaGuid())) {
            refuse(RejectReason.STALE_CONNECTION, Errno.EPROTO);
            return;
        }
        QueuePairPlan plan = plan(exchange.settings.timing());
        exchange.rememberTimewait(plan);
        if (exchange.settings.isExternal()) {
            claimPeer();
            exchange.sender.stop();
            exchange.state = CmState.REP_RECEIVED;
            exchange.handler.onEvent(
                    CmEventType.CONNECT_RESPONSE, 0, CmMessages.parametersOf(reply, exchange.req.retryCount()));
            return;
        }
        try {
            exchange.handler.connectQueuePair(exchange.settings.qpNumber(), plan);
        } catch (RuntimeException e) {
            refuse(RejectReason.CONSUMER_REJECT, e instanceof RdmaException refused ? refused.errno() : Errno.EIO);
            return;
        }
        claimPeer();
        exchange.sender.send(CmMessages.rtu(exchange.req, exchange.names));
        exchange.established(CmMessages.parametersOf(reply, exchange.req.retryCount()));
    }

    private void refuse(RejectReason reason, Errno errno) {
        exchange.withdraw(AnsweredMessage.REP, reason);
        exchange.fail(CmEventType.CONNECT_ERROR, -errno.number(), CmMessages.NO_PARAMETERS);
    }

    private void claimPeer() {
        CmRep rep = exchange.rep;
        exchange.names.claimRemote(rep.localCommId(), rep.localQpn(), rep.localCaGuid());
    }

    /// The program moved its own queue pair.
    void establish() {
        exchange.require(
                exchange.state == CmState.REP_RECEIVED,
                "rdma_establish",
                "only after CONNECT_RESPONSE, and for a queue pair made without the id");
        exchange.sender.send(CmMessages.rtu(exchange.req, exchange.names));
        exchange.enterEstablished();
    }

    /// Null before the peer has answered.
    QueuePairPlan plan(QueuePairTiming timing) {
        return exchange.rep == null ? null : QueuePairPlan.active(exchange.req, exchange.rep, timing);
    }

    void onMra(CmMra mra) {
        exchange.state = CmState.MRA_REQ_RECEIVED;
        exchange.sender.postpone(mra.serviceTimeout());
    }

    void onRej(CmRej rej) {
        if (!requestWithSmallerMtu(rej)) {
            exchange.fail(CmEventType.REJECTED, rej.reason(), CmMessages.parametersOf(rej));
        }
    }

    /// A peer on a link with a smaller MTU names it in its REJ: request again with that MTU.
    private boolean requestWithSmallerMtu(CmRej rej) {
        int possible = CmMessages.mtuCode(rej);
        if (rej.reason() != RejectReason.INVALID_PATH_MTU.code()
                || exchange.state == CmState.REP_RECEIVED
                || possible < Mtu.MTU_256.code()
                || possible >= exchange.req.pathMtu()) {
            return false;
        }
        request(Mtu.ofCode(possible), exchange.sender.leftNs());
        return true;
    }
}
