package io.verbena.soft.cm;

import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.MalformedMadException;
import io.verbena.roce.mad.RejectReason;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.verbs.attr.Mtu;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// Checks a REQ before a listener sees it: the checks of Linux, and that the path MTU fits this side.
final class RequestCheck {
    /// Why a request is refused, and the additional information that goes with the reason.
    record Refusal(RejectReason reason, byte[] info) {}

    private record Arrived(CmReq req, CmaHeader header, PortFacts facts, long sourceHigh, long sourceLow) {
        CmPath path() {
            return req.primaryPath();
        }
    }

    private record Rule(RejectReason reason, Predicate<Arrived> holds, Function<PortFacts, byte[]> info) {}

    private static final byte[] NOTHING = {};
    private static final int FIRST_USABLE_QP = 2;
    private static final int FULL_MEMBER = 0x8000;
    private static final int DEFAULT_PARTITION = 0xFFFF;

    private static final List<Rule> RULES = List.of(
            rule(RejectReason.INVALID_TRANSPORT_TYPE, a -> a.req.transportServiceType() == CmReq.RC),
            rule(RejectReason.UNSUPPORTED_REQUEST, a -> isConnectable(a.req.localQpn())),
            rule(RejectReason.UNSUPPORTED_REQUEST, a -> isDefaultPartition(a.req.partitionKey())),
            new Rule(
                    RejectReason.INVALID_GID,
                    RequestCheck::isFromItsSource,
                    facts -> facts.gid().bytes()),
            new Rule(
                    RejectReason.INVALID_GID,
                    RequestCheck::isForThisDevice,
                    facts -> facts.gid().bytes()),
            new Rule(
                    RejectReason.INVALID_PATH_MTU,
                    a -> a.req.pathMtu() >= Mtu.MTU_256.code()
                            && a.req.pathMtu() <= a.facts.mtu().code(),
                    facts -> new byte[] {(byte) facts.mtu().code()}),
            rule(RejectReason.CONSUMER_REJECT, a -> a.header != null),
            rule(RejectReason.CONSUMER_REJECT, RequestCheck::isHeaderOfThisPath));

    private RequestCheck() {}

    /// The first rule that does not hold, or null when all do. The header is null when it could not be read.
    static Refusal check(CmReq req, CmaHeader header, PortFacts facts, long sourceHigh, long sourceLow) {
        Arrived arrived = new Arrived(req, header, facts, sourceHigh, sourceLow);
        for (Rule rule : RULES) {
            if (!rule.holds.test(arrived)) {
                return new Refusal(rule.reason, rule.info.apply(facts));
            }
        }
        return null;
    }

    /// The header in front of the program's data, or null when it is none.
    static CmaHeader header(CmReq req) {
        return header(req.privateData().toBytes());
    }

    static CmaHeader header(byte[] privateData) {
        try {
            return CmaHeader.decode(privateData);
        } catch (MalformedMadException e) {
            return null;
        }
    }

    /// Whether the header is there and names the two hosts that it travelled between.
    static boolean isBetween(CmaHeader header, PortFacts facts, long sourceHigh, long sourceLow) {
        return header != null
                && header.sourceGidHi() == sourceHigh
                && header.sourceGidLo() == sourceLow
                && header.destinationGidHi() == facts.gid().high()
                && header.destinationGidLo() == facts.gid().low();
    }

    /// Whether a queue pair of a program can have that number: the first two are the device's own, and the last one
    /// stands for the members of a group.
    static boolean isConnectable(int qpNumber) {
        return qpNumber >= FIRST_USABLE_QP && qpNumber != RoceConstants.MULTICAST_QP;
    }

    static boolean isDefaultPartition(int key) {
        return (key | FULL_MEMBER) == DEFAULT_PARTITION;
    }

    private static Rule rule(RejectReason reason, Predicate<Arrived> holds) {
        return new Rule(reason, holds, facts -> NOTHING);
    }

    private static boolean isFromItsSource(Arrived a) {
        return a.path().localGidHi() == a.sourceHigh && a.path().localGidLo() == a.sourceLow;
    }

    private static boolean isForThisDevice(Arrived a) {
        return a.path().remoteGidHi() == a.facts.gid().high()
                && a.path().remoteGidLo() == a.facts.gid().low();
    }

    private static boolean isHeaderOfThisPath(Arrived a) {
        return a.header.sourceGidHi() == a.path().localGidHi()
                && a.header.sourceGidLo() == a.path().localGidLo()
                && a.header.destinationGidHi() == a.path().remoteGidHi()
                && a.header.destinationGidLo() == a.path().remoteGidLo();
    }
}
