package io.verbena.soft.cm;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmRtu;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.RejectReason;
import io.verbena.roce.mad.ServiceId;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.cm.ConnectionParameters;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Makes messages, and reads the parameters for the program from them.
final class CmMessages {
    /// For events without parameters of the peer.
    static final ConnectionParameters NO_PARAMETERS = new ConnectionParameters(new byte[0], 0, 0, false, 0, 0, 0);

    /// 1 s, after which Linux repeats its REP; its own default is 4 s. Linux repeats 15 times, so it still waits for 16
    /// s.
    private static final int CM_RESPONSE_TIMEOUT = 18;

    private CmMessages() {}

    static CmReq req(
            long transactionId,
            int commId,
            int psn,
            Mtu mtu,
            ConnectTarget target,
            LocalSettings settings,
            PortFacts facts) {
        Gid from = facts.gid();
        Gid to = target.peer();
        int flowLabel = (target.header().sourcePort() * 31 + ServiceId.port(target.serviceId())) & 0xF_FFFF;
        return CmReq.builder()
                .transactionId(transactionId)
                .localCommId(commId)
                .serviceId(target.serviceId())
                .localCaGuid(facts.guid())
                .localQpn(settings.qpNumber())
                .responderResources(settings.responderResources())
                .initiatorDepth(settings.initiatorDepth())
                .endToEndFlowControl(settings.flowControl())
                .startingPsn(psn)
                .localCmResponseTimeout(CM_RESPONSE_TIMEOUT)
                .remoteCmResponseTimeout(CM_RESPONSE_TIMEOUT)
                .retryCount(settings.retryCount())
                .rnrRetryCount(settings.rnrRetryCount())
                .sharedReceiveQueue(settings.sharedReceiveQueue())
                .pathMtu(mtu.code())
                .primaryPath(CmPath.between(from.high(), from.low(), to.high(), to.low())
                        .withFlowLabel(flowLabel)
                        .withTrafficClass(target.trafficClass())
                        .withLocalAckTimeout(settings.timing().proposedAckTimeout()))
                .privateData(target.header().encode(settings.privateData()))
                .build();
    }

    /// The passive side serves and issues no more than the active side offered.
    static CmRep rep(CmReq req, int commId, int psn, LocalSettings settings, PortFacts facts) {
        return CmRep.builder()
                .transactionId(req.transactionId())
                .localCommId(commId)
                .remoteCommId(req.localCommId())
                .localQpn(settings.qpNumber())
                .startingPsn(psn)
                .responderResources(Math.min(settings.responderResources(), req.initiatorDepth()))
                .initiatorDepth(Math.min(settings.initiatorDepth(), req.responderResources()))
                .targetAckDelay(facts.ackDelayCode())
                .endToEndFlowControl(settings.flowControl())
                .rnrRetryCount(settings.rnrRetryCount())
                .sharedReceiveQueue(settings.sharedReceiveQueue())
                .localCaGuid(facts.guid())
                .privateData(settings.privateData())
                .build();
    }

    static CmRtu rtu(CmReq req, ConnectionNames names) {
        return new CmRtu(req.transactionId(), names.localId(), names.remoteId());
    }

    static CmMra mra(CmReq req, ConnectionNames names, AnsweredMessage answered, int serviceTimeout) {
        return new CmMra(req.transactionId(), names.localId(), names.remoteId(), answered, serviceTimeout);
    }

    static CmRej rej(CmReq req, ConnectionNames names, AnsweredMessage answered, RejectReason reason) {
        return new CmRej(req.transactionId(), names.localId(), names.remoteId(), answered, reason);
    }

    static CmDreq dreq(long transactionId, ConnectionNames names) {
        return new CmDreq(transactionId, names.localId(), names.remoteId(), names.remoteQpn());
    }

    /// A REJ from a side that keeps no state for the request.
    static CmRej refusal(CmReq req, RejectReason reason, byte[] info) {
        return new CmRej(req.transactionId(), 0, req.localCommId(), AnsweredMessage.REQ, reason)
                .withAdditionalInfo(info);
    }

    /// For a reply to a connection that is not there any more: the peer need not wait for an answer.
    static CmRej unknownId(CmRep rep) {
        return new CmRej(
                rep.transactionId(),
                rep.remoteCommId(),
                rep.localCommId(),
                AnsweredMessage.REP,
                RejectReason.INVALID_COMM_ID);
    }

    static byte[] guidBytes(long guid) {
        return ByteBuffer.allocate(Long.BYTES).putLong(guid).array();
    }

    /// The GUID in a REJ because of a timeout, 0 when there is none.
    static long guid(CmRej rej) {
        byte[] info = rej.additionalInfo();
        return info.length < Long.BYTES ? 0 : ByteBuffer.wrap(info).getLong();
    }

    /// The largest MTU that the sender of a REJ can do; 0 when it does not say.
    static int mtuCode(CmRej rej) {
        byte[] info = rej.additionalInfo();
        return info.length == 0 ? 0 : info[0];
    }

    /// The peer's parameters as its passive side sees them: what it issues is what we serve.
    static ConnectionParameters parametersOf(CmReq req) {
        byte[] data = req.privateData().toBytes();
        return new ConnectionParameters(
                Arrays.copyOfRange(data, CmaHeader.BYTES, data.length),
                req.initiatorDepth(),
                req.responderResources(),
                req.endToEndFlowControl(),
                req.retryCount(),
                req.rnrRetryCount(),
                req.localQpn());
    }

    static ConnectionParameters parametersOf(CmRep rep, int retryCount) {
        return new ConnectionParameters(
                rep.privateData().toBytes(),
                rep.initiatorDepth(),
                rep.responderResources(),
                rep.endToEndFlowControl(),
                retryCount,
                rep.rnrRetryCount(),
                rep.localQpn());
    }

    static ConnectionParameters parametersOf(CmRej rej) {
        return NO_PARAMETERS.withPrivateData(rej.privateData().toBytes());
    }
}
