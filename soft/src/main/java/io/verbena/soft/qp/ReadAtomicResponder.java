package io.verbena.soft.qp;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.AtomicAckEth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;

/// The part of a responder that serves what is answered by more than an acknowledgement: READs, atomics, ATOMIC_WRITEs
/// and FLUSHes. Each takes one of the resources that the peer was granted, and is answered again from it when it is
/// repeated; only a READ is carried out again then. Owned by the engine.
final class ReadAtomicResponder {
    private final ReliableConnection connection;
    private final Responder responder;
    private final Engine engine;
    private final QueuePairSettings settings;
    private final RemoteOperations operations;
    private final ResponderResources resources = new ResponderResources();

    ReadAtomicResponder(ReliableConnection connection, Responder responder) {
        this.connection = connection;
        this.responder = responder;
        this.engine = connection.engine;
        this.settings = connection.settings;
        this.operations = new RemoteOperations(engine.memory(), connection.qp);
    }

    void reset() {
        resources.reset(settings.maxDestinationReadAtomic);
    }

    /// Whether no answer is left to be sent.
    boolean isEmpty() {
        return resources.isEmpty();
    }

    /// Every request of a reliable connection that is no SEND and no WRITE.
    static boolean serves(Opcode opcode) {
        return !opcode.isSend() && !opcode.isWrite();
    }

    /// Whether the queue pair lets the peer do this, and has a resource for it.
    Verdict checkOperation(PacketView packet) {
        resources.takeLimit(settings.maxDestinationReadAtomic);
        return isAllowed(packet) && !resources.isFull() ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    private boolean isAllowed(PacketView packet) {
        int rights = RemoteOperations.rights(RequestFields.operation(packet), RequestFields.flushTypes(packet));
        return (settings.access & rights) == rights;
    }

    Verdict checkAccess(PacketView packet) {
        return operations.check(
                RequestFields.operation(packet),
                RequestFields.key(packet),
                RequestFields.address(packet),
                RequestFields.length(packet),
                RequestFields.flushTypes(packet),
                RequestFields.selectivity(packet));
    }

    /// How many PSNs the answer has.
    int packets(PacketView packet) {
        return isRead(packet) ? settings.packets(packet.dmaLength()) : 1;
    }

    private static boolean isRead(PacketView packet) {
        return packet.opcode() == Opcode.RC_RDMA_READ_REQUEST;
    }

    Verdict execute(PacketView packet) {
        int psn = packet.psn();
        if (isRead(packet)) {
            resources.addRead(psn, packets(packet), packet.remoteAddress(), packet.rkey(), packet.dmaLength());
        } else {
            Verdict verdict = change(packet);
            if (verdict != Verdict.OK) {
                return verdict;
            }
            resources.addExecuted(
                    packet.opcode(),
                    psn,
                    RequestFields.address(packet),
                    RequestFields.key(packet),
                    operations.original());
        }
        connection.activate();
        return Verdict.OK;
    }

    private Verdict change(PacketView packet) {
        return operations.execute(
                RequestFields.operation(packet),
                RequestFields.key(packet),
                RequestFields.address(packet),
                RequestFields.length(packet),
                RequestFields.flushTypes(packet),
                RequestFields.selectivity(packet),
                RequestFields.operand(packet),
                RequestFields.swap(packet),
                packet.payloadMemory(),
                packet.payloadAt());
    }

    /// Answers a repeated request again; one that is not remembered is dropped.
    void replay(PacketView packet) {
        boolean known = isRead(packet)
                ? replayRead(packet)
                : resources.replayExecuted(
                        packet.opcode(), packet.psn(), RequestFields.address(packet), RequestFields.key(packet));
        if (known) {
            connection.activate();
        }
    }

    /// Reads anew, so the queue pair must allow it still.
    private boolean replayRead(PacketView packet) {
        long bytes = packet.dmaLength();
        return isAllowed(packet)
                && bytes <= RoceConstants.MAX_MESSAGE_BYTES
                && resources.replayRead(
                        packet.psn(),
                        settings.packets(bytes),
                        packet.remoteAddress(),
                        packet.rkey(),
                        bytes,
                        settings.mtu);
    }

    /// Sends up to `budget` packets of answers.
    int emit(int budget) {
        int emitted = 0;
        while (emitted < budget && !resources.isEmpty() && emitOne()) {
            emitted++;
        }
        return emitted;
    }

    private boolean emitOne() {
        int at = connection.transmitter.claim();
        if (at < 0) {
            return false;
        }
        boolean atomic = resources.request().has(Header.ATOMICETH);
        return atomic ? emitAtomicAcknowledge(at) : emitReadResponse(at);
    }

    private boolean emitAtomicAcknowledge(int at) {
        Opcode opcode = Opcode.RC_ATOMIC_ACKNOWLEDGE;
        MemorySegment packet = connection.transmitter.memory();
        Bth.write(packet, at, opcode.code(), false, 0, settings.destinationQp, false, resources.psn());
        Aeth.write(packet, at + opcode.offsetOf(Header.AETH), Syndrome.ACK, responder.msn());
        AtomicAckEth.original(packet, at + opcode.offsetOf(Header.ATOMICACKETH), resources.original());
        connection.transmitter.send(at, at + opcode.headerBytes(), 0, settings.destination);
        resources.advance();
        return true;
    }

    /// ATOMIC_WRITE and FLUSH are answered as a READ of no bytes.
    private boolean emitReadResponse(int at) {
        Opcode opcode = RcOpcodes.of(Operation.RDMA_READ, resources.isFirst(), resources.isLast());
        int payload = resources.payload(settings.mtu);
        MemorySegment packet = connection.transmitter.memory();
        int payloadAt = at + opcode.headerBytes();
        if (payload > 0
                && !connection.access.read(
                        resources.key(),
                        resources.address(settings.mtu),
                        Access.REMOTE_READ.bit(),
                        packet,
                        payloadAt,
                        payload)) {
            onRegionGone();
            return false;
        }
        int pad = -payload & 3;
        Bth.write(packet, at, opcode.code(), false, pad, settings.destinationQp, false, resources.psn());
        if (opcode.has(Header.AETH)) {
            Aeth.write(packet, at + opcode.offsetOf(Header.AETH), Syndrome.ACK, responder.msn());
        }
        connection.transmitter.send(at, payloadAt + payload, pad, settings.destination);
        resources.advance();
        return true;
    }

    private void onRegionGone() {
        if (resources.isRepeat()) {
            // The peer had its answer once, so the region may have been closed since: nothing to complain about.
            resources.drop();
        } else {
            int psn = resources.psn();
            reset();
            responder.end(psn, false, Verdict.REMOTE_ACCESS);
        }
    }
}
