package io.verbena.soft.engine;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.PrivateData;
import io.verbena.roce.mad.RejectReason;
import io.verbena.roce.mad.SidrStatus;
import io.verbena.soft.event.SoftEvents;

/// Refuses requests where the program has no connection manager: nobody listens. A peer would ask again and again
/// otherwise, also for a port of another process at the same address that has ended.
final class NoConnectionManager implements ManagementHandler {
    private final ManagementPort port;
    private final Counters counters;

    NoConnectionManager(ManagementPort port, Counters counters) {
        this.port = port;
        this.counters = counters;
    }

    @Override
    public void onMessage(CmMessage message, long sourceHigh, long sourceLow, long nowNs) {
        switch (message) {
            case CmReq req -> refuse(refusal(req), sourceHigh, sourceLow);
            case CmSidrReq req -> refuse(refusal(req), sourceHigh, sourceLow);
            default -> counters.increment(Counter.CONNECTION_MESSAGES_IGNORED);
        }
    }

    private void refuse(CmMessage answer, long sourceHigh, long sourceLow) {
        counters.increment(Counter.CONNECTION_REQUESTS_REFUSED);
        SoftEvents.refused(null, sourceHigh, sourceLow, "connection", "refused", "nobody listens at this device", 0);
        port.send(answer, sourceHigh, sourceLow);
    }

    private static CmRej refusal(CmReq req) {
        return new CmRej(
                req.transactionId(), 0, req.localCommId(), AnsweredMessage.REQ, RejectReason.INVALID_SERVICE_ID);
    }

    private static CmSidrRep refusal(CmSidrReq req) {
        return new CmSidrRep(
                req.transactionId(), req.requestId(), SidrStatus.UNSUPPORTED, 0, req.serviceId(), 0, PrivateData.NONE);
    }
}
