package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.engine.Engine;
import io.verbena.verbs.attr.CompletionStatus;

/// The sending half of an unreliable connection: packet after packet of the oldest request, which ends with its last
/// one. Only the network and the engine's turns hold it back. Owned by the engine.
final class UnreliableRequester {
    private final UnreliableConnection connection;
    private final Engine engine;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final RequestPackets packets;
    private final LocalOperations local;

    private int nextPsn;
    /// Whether the oldest request is on its way, and how many of its bytes are out.
    private boolean inMessage;

    private long offset;

    UnreliableRequester(UnreliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.queue = connection.sends;
        this.settings = connection.settings;
        this.packets = new RequestPackets(connection);
        this.local = new LocalOperations(connection);
    }

    void reset(int psn) {
        nextPsn = psn;
        stop();
    }

    /// What is half way out stays so.
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

    /// Sends one packet; false when the network takes nothing now, or the request failed.
    boolean emitOne() {
        long position = queue.head();
        if (LocalOperations.contains(queue.operation(position))) {
            return local.carryOutHead();
        }
        CompletionStatus obstacle = inMessage ? null : packets.obstacle(position, 0);
        if (obstacle != null) {
            connection.failSend(obstacle);
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
