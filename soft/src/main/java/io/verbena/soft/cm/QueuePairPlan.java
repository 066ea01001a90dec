package io.verbena.soft.cm;

import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmTimeout;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.spi.QueuePairTiming;

/// The attributes of a queue pair of a connection, computed from the REQ and the REP for either side.
///
/// Each message speaks of its sender. A starting PSN is what the *receiver* of the message sends first; the responder
/// resources of one side bound the initiator depth of the other; the retry count and the MTU of the REQ hold for
/// both; the RNR retry count is the one the *other* side sent.
record QueuePairPlan(
        AddressVector peer,
        int destinationQp,
        Mtu mtu,
        int sendPsn,
        int receivePsn,
        int maxReadAtomic,
        int maxDestinationReadAtomic,
        int retryCount,
        int rnrRetry,
        int ackTimeout,
        int minRnrTimer) {

    static QueuePairPlan active(CmReq req, CmRep rep, QueuePairTiming timing) {
        CmPath path = req.primaryPath();
        return new QueuePairPlan(
                vector(new Gid(path.remoteGidHi(), path.remoteGidLo()), path),
                rep.localQpn(),
                Mtu.ofCode(req.pathMtu()),
                rep.startingPsn(),
                req.startingPsn(),
                Math.min(rep.responderResources(), req.initiatorDepth()),
                Math.min(rep.initiatorDepth(), req.responderResources()),
                req.retryCount(),
                rep.rnrRetryCount(),
                timing.ackTimeout(CmTimeout.ackTimeout(rep.targetAckDelay(), Math.max(0, path.localAckTimeout() - 1))),
                timing.minRnrTimer());
    }

    static QueuePairPlan passive(CmReq req, CmRep rep, QueuePairTiming timing) {
        CmPath path = req.primaryPath();
        return new QueuePairPlan(
                vector(new Gid(path.localGidHi(), path.localGidLo()), path),
                req.localQpn(),
                Mtu.ofCode(req.pathMtu()),
                req.startingPsn(),
                rep.startingPsn(),
                rep.initiatorDepth(),
                rep.responderResources(),
                req.retryCount(),
                req.rnrRetryCount(),
                timing.ackTimeout(path.localAckTimeout()),
                timing.minRnrTimer());
    }

    private static AddressVector vector(Gid peer, CmPath path) {
        return AddressVector.to(peer).withTrafficClass(path.trafficClass());
    }

    /// INIT to RTR to RTS.
    void apply(QueuePair qp) {
        qp.modify(step(QueuePairState.RTR));
        qp.modify(step(QueuePairState.RTS));
    }

    /// The attributes of a step on the way to RTS; null for other states. The peer may always write; it may read, use
    /// atomics and flush when READs were agreed on, which is not known in INIT yet, so the rights come again with RTR.
    QueuePairChange step(QueuePairState to) {
        return switch (to) {
            case INIT -> QueuePairChange.toInit().access(rights());
            case RTR ->
                QueuePairChange.to(QueuePairState.RTR)
                        .access(rights())
                        .address(peer)
                        .pathMtu(mtu)
                        .destinationQp(destinationQp)
                        .receivePsn(receivePsn)
                        .maxDestinationReadAtomic(maxDestinationReadAtomic)
                        .minRnrTimer(minRnrTimer);
            case RTS ->
                QueuePairChange.to(QueuePairState.RTS)
                        .sendPsn(sendPsn)
                        .timeout(ackTimeout)
                        .retryCount(retryCount)
                        .rnrRetry(rnrRetry)
                        .maxReadAtomic(maxReadAtomic);
            default -> null;
        };
    }

    private Access[] rights() {
        return maxDestinationReadAtomic == 0
                ? new Access[] {Access.REMOTE_WRITE}
                : new Access[] {
                    Access.REMOTE_WRITE,
                    Access.REMOTE_READ,
                    Access.REMOTE_ATOMIC,
                    Access.FLUSH_GLOBAL,
                    Access.FLUSH_PERSISTENT
                };
    }
}
