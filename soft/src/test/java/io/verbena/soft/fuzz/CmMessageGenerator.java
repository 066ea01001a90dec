package io.verbena.soft.fuzz;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDrep;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmRtu;
import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.PrivateData;
import io.verbena.roce.mad.ServiceId;
import io.verbena.roce.mad.SidrStatus;
import io.verbena.verbs.attr.Gid;
import java.nio.ByteBuffer;

/// Generates the attacker's connection messages: of every kind, about connections that exist, nearly exist, or do not.
final class CmMessageGenerator {
    static final int PORT = 7471;
    private static final int LOCAL_ID_AT = 24;
    private static final int REMOTE_ID_AT = 28;
    private static final PrivateData NO_DATA = PrivateData.NONE;

    private final FuzzInput script;
    private final Attacker attacker;

    CmMessageGenerator(FuzzInput script, Attacker attacker) {
        this.script = script;
        this.attacker = attacker;
    }

    /// The device's own id of one of its connections, or nonsense.
    private int deviceId() {
        byte[] mad = said();
        return mad == null || script.onceIn(16)
                ? script.i32()
                : ByteBuffer.wrap(mad).getInt(LOCAL_ID_AT);
    }

    /// An id of the attacker's that the device knows, or may get to know.
    private int ownId() {
        byte[] mad = said();
        boolean known = mad != null && script.onceIn(2);
        return known ? ByteBuffer.wrap(mad).getInt(REMOTE_ID_AT) : 1 + script.below(6);
    }

    private byte[] said() {
        return attacker.mads.stream().skip(script.below(4)).findFirst().orElse(attacker.mads.peekFirst());
    }

    byte[] next() {
        byte[] mad = message().toBytes();
        if (script.onceIn(5)) {
            for (int flips = 1 + script.below(3); flips > 0; flips--) {
                mad[script.below(mad.length)] = (byte) script.of(0, 1, 0xFF, script.next());
            }
        }
        return mad;
    }

    private CmMessage message() {
        long transaction = script.below(3);
        int device = deviceId();
        int own = ownId();
        AnsweredMessage answered = script.pick(AnsweredMessage.values());
        return switch (script.below(13)) {
            case 0, 1 -> request(own);
            case 2, 3 ->
                CmRep.builder()
                        .localCommId(own)
                        .remoteCommId(device)
                        .localQpn(script.of(LiveDevice.ATTACKER_QP, 0, 1, 0xFF_FFFF))
                        .startingPsn(script.below(5))
                        .responderResources(script.of(0, 1, 16, 255))
                        .initiatorDepth(script.of(0, 1, 16, 255))
                        .build();
            case 4 -> new CmRtu(transaction, own, device, NO_DATA);
            case 5 ->
                new CmRej(transaction, own, device, answered, script.of(28, 8, 6, 33, 0xFFFF), new byte[0], NO_DATA);
            case 6 -> new CmMra(transaction, own, device, answered, script.below(32), NO_DATA);
            case 7 -> new CmDreq(transaction, own, device, script.of(LiveDevice.ATTACKER_QP, 0, 5), NO_DATA);
            case 8 -> new CmDrep(transaction, own, device, NO_DATA);
            case 9, 10 ->
                new CmSidrReq(transaction, own, 0xFFFF, ServiceId.of(ServiceId.UDP, PORT), PrivateData.of(cma()));
            case 11 ->
                new CmSidrRep(
                        transaction,
                        device,
                        script.pick(SidrStatus.values()),
                        script.of(LiveDevice.ATTACKER_QP, 0, 1),
                        ServiceId.of(ServiceId.UDP, PORT),
                        script.i32(),
                        NO_DATA);
            default -> request(own);
        };
    }

    private CmMessage request(int own) {
        Gid from = attacker.self();
        Gid to = attacker.device();
        return CmReq.builder()
                .transactionId(script.below(4))
                .localCommId(own)
                .serviceId(ServiceId.of(ServiceId.TCP, PORT))
                .localCaGuid(0x55)
                .localQpn(LiveDevice.ATTACKER_QP + script.below(4))
                .startingPsn(script.below(4))
                .pathMtu(script.of(3, 1, 5, 0, 6))
                .responderResources(script.of(16, 0, 255))
                .initiatorDepth(script.of(16, 0, 255))
                .retryCount(script.below(8))
                .rnrRetryCount(script.below(8))
                .transportServiceType(script.of(0, 0, 0, 1, 3))
                .remoteCmResponseTimeout(script.below(32))
                .localCmResponseTimeout(script.below(32))
                .maxCmRetries(script.below(16))
                .primaryPath(CmPath.between(from.high(), from.low(), to.high(), to.low()))
                .privateData(cma())
                .build();
    }

    private byte[] cma() {
        Gid from = attacker.self();
        Gid to = attacker.device();
        return CmaHeader.of(40_000 + script.below(4), from.high(), from.low(), to.high(), to.low())
                .encode();
    }
}
