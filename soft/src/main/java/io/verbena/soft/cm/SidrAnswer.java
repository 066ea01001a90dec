package io.verbena.soft.cm;

import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.SidrStatus;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// The answer to a peer that searches a datagram service, until it is given. Owned by the engine.
final class SidrAnswer {
    private final SidrAgent agent;
    private final CmSidrReq req;
    private final RemoteKey key;
    private final Courier courier;
    private boolean isOpen = true;
    private boolean isGiven;

    SidrAnswer(SidrAgent agent, CmSidrReq req, RemoteKey key) {
        this.agent = agent;
        this.req = req;
        this.key = key;
        this.courier = new Courier(agent.port(), this::forget, this::forget);
        courier.to(key.addressHigh(), key.addressLow());
        courier.alarmIn(PassiveOpening.REQUEST_LIFE_NS);
    }

    void accept(int qpNumber, int qkey, byte[] data) {
        if (isGiven) {
            throw new RdmaException("rdma_accept", Errno.EINVAL, "the request was answered already");
        }
        if (!isOpen) {
            throw new RdmaException(
                    "rdma_accept", Errno.ECONNRESET, "the peer gave up before its request was accepted; close this id");
        }
        give(SidrStatus.VALID, qpNumber, qkey, data);
    }

    void reject(byte[] data) {
        if (isGiven) {
            throw new RdmaException("rdma_reject", Errno.EINVAL, "the request was answered already");
        }
        close(data);
    }

    /// The id is closed.
    void close() {
        close(CmDialogue.NOTHING);
    }

    private void close(byte[] data) {
        if (isOpen) {
            give(SidrStatus.REJECTED, 0, 0, data);
        }
    }

    private void give(SidrStatus status, int qpNumber, int qkey, byte[] data) {
        CmSidrRep rep =
                new CmSidrRep(req.transactionId(), req.requestId(), status, qpNumber, req.serviceId(), qkey, data);
        courier.send(rep);
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
        courier.stop();
        agent.forget(key, this);
    }
}
