package io.verbena.soft.qp;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import java.lang.foreign.MemorySegment;

/// The pending acknowledgement or NAK of a responder: only the newest, because it covers all packets before it. Owned
/// by the engine.
final class Acknowledgements {
    private final ReliableConnection connection;
    private final Engine engine;
    private final QueuePairSettings settings;
    private final AcknowledgementDelay delay = new AcknowledgementDelay();

    private boolean delays;
    private boolean pending;
    private int psn;
    private int syndrome;
    /// Whether it covers only messages of one packet. Others must not wait, because the peer's window waits for them.
    private boolean mayWait;

    Acknowledgements(ReliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.settings = connection.settings;
    }

    void reset(boolean mayDelay) {
        delays = mayDelay;
        drop();
        delay.reset();
    }

    void drop() {
        pending = false;
    }

    boolean isPending() {
        return pending;
    }

    /// A NAK covers all packets before it, so no older acknowledgement may replace it.
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

    /// Acknowledges a packet that was executed, and with it all before it.
    void acknowledge(int executedPsn, boolean wholeMessage, long nowNs) {
        answer(executedPsn, Syndrome.ACK);
        mayWait = wholeMessage && delays;
        delay.onMessage(nowNs);
    }

    boolean mayWait(long nowNs) {
        return pending && mayWait && delay.mayWait(nowNs);
    }

    /// Sends it. False when the socket is full.
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
