package io.verbena.soft.qp;

import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.ImmDt;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Transmitter;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;

/// Turns send requests into datagrams, one packet each. Owned by the engine.
final class DatagramSender {
    private final Datagram service;
    private final Engine engine;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final Transmitter transmitter;
    private final int mtu;
    private int nextPsn;

    DatagramSender(Datagram service, int mtu) {
        this.service = service;
        this.engine = service.engine;
        this.queue = service.sends;
        this.settings = service.settings;
        this.transmitter = engine.transmitter();
        this.mtu = mtu;
    }

    void reset(int psn) {
        nextPsn = psn;
    }

    int nextPsn() {
        return nextPsn;
    }

    /// Sends the oldest request. False when the socket is full, or the request failed.
    boolean emitOne() {
        long position = queue.head();
        long length = queue.length(position);
        if (length > mtu) {
            // A datagram is never split: a longer one counts as sent and lost (IBTA C10-93.1.1).
            engine.counters().increment(Counter.DATAGRAMS_TOO_LONG);
            service.completions.succeed();
            return true;
        }
        int at = transmitter.claim();
        if (at < 0) {
            return false;
        }
        boolean immediate = queue.operation(position) == Operation.SEND_WITH_IMMEDIATE;
        Opcode opcode = immediate ? Opcode.UD_SEND_ONLY_WITH_IMMEDIATE : Opcode.UD_SEND_ONLY;
        MemorySegment packet = transmitter.memory();
        int payload = (int) length;
        int payloadAt = at + opcode.headerBytes();
        if (!queue.gather(service.access, position, 0, packet, payloadAt, payload)) {
            service.failSend(CompletionStatus.LOCAL_PROTECTION_ERROR);
            return false;
        }
        int pad = -payload & 3;
        boolean solicited = queue.has(position, SendQueue.SOLICITED);
        Bth.write(packet, at, opcode.code(), solicited, pad, queue.destinationQp(position), false, nextPsn);
        Deth.write(packet, at + opcode.offsetOf(Header.DETH), keyOf(position), service.qp.number());
        if (immediate) {
            ImmDt.immediate(packet, at + opcode.offsetOf(Header.IMMDT), queue.immediate(position));
        }
        transmitter.send(
                at,
                payloadAt + payload,
                pad,
                queue.destinationHigh(position),
                queue.destinationLow(position),
                queue.traffic(position));
        nextPsn = Psn.next(nextPsn);
        service.completions.succeed();
        return true;
    }

    /// Q_Keys with the high bit set are privileged: such a request is sent with the Q_Key of its queue pair.
    private int keyOf(long position) {
        int qkey = queue.qkey(position);
        return qkey < 0 ? settings.qkey : qkey;
    }
}
