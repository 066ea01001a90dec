package io.verbena.soft.qp;

import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;

/// The SEND or WRITE that is being received: whether a packet goes on as the message began, whether it fits, and where
/// its bytes go. The same on every connected type; they differ in what they do about a [Verdict]. Owned by the engine.
final class IncomingMessage {
    private enum Kind {
        NONE,
        SEND,
        WRITE
    }

    private final TransportService service;
    private final Engine engine;
    private final ReceiveInHand receive;
    private final QueuePairSettings settings;

    private Kind kind = Kind.NONE;
    /// Bytes of the message so far.
    private long received;

    private long writeAddress;
    private int writeKey;
    private long writeLength;

    IncomingMessage(TransportService service) {
        this.service = service;
        this.engine = service.engine;
        this.receive = service.receive;
        this.settings = service.settings;
    }

    /// Nothing is half way in any more: at its end, or because the rest is not wanted.
    void end() {
        kind = Kind.NONE;
    }

    /// A message goes on as it began, and nothing goes on that did not begin.
    Verdict checkSequence(Opcode opcode) {
        boolean fits = switch (kind) {
            case NONE -> opcode.startsMessage();
            case SEND -> opcode.isSend() && !opcode.startsMessage();
            case WRITE -> opcode.isWrite() && !opcode.startsMessage();
        };
        return fits ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    /// Packets of other operations pass when they are sound in themselves.
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

    /// Where a WRITE begins, the whole range must be open to the peer. A length of 0 names nothing.
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
        if (packet.opcode().has(Header.IETH)) {
            return invalidate(packet);
        }
        if (packet.opcode().endsMessage()) {
            completeReceive(packet, CompletionOpcode.RECEIVE, received);
        }
        return Verdict.OK;
    }

    /// The key is dead before the receive reports (rule INV-1).
    private Verdict invalidate(PacketView packet) {
        int rkey = packet.invalidatedKey();
        if (engine.memory().invalidate(service.qp, rkey) != AccessCheck.OK) {
            return Verdict.KEY_NOT_REVOCABLE;
        }
        service.completions.receiveInvalidating(received, rkey, packet.solicited());
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
        if (packet.opcode().completesReceive()) {
            completeReceive(packet, CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE, writeLength);
        }
        return Verdict.OK;
    }

    private void completeReceive(PacketView packet, CompletionOpcode opcode, long bytes) {
        boolean hasImmediate = packet.opcode().hasImmediate();
        int immediate = hasImmediate ? packet.immediate() : 0;
        service.completions.receive(opcode, bytes, hasImmediate, immediate, packet.solicited());
    }
}
