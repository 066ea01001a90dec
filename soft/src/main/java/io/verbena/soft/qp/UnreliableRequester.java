package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.engine.Engine;
import io.verbena.verbs.attr.CompletionStatus;

/// The sending half of an unreliable connection: sends the packets of the oldest request, which completes with its last
/// packet. Only a full socket and the engine's budget hold it back. Owned by the engine.
final class UnreliableRequester {
    private final UnreliableConnection connection;
    private final Engine engine;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final RequestPackets packets;
    private final KeyOperations keyOperations;

    private int nextPsn;
    /// Whether a part of the oldest request was sent, and how many bytes.
    private boolean inMessage;

    private long offset;

    UnreliableRequester(UnreliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.queue = connection.sends;
        this.settings = connection.settings;
        this.packets = new RequestPackets(connection);
        this.keyOperations = new KeyOperations(connection);
    }

    void reset(int psn) {
        nextPsn = psn;
        stop();
    }

    /// A message that was sent in part is not completed.
    void stop() {
        inMessage = false;
        offset = 0;
    }

    int nextPsn() {
        return nextPsn;
    }

    boolean isInMessage() {
        return inMessage;
    }

    /// Sends one packet. False when the socket is full, or the request failed.
    boolean emitOne() {
        long position = queue.head();
        if (KeyOperations.contains(queue.operation(position))) {
            return keyOperations.isHeadReady() && keyOperations.endHead();
        }
        CompletionStatus error = inMessage ? null : packets.localErrorOf(position, 0);
        if (error != null) {
            connection.failSend(error);
            return false;
        }
        int at = engine.transmitter().claim();
        if (at < 0) {
            return false;
        }
        long length = queue.length(position);
        int payload = (int) Math.min(settings.mtu, length - offset);
        boolean last = offset + payload == length;
        Opcode opcode = UcOpcodes.of(queue.operation(position), offset == 0, last);
        if (!packets.data(at, opcode, position, offset, payload, nextPsn, false)) {
            stop();
            connection.failSend(CompletionStatus.LOCAL_PROTECTION_ERROR);
            return false;
        }
        nextPsn = Psn.next(nextPsn);
        offset += payload;
        inMessage = !last;
        if (last) {
            offset = 0;
            connection.completions.succeed();
            connection.onSendProgress();
        }
        return true;
    }
}
