package io.verbena.soft.qp;

import io.verbena.roce.header.AtomicEth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Feth;
import io.verbena.roce.header.Ieth;
import io.verbena.roce.header.ImmDt;
import io.verbena.roce.header.Reth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.engine.Engine;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.spi.SendRequestFields;
import java.lang.foreign.MemorySegment;

/// Writes packets of send requests into claimed frames, and sends them. The requesters decide on their order. Owned by
/// the engine.
final class RequestPackets {
    private final TransportService service;
    private final Engine engine;
    private final SendQueue queue;
    private final QueuePairSettings settings;

    RequestPackets(TransportService service) {
        this.service = service;
        this.engine = service.engine;
        this.queue = service.sends;
        this.settings = service.settings;
    }

    /// The status of a request that fails on this side; null when it can be sent.
    ///
    /// @param rights which rights its buffers must have besides being readable
    CompletionStatus localErrorOf(long position, int rights) {
        long length = queue.length(position);
        if (length > RoceConstants.MAX_MESSAGE_BYTES) {
            return CompletionStatus.LOCAL_LENGTH_ERROR;
        }
        boolean allowed = length == 0 || queue.allows(service.access, position, rights);
        return allowed ? null : CompletionStatus.LOCAL_PROTECTION_ERROR;
    }

    /// `payload` bytes of a request's buffers from `offset` on, with the headers of the opcode; false when a
    /// buffer may not be read any more.
    boolean data(int at, Opcode opcode, long position, long offset, int payload, int psn, boolean ackRequested) {
        MemorySegment packet = service.transmitter.memory();
        int payloadAt = at + opcode.headerBytes();
        if (!queue.gather(service.access, position, offset, packet, payloadAt, payload)) {
            return false;
        }
        int pad = -payload & 3;
        boolean solicited = opcode.endsMessage() && queue.has(position, SendQueue.SOLICITED);
        Bth.write(packet, at, opcode.code(), solicited, pad, settings.destinationQp, ackRequested, psn);
        if (opcode.has(Header.RETH)) {
            int length = (int) queue.length(position);
            Reth.write(
                    packet,
                    at + opcode.offsetOf(Header.RETH),
                    queue.remoteAddress(position),
                    queue.rkey(position),
                    length);
        }
        if (opcode.hasImmediate()) {
            ImmDt.immediate(packet, at + opcode.offsetOf(Header.IMMDT), queue.immediate(position));
        } else if (opcode.has(Header.IETH)) {
            Ieth.rkey(packet, at + opcode.offsetOf(Header.IETH), queue.rkey(position));
        }
        service.transmitter.send(at, payloadAt + payload, pad, settings.destination);
        return true;
    }

    /// Requests `bytes` bytes of a READ from `offset` on.
    void read(int at, long position, long offset, int bytes, int psn) {
        Opcode opcode = Opcode.RC_RDMA_READ_REQUEST;
        MemorySegment packet = begin(at, opcode, psn);
        Reth.write(packet, at + Bth.BYTES, queue.remoteAddress(position) + offset, queue.rkey(position), bytes);
        end(at, opcode);
    }

    /// A WRITE of 0 bytes, whose address and key have no meaning.
    void emptyWrite(int at, int psn) {
        Opcode opcode = Opcode.RC_RDMA_WRITE_ONLY;
        MemorySegment packet = begin(at, opcode, psn);
        Reth.write(packet, at + opcode.offsetOf(Header.RETH), 0, 0, 0);
        end(at, opcode);
    }

    void atomic(int at, long position, int psn) {
        boolean compares = queue.operation(position) == Operation.COMPARE_AND_SWAP;
        Opcode opcode = compares ? Opcode.RC_COMPARE_SWAP : Opcode.RC_FETCH_ADD;
        MemorySegment packet = begin(at, opcode, psn);
        int header = at + opcode.offsetOf(Header.ATOMICETH);
        AtomicEth.virtualAddress(packet, header, queue.remoteAddress(position));
        AtomicEth.rkey(packet, header, queue.rkey(position));
        AtomicEth.swapOrAdd(packet, header, compares ? queue.secondOperand(position) : queue.operand(position));
        AtomicEth.compare(packet, header, compares ? queue.operand(position) : 0);
        end(at, opcode);
    }

    /// @param countedTwice whether to use the ICRC that Linux's soft-RoCE expects
    void flush(int at, long position, int psn, boolean countedTwice) {
        Opcode opcode = Opcode.RC_FLUSH;
        MemorySegment packet = begin(at, opcode, psn);
        int kind = (int) queue.secondOperand(position);
        boolean region = (kind & SendRequestFields.WHOLE_REGION) != 0;
        Feth.write(
                packet,
                at + opcode.offsetOf(Header.FETH),
                kind & ~SendRequestFields.WHOLE_REGION,
                region ? Feth.WHOLE_REGION : Feth.RANGE);
        Reth.write(packet, at + opcode.offsetOf(Header.RETH), queue.remoteAddress(position), queue.rkey(position), (int)
                queue.operand(position));
        if (countedTwice) {
            service.transmitter.sendCountedTwice(at, at + opcode.headerBytes(), settings.destination);
        } else {
            end(at, opcode);
        }
    }

    /// Writes the BTH of a request without payload, with the acknowledge request bit.
    private MemorySegment begin(int at, Opcode opcode, int psn) {
        MemorySegment packet = service.transmitter.memory();
        Bth.write(packet, at, opcode.code(), false, 0, settings.destinationQp, true, psn);
        return packet;
    }

    private void end(int at, Opcode opcode) {
        service.transmitter.send(at, at + opcode.headerBytes(), 0, settings.destination);
    }
}
