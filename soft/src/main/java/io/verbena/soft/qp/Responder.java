package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.event.SoftEvents;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;

/// Serves the peer's requests: the receiving half of a reliable connection. Takes them in the order of their PSNs,
/// checks in the order of the specification, and answers. [IncomingMessage] and [ReadAtomicResponder] execute the
/// requests; [Acknowledgements] sends acknowledgements and NAKs. Owned by the engine.
final class Responder {
    private final ReliableConnection connection;
    private final Engine engine;
    private final CurrentReceive receive;
    private final QueuePairSettings settings;
    private final IncomingMessage message;
    private final ReadAtomicResponder readAtomic;
    private final Acknowledgements acknowledgements;

    private int expectedPsn;
    /// Messages completed (MSN). Every acknowledgement carries it.
    private int msn;
    /// Whether a gap was reported that is not filled yet. A gap is reported once.
    private boolean gapReported;
    /// PSN of the newest executed SEND or WRITE packet, or the one before the first. A duplicate is acknowledged with
    /// it.
    private int executedPsn;

    /// The reason of a fatal NAK that is pending; then no further request is served. Else null.
    private Verdict ending;

    Responder(ReliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.receive = connection.receive;
        this.settings = connection.settings;
        this.message = new IncomingMessage(connection);
        this.readAtomic = new ReadAtomicResponder(connection, this);
        this.acknowledgements = new Acknowledgements(connection);
    }

    /// @param mayDelay whether acknowledgements may be held back for a moment
    void reset(boolean mayDelay) {
        expectedPsn = settings.receivePsn;
        msn = 0;
        gapReported = false;
        executedPsn = Psn.add(expectedPsn, -1);
        ending = null;
        message.end();
        acknowledgements.reset(mayDelay);
        readAtomic.reset();
    }

    /// Drops pending responses when the queue pair enters the error state.
    void drop() {
        acknowledgements.drop();
        readAtomic.reset();
    }

    int expectedPsn() {
        return expectedPsn;
    }

    int msn() {
        return msn;
    }

    void onRequest(PacketView packet, long nowNs) {
        if (ending != null) {
            return;
        }
        Opcode opcode = packet.opcode();
        Verdict verdict = checkPsn(packet);
        if (verdict == Verdict.OK) {
            verdict = message.checkSequence(opcode);
        }
        if (verdict == Verdict.OK) {
            verdict = checkOperation(packet);
        }
        if (verdict == Verdict.OK && opcode.takesReceive() && !receive.take()) {
            verdict = Verdict.RECEIVER_NOT_READY;
        }
        if (verdict == Verdict.OK) {
            verdict = message.checkLength(packet);
        }
        boolean usesResource = ReadAtomicResponder.serves(opcode);
        if (verdict == Verdict.OK) {
            verdict = usesResource ? readAtomic.checkAccess(packet) : message.checkAccess(packet);
        }
        if (verdict == Verdict.OK) {
            verdict = usesResource ? readAtomic.execute(packet) : message.place(packet);
        }
        conclude(packet, verdict, nowNs);
    }

    private Verdict checkPsn(PacketView packet) {
        int distance = Psn.distance(packet.psn(), expectedPsn);
        return distance == 0 ? Verdict.OK : distance < 0 ? Verdict.DUPLICATE : Verdict.OUT_OF_SEQUENCE;
    }

