package io.verbena.soft.qp;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.engine.Transmitter;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;

/// The part of a responder that serves what is answered by more than an acknowledgement: READs. Each takes one of the
/// resources that the peer was granted, and is answered again from it when it is repeated. Owned by the engine.
final class ReadAtomicResponder {
    private final ReliableConnection connection;
    private final Responder responder;
    private final Engine engine;
    private final QueuePairSettings settings;
    private final Transmitter transmitter;
    private final ReadResponses reads = new ReadResponses();

    ReadAtomicResponder(ReliableConnection connection, Responder responder) {
        this.connection = connection;
        this.responder = responder;
        this.engine = connection.engine;
        this.settings = connection.settings;
        this.transmitter = engine.transmitter();
        this.reads.reset(0);
    }

    void reset() {
        reads.reset(settings.maxDestinationReadAtomic);
    }

    /// Whether no answer is left to be sent.
    boolean isEmpty() {
        return reads.isEmpty();
    }

    static boolean serves(Opcode opcode) {
        return opcode == Opcode.RC_RDMA_READ_REQUEST;
    }

    /// Whether the queue pair lets the peer do this, and has a resource for it.
    Verdict checkOperation() {
        reads.takeLimit(settings.maxDestinationReadAtomic);
        return Access.REMOTE_READ.in(settings.access) && !reads.isFull() ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    /// The whole range must be open to the peer. A length of 0 names nothing.
    Verdict checkAccess(PacketView packet) {
        if (packet.dmaLength() == 0) {
            return Verdict.OK;
        }
        AccessCheck check = engine.memory()
                .check(
                        packet.rkey(),
                        connection.qp,
                        packet.remoteAddress(),
                        packet.dmaLength(),
                        Access.REMOTE_READ.bit());
        return check == AccessCheck.OK ? Verdict.OK : Verdict.REMOTE_ACCESS;
    }

    /// How many PSNs the answer has.
    int packets(PacketView packet) {
        return settings.packets(packet.dmaLength());
    }

    Verdict execute(PacketView packet) {
        reads.add(packet.psn(), packets(packet), packet.remoteAddress(), packet.rkey(), packet.dmaLength());
        connection.activate();
        return Verdict.OK;
    }

    /// Answers a repeated request again; one that is not remembered is dropped.
    void replay(PacketView packet) {
        long bytes = packet.dmaLength();
        if (bytes <= RoceConstants.MAX_MESSAGE_BYTES
                && reads.replay(
                        packet.psn(),
                        settings.packets(bytes),
                        packet.remoteAddress(),
                        packet.rkey(),
                        bytes,
                        settings.mtu)) {
            connection.activate();
        }
    }

    /// Sends up to `budget` packets of answers.
    int emit(int budget) {
        int emitted = 0;
        while (emitted < budget && !reads.isEmpty() && emitReadResponse()) {
            emitted++;
        }
        return emitted;
    }

    private boolean emitReadResponse() {
        int at = transmitter.claim();
        if (at < 0) {
            return false;
        }
        Opcode opcode = RcOpcodes.of(Operation.RDMA_READ, reads.isFirst(), reads.isLast());
        int payload = reads.payload(settings.mtu);
        MemorySegment packet = transmitter.memory();
        int payloadAt = at + opcode.headerBytes();
        if (payload > 0
                && !ScatterGather.read(
                        engine.memory(),
                        connection.qp,
                        reads.key(),
                        reads.address(settings.mtu),
                        Access.REMOTE_READ.bit(),
                        packet,
                        payloadAt,
                        payload)) {
            onRegionGone();
            return false;
        }
        int pad = -payload & 3;
        Bth.write(packet, at, opcode.code(), false, pad, settings.destinationQp, false, reads.psn());
        if (opcode.has(Header.AETH)) {
            Aeth.write(packet, at + opcode.offsetOf(Header.AETH), Syndrome.ACK, responder.msn());
        }
        transmitter.send(at, payloadAt + payload, pad, settings.peerHigh, settings.peerLow);
        reads.advance();
        return true;
    }

    private void onRegionGone() {
        if (reads.isRepeat()) {
            // The peer had its answer once, so the region may have been closed since: nothing to complain about.
            reads.drop();
        } else {
            int psn = reads.psn();
            reset();
            responder.end(psn, false, Verdict.REMOTE_ACCESS);
        }
    }
}
