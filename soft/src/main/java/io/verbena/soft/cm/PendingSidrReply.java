package io.verbena.soft.cm;

import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.PrivateData;
import io.verbena.roce.mad.SidrStatus;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// The reply to a peer's lookup of a datagram service, until the program accepts or rejects it. Owned by the engine.
final class PendingSidrReply {
    private final SidrAgent agent;
    private final CmSidrReq req;
    private final RemoteKey key;
    private final MessageSender sender;
    private boolean isOpen = true;
    private boolean isGiven;

    PendingSidrReply(SidrAgent agent, CmSidrReq req, RemoteKey key) {
        this.agent = agent;
        this.req = req;
        this.key = key;
        this.sender = new MessageSender(agent.port(), this::forget, this::forget);
        sender.to(key.addressHigh(), key.addressLow());
        sender.alarmIn(PassiveOpening.REQUEST_LIFE_NS);
    }

    void accept(int qpNumber, int qkey, byte[] data) {
        if (isGiven) {
            throw new RdmaException(sender.verb("rdma_accept"), Errno.EINVAL, "the request was answered already");
        }
        if (!isOpen) {
            throw new RdmaException(
                    sender.verb("rdma_accept"),
                    Errno.ECONNRESET,
                    "the peer gave up before its request was accepted; close this id");
        }
        give(SidrStatus.VALID, qpNumber, qkey, data);
    }

    void reject(byte[] data) {
        if (isGiven) {
            throw new RdmaException(sender.verb("rdma_reject"), Errno.EINVAL, "the request was answered already");
        }
        close(data);
    }

    /// The id is closed.
    void close() {
        close(CmExchange.NOTHING);
    }

    private void close(byte[] data) {
        if (isOpen) {
            give(SidrStatus.REJECTED, 0, 0, data);
        }
    }

    private void give(SidrStatus status, int qpNumber, int qkey, byte[] data) {
        PrivateData told = PrivateData.of(data);
        CmSidrRep rep =
                new CmSidrRep(req.transactionId(), req.requestId(), status, qpNumber, req.serviceId(), qkey, told);
        sender.send(rep);
        isGiven = true;
        agent.remember(key, rep);
        forget();
    }

    /// Not answered at all.
    void drop() {
        forget();
    }

    private void forget() {
        isOpen = false;
        sender.stop();
        agent.forget(key, this);
    }
}
