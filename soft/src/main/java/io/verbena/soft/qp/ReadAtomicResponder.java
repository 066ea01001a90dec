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

/// The part of a responder for requests with a response of their own: READs, atomics, ATOMIC_WRITEs and FLUSHes. Each
/// takes one of the responder resources that the peer was granted. A duplicate is answered from its resource; only a
/// READ is executed again then. Owned by the engine.
final class ReadAtomicResponder {
    private final ReliableConnection connection;
    private final Responder responder;
    private final Engine engine;
    private final QueuePairSettings settings;
    private final RemoteOperations operations;
    private final RemoteRequest request = new RemoteRequest();
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

    /// Whether no response is pending.
    boolean isEmpty() {
        return resources.isEmpty();
    }

    /// All requests of a reliable connection except SENDs and WRITEs.
    static boolean serves(Opcode opcode) {
        return !opcode.isSend() && !opcode.isWrite();
    }

    /// Whether the queue pair allows the operation, and has a resource for it. To be called first: it reads the
    /// packet's fields.
    Verdict checkOperation(PacketView packet) {
        resources.applyLimit(settings.maxDestinationReadAtomic);
        request.read(packet);
        return isAllowed(packet.opcode()) && !resources.isFull() ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    private boolean isAllowed(Opcode opcode) {
        int rights = RemoteOperations.rights(RemoteRequest.operation(opcode), request.flushTypes);
        return (settings.access & rights) == rights;
    }

    Verdict checkAccess(PacketView packet) {
        return operations.check(RemoteRequest.operation(packet.opcode()), request);
    }

    /// How many PSNs the response takes.
    int packets(PacketView packet) {
        return isRead(packet) ? settings.packets(packet.dmaLength()) : 1;
    }

    private static boolean isRead(PacketView packet) {
        return packet.opcode() == Opcode.RC_RDMA_READ_REQUEST;
    }

    Verdict execute(PacketView packet) {
        int psn = packet.psn();
        Opcode opcode = packet.opcode();
        if (isRead(packet)) {
            resources.addRead(psn, packets(packet), request.address, request.rkey, request.length);
        } else {
            Verdict verdict = operations.execute(
                    RemoteRequest.operation(opcode), request, packet.payloadMemory(), packet.payloadAt());
            if (verdict != Verdict.OK) {
                return verdict;
            }
            resources.addExecuted(opcode, psn, request.address, request.rkey, operations.original());
        }
        connection.activate();
        return Verdict.OK;
    }

    /// Answers a duplicate request. A request without a resource is dropped.
    void replay(PacketView packet) {
        request.read(packet);
        boolean known = isRead(packet)
                ? replayRead(packet)
                : resources.replayExecuted(packet.opcode(), packet.psn(), request.address, request.rkey);
        if (known) {
            connection.activate();
        }
    }

    /// Reads the memory again, so the queue pair must still allow it.
    private boolean replayRead(PacketView packet) {
        long bytes = request.length;
        return isAllowed(packet.opcode())
                && bytes <= RoceConstants.MAX_MESSAGE_BYTES
                && resources.replayRead(
                        packet.psn(), settings.packets(bytes), request.address, request.rkey, bytes, settings.mtu);
    }

    /// Sends up to `budget` packets of responses.
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
            // The peer had its response before, so the region may have been closed since. That is no error.
            resources.drop();
        } else {
            int psn = resources.psn();
            reset();
            responder.end(psn, false, Verdict.REMOTE_ACCESS);
        }
    }
}
