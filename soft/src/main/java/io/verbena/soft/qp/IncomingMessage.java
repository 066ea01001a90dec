package io.verbena.soft.qp;

import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.verbs.attr.Access;

/// The SEND or WRITE that is being received: checks that a packet continues the message and fits, and places its bytes.
/// It is the same for RC and UC, which differ in how they handle a [Verdict]. Owned by the engine.
final class IncomingMessage {
    private enum Kind {
        NONE,
        SEND,
        WRITE
    }

    private final TransportService service;
    private final CurrentReceive receive;
    private final QueuePairSettings settings;

    private Kind kind = Kind.NONE;
    /// Bytes of the message so far.
    private long received;

    private long writeAddress;
    private int writeKey;
    private long writeLength;

    IncomingMessage(TransportService service) {
        this.service = service;
        this.receive = service.receive;
        this.settings = service.settings;
    }

    /// The message has ended, or its rest will be dropped.
    void end() {
        kind = Kind.NONE;
    }

    /// MIDDLE and LAST packets must follow a FIRST packet of the same operation.
    Verdict checkSequence(Opcode opcode) {
        boolean fits = switch (kind) {
            case NONE -> opcode.startsMessage();
            case SEND -> opcode.isSend() && !opcode.startsMessage();
            case WRITE -> opcode.isWrite() && !opcode.startsMessage();
        };
        return fits ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    /// Packets of other operations pass if their own length is correct.
    Verdict checkLength(PacketView packet) {
        int payload = packet.payloadBytes();
        if (!packet.opcode().payloadRule().allows(payload, settings.mtu) || packet.padCount() != (-payload & 3)) {
            return Verdict.INVALID_REQUEST;
        }
        if (packet.opcode().has(Header.RETH) && packet.dmaLength() > RoceConstants.MAX_MESSAGE_BYTES) {
            return Verdict.INVALID_REQUEST;
        }
        if (packet.opcode().isSend()) {
            long before = kind == Kind.SEND ? received : 0;
            return before + payload <= receive.capacityBytes() ? Verdict.OK : Verdict.RECEIVE_TOO_SHORT;
        }
        if (packet.opcode().isWrite()) {
            boolean starts = packet.opcode().startsMessage();
            long left = starts ? packet.dmaLength() : writeLength - received;
            boolean fits = packet.opcode().endsMessage() ? payload == left : payload < left;
            return fits ? Verdict.OK : Verdict.INVALID_REQUEST;
        }
        return Verdict.OK;
    }

    /// The first packet of a WRITE checks the whole range. A WRITE of 0 bytes needs no key.
    Verdict checkAccess(PacketView packet) {
        if (!packet.opcode().has(Header.RETH) || packet.dmaLength() == 0) {
            return Verdict.OK;
        }
        AccessCheck check = service.access.check(
                packet.rkey(), packet.remoteAddress(), packet.dmaLength(), Access.REMOTE_WRITE.bit());
        return check == AccessCheck.OK ? Verdict.OK : Verdict.REMOTE_ACCESS;
    }

    /// Places the bytes of a packet that passed the checks, and completes the receive where the message ends one.
    Verdict place(PacketView packet) {
        Verdict verdict = packet.opcode().isWrite() ? placeWrite(packet) : placeSend(packet);
        if (verdict == Verdict.OK && packet.opcode().completesReceive()) {
            service.completions.receive(packet, received);
        }
        if (verdict == Verdict.OK && packet.opcode().endsMessage()) {
            end();
        }
        return verdict;
    }

    private Verdict placeSend(PacketView packet) {
        if (packet.opcode().startsMessage()) {
            kind = Kind.SEND;
            received = 0;
        }
        if (!receive.place(received, packet.payloadMemory(), packet.payloadAt(), packet.payloadBytes())) {
            return Verdict.RECEIVE_PROTECTION;
        }
        received += packet.payloadBytes();
        // The key is revoked before the receive completes (rule INV-1).
        if (packet.opcode().has(Header.IETH)
                && service.engine.memory().invalidate(service.qp, packet.invalidatedKey()) != AccessCheck.OK) {
            return Verdict.KEY_NOT_REVOCABLE;
        }
        return Verdict.OK;
    }

    private Verdict placeWrite(PacketView packet) {
        if (packet.opcode().startsMessage()) {
            kind = Kind.WRITE;
            received = 0;
            writeAddress = packet.remoteAddress();
            writeKey = packet.rkey();
            writeLength = packet.dmaLength();
        }
        int payload = packet.payloadBytes();
        if (payload > 0
                && !service.access.write(
                        writeKey,
                        writeAddress + received,
                        Access.REMOTE_WRITE.bit(),
                        packet.payloadMemory(),
                        packet.payloadAt(),
                        payload)) {
            return Verdict.REMOTE_ACCESS;
        }
        received += payload;
        return Verdict.OK;
    }
}
