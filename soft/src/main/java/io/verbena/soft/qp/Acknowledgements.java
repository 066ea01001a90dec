package io.verbena.soft.qp;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import java.lang.foreign.MemorySegment;

/// The one acknowledgement or NAK that a responder has still to send: the newest, since it speaks for all before it.
/// Owned by the engine.
final class Acknowledgements {
    private final ReliableConnection connection;
    private final Engine engine;
    private final QueuePairSettings settings;
    private final AcknowledgementDelay delay = new AcknowledgementDelay();

    private boolean pending;
    private int psn;
    private int syndrome;
    /// Whether it only acknowledges whole messages of one packet; others are waited for by the peer's window.
    private boolean mayWait;

    Acknowledgements(ReliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.settings = connection.settings;
    }

    void reset() {
        drop();
        delay.reset();
    }

    void drop() {
        pending = false;
    }

    boolean isPending() {
        return pending;
    }

    /// A NAK acknowledges all before it, so no older acknowledgement may take its place.
    boolean isNakPending() {
        return pending && !Syndrome.isAck(syndrome);
    }

    void answer(int answeredPsn, int answer) {
        pending = true;
        psn = answeredPsn;
        syndrome = answer;
        mayWait = false;
        connection.acknowledgeSoon();
    }

    /// Acknowledges a packet that was carried out, and with it all before it.
    void acknowledge(int executedPsn, boolean wholeMessage, long nowNs) {
        answer(executedPsn, Syndrome.ACK);
        mayWait = wholeMessage;
        delay.onMessage(nowNs);
    }

    boolean mayWait(long nowNs) {
        return pending && mayWait && delay.mayWait(nowNs);
    }

    /// Sends it; false when the network takes nothing now.
    boolean send(int msn) {
        int at = connection.transmitter.claim();
        if (at < 0) {
            return false;
        }
        MemorySegment packet = connection.transmitter.memory();
        Opcode opcode = Opcode.RC_ACKNOWLEDGE;
        Bth.write(packet, at, opcode.code(), false, 0, settings.destinationQp, false, psn);
        Aeth.write(packet, at + Bth.BYTES, syndrome, msn);
        connection.transmitter.send(at, at + opcode.headerBytes(), 0, settings.destination);
        onSent();
        return true;
    }

    private void onSent() {
        if (Syndrome.isAck(syndrome)) {
            engine.counters().increment(Counter.ACKS_SENT);
        }
        pending = false;
        delay.onSent();
    }
}
