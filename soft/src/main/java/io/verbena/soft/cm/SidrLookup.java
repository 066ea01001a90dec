package io.verbena.soft.cm;

import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.PrivateData;
import io.verbena.roce.mad.SidrStatus;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;

/// The lookup of a datagram service by the client: SIDR_REQ, repeated until SIDR_REP. Owned by the engine.
final class SidrLookup {
    private static final int DEFAULT_PARTITION = 0xFFFF;

    private final SidrAgent agent;
    private final SidrHandler handler;
    private final MessageSender sender;
    private ConnectTarget target;
    private int requestId;

    SidrLookup(SidrAgent agent, SidrHandler handler) {
        this.agent = agent;
        this.handler = handler;
        this.sender = new MessageSender(agent.port(), this::onNoAnswer, this::onNoAnswer);
    }

    void start(ConnectTarget target, byte[] data, long timeoutNs) {
        this.target = target;
        requestId = agent.add(this);
        sender.to(target.peer().high(), target.peer().low());
        sender.sendUntilAnswered(
                new CmSidrReq(
                        agent.randomTransactionId(),
                        requestId,
                        DEFAULT_PARTITION,
                        target.serviceId(),
                        PrivateData.of(target.header().encode(data))),
                timeoutNs);
    }

    /// As with Linux, every answer but success is UNREACHABLE, with the SIDR_REP's status.
    void onRep(CmSidrRep rep, long sourceHigh, long sourceLow) {
        if (target.peer().high() != sourceHigh || target.peer().low() != sourceLow) {
            agent.ignored();
            return;
        }
        close();
        ConnectionParameters seen =
                CmMessages.NO_PARAMETERS.withPrivateData(rep.privateData().toBytes());
        if (rep.status() != SidrStatus.VALID) {
            handler.onEvent(CmEventType.UNREACHABLE, rep.status().code(), seen, null);
            return;
        }
        AddressVector vector = AddressVector.to(target.peer()).withTrafficClass(target.trafficClass());
        handler.onEvent(
                CmEventType.ESTABLISHED,
                0,
                seen.withQpNumber(rep.qpn()),
                new DatagramPeer(vector, rep.qpn(), rep.qkey()));
    }

    private void onNoAnswer() {
        close();
        handler.onEvent(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number(), CmMessages.NO_PARAMETERS, null);
    }

    /// Later answers are ignored.
    void close() {
        sender.stop();
        agent.forget(requestId, this);
    }
}
