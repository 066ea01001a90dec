package io.verbena.roce.dump;

import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.mad.CmDrep;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmRtu;
import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.Mad;
import io.verbena.roce.mad.RejectReason;
import io.verbena.roce.mad.ServiceId;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import java.lang.foreign.MemorySegment;

/// Connection manager messages as text.
final class MadText {
    private MadText() {}

    /// Whether the payload of this packet is a management datagram.
    static boolean isMad(Opcode opcode, MemorySegment p, long bth, long payloadBytes) {
        return opcode.has(Header.DETH)
                && payloadBytes == Mad.BYTES
                && Bth.destinationQp(p, bth) == RoceConstants.GSI_QP
                && Deth.qkey(p, bth + opcode.offsetOf(Header.DETH)) == RoceConstants.GSI_QKEY;
    }

    static String line(CmMessage message) {
        return "CM " + message.attributeId() + " " + words(message);
    }

    private static String words(CmMessage message) {
        return switch (message) {
            case CmReq m ->
                "local=0x%08x %s qpn=0x%06x psn=%d mtu=%d"
                        .formatted(m.localCommId(), service(m.serviceId()), m.localQpn(), m.startingPsn(), m.pathMtu());
            case CmRep m ->
                ids(m.localCommId(), m.remoteCommId()) + " qpn=0x%06x psn=%d".formatted(m.localQpn(), m.startingPsn());
            case CmRtu m -> ids(m.localCommId(), m.remoteCommId());
            case CmRej m ->
                ids(m.localCommId(), m.remoteCommId())
                        + " of=%s reason=%d (%s)".formatted(m.answered(), m.reason(), RejectReason.text(m.reason()));
            case CmMra m ->
                ids(m.localCommId(), m.remoteCommId())
                        + " of=%s timeout=%d".formatted(m.answered(), m.serviceTimeout());
            case CmDreq m -> ids(m.localCommId(), m.remoteCommId()) + " qpn=0x%06x".formatted(m.remoteQpn());
            case CmDrep m -> ids(m.localCommId(), m.remoteCommId());
            case CmSidrReq m -> "request=0x%08x %s".formatted(m.requestId(), service(m.serviceId()));
            case CmSidrRep m ->
                "request=0x%08x status=%s qpn=0x%06x qkey=0x%x".formatted(m.requestId(), m.status(), m.qpn(), m.qkey());
        };
    }

    private static String ids(int local, int remote) {
        return "local=0x%08x remote=0x%08x".formatted(local, remote);
    }

    private static String service(long id) {
        String space = switch (ServiceId.portSpace(id)) {
            case ServiceId.TCP -> "tcp:";
            case ServiceId.UDP -> "udp:";
            case ServiceId.IB -> "ib:";
            case ServiceId.IPOIB -> "ipoib:";
            default -> null;
        };
        boolean known = space != null && id >>> 32 == 0;
        return "service=" + (known ? space + ServiceId.port(id) : "0x%016x".formatted(id));
    }
}