    private Verdict checkOperation(PacketView packet) {
        Opcode opcode = packet.opcode();
        if (ReadAtomicResponder.serves(opcode)) {
            return readAtomic.checkOperation(packet);
        }
        boolean allowed = opcode.isSend() || Access.REMOTE_WRITE.in(settings.access);
        return allowed ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    private void conclude(PacketView packet, Verdict verdict, long nowNs) {
        switch (verdict) {
            case OK -> onExecuted(packet, nowNs);
            case DUPLICATE -> onDuplicate(packet);
            case OUT_OF_SEQUENCE -> onGap();
            case RECEIVER_NOT_READY -> {
                engine.counters().increment(Counter.RNR_NAKS_SENT);
                SoftEvents.noReceive(connection);
                connection.troubles.onRnrSent();
                // The packets behind are out of sequence only because of this one, and the peer will send them again
                // anyway.
                gapReported = true;
                acknowledgements.answer(packet.psn(), Syndrome.rnrNak(settings.minRnrTimer));
            }
            case KEY_NOT_REVOCABLE -> endInSilence(verdict);
            default -> end(packet.psn(), packet.opcode().isSend(), verdict);
        }
    }

    private void onExecuted(PacketView packet, long nowNs) {
        Opcode opcode = packet.opcode();
        int psn = packet.psn();
        gapReported = false;
        if (opcode.endsMessage()) {
            msn = msn + 1 & 0xFF_FFFF;
        }
        if (ReadAtomicResponder.serves(opcode)) {
            expectedPsn = Psn.add(psn, readAtomic.packets(packet));
            executedPsn = Psn.add(expectedPsn, -1); // an old PSN would look like a new one after many READs
            return;
        }
        expectedPsn = Psn.next(psn);
        boolean lost = connection.state() == QueuePairState.ERR;
        if (!lost) {
            executedPsn = psn;
            if (packet.ackRequested()) {
                acknowledgements.acknowledge(psn, opcode.startsMessage() && opcode.endsMessage(), nowNs);
            }
        }
    }

    private void onDuplicate(PacketView packet) {
        engine.counters().increment(Counter.DUPLICATE_REQUESTS);
        if (ReadAtomicResponder.serves(packet.opcode())) {
            readAtomic.replay(packet);
        } else if (!acknowledgements.isNakPending()) {
            acknowledgements.answer(executedPsn, Syndrome.ACK);
        }
    }

    private void onGap() {
        engine.counters().increment(Counter.OUT_OF_SEQUENCE_REQUESTS);
        if (!gapReported) {
            gapReported = true;
            engine.counters().increment(Counter.SEQUENCE_NAKS_SENT);
            acknowledgements.answer(expectedPsn, Syndrome.NAK_PSN_SEQUENCE);
        }
    }

    /// Ends the connection: completes the current receive with the error, sends the NAK, then flushes everything.
    void end(int psn, boolean usesReceive, Verdict verdict) {
        engine.counters().increment(Counter.ERROR_NAKS_SENT);
        if (usesReceive && verdict.receiveStatus() != CompletionStatus.WORK_REQUEST_FLUSHED) {
            connection.completions.failReceive(verdict.receiveStatus());
        }
        connection.raise(
                verdict == Verdict.REMOTE_ACCESS ? AsyncEventType.QP_ACCESS_ERROR : AsyncEventType.QP_REQUEST_ERROR);
        ending = verdict;
        acknowledgements.answer(psn, verdict.syndrome());
        sendAcknowledgement();
    }

    /// Ends the connection without a NAK, for an error that is not reported to the peer. Earlier requests are still
    /// acknowledged.
    private void endInSilence(Verdict verdict) {
        connection.completions.failReceive(verdict.receiveStatus());
        connection.raise(AsyncEventType.QP_REQUEST_ERROR);
        sendAcknowledgement();
        connection.enterError(verdict.cause());
    }

    /// Sends the pending acknowledgement unless it may wait. False when it is still pending.
    boolean sendAcknowledgementInTime(long nowNs) {
        return !acknowledgements.mayWait(nowNs) && sendAcknowledgement();
    }

    /// Sends the pending acknowledgement, unless responses to READs and atomics must be sent first. False when it is
    /// still pending.
    boolean sendAcknowledgement() {
        if (!acknowledgements.isPending() || !readAtomic.isEmpty()) {
            return true;
        }
        if (!acknowledgements.send(msn)) {
            return false;
        }
        if (ending != null) {
            connection.enterError(ending.cause());
        }
        return true;
    }

    boolean canEmit() {
        return !readAtomic.isEmpty();
    }

    /// Sends up to `budget` packets of responses to READs and atomics.
    int emit(int budget) {
        int emitted = readAtomic.emit(budget);
        if (acknowledgements.isPending() && readAtomic.isEmpty()) {
            connection.acknowledgeSoon();
        }
        return emitted;
    }
}
