package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.Access;

/// The receiving half of an unreliable connection. A lost or refused packet drops its whole message, without notice to
/// the peer. The next message is received normally. Owned by the engine.
final class UnreliableResponder {
    private final UnreliableConnection connection;
    private final Engine engine;
    private final CurrentReceive receive;
    private final QueuePairSettings settings;
    private final IncomingMessage message;
    private int expectedPsn;

    UnreliableResponder(UnreliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.receive = connection.receive;
        this.settings = connection.settings;
        this.message = new IncomingMessage(connection);
    }

    void reset(int psn) {
        expectedPsn = psn;
        message.end();
    }

    int expectedPsn() {
        return expectedPsn;
    }

    void onRequest(PacketView packet) {
        boolean gap = packet.psn() != expectedPsn;
        expectedPsn = Psn.next(packet.psn());
        if (gap) {
            engine.counters().increment(Counter.OUT_OF_SEQUENCE_REQUESTS);
        }
        if (gap || packet.opcode().startsMessage()) {
            message.end();
        }
        Verdict verdict = check(packet);
        if (verdict == Verdict.OK) {
            verdict = message.place(packet);
        }
        if (verdict != Verdict.OK) {
            message.end();
            drop(verdict);
        }
    }

    private Verdict check(PacketView packet) {
        Opcode opcode = packet.opcode();
        Verdict verdict = message.checkSequence(opcode);
        if (verdict != Verdict.OK) {
            // The rest of a dropped message.
            return Verdict.OUT_OF_SEQUENCE;
        }
        if (opcode.isWrite() && !Access.REMOTE_WRITE.in(settings.access)) {
            return Verdict.REMOTE_ACCESS;
        }
        if (opcode.takesReceive() && !receive.take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        verdict = message.checkLength(packet);
        return verdict == Verdict.OK ? message.checkAccess(packet) : verdict;
    }

    private void drop(Verdict verdict) {
        engine.counters()
                .increment(
                        switch (verdict) {
                            case RECEIVER_NOT_READY -> Counter.DROPPED_NO_RECEIVE;
                            case RECEIVE_TOO_SHORT -> Counter.DROPPED_RECEIVE_TOO_SHORT;
                            case INVALID_REQUEST -> Counter.DROPPED_BAD_LENGTH;
                            case REMOTE_ACCESS -> Counter.DROPPED_NO_ACCESS;
                            case RECEIVE_PROTECTION -> Counter.DROPPED_RECEIVE_PROTECTION;
                            default -> Counter.DROPPED_REST_OF_MESSAGE;
                        });
        if (verdict == Verdict.RECEIVE_PROTECTION) {
            // The error is on this side, so the program of this side is notified.
            connection.completions.failReceive(verdict.receiveStatus());
            connection.enterError("a receive failed");
        }
    }
}
