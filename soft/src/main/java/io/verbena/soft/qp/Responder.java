package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;

/// Serves the peer's requests: the receiving half of a reliable connection. Takes them in the order of their PSNs,
/// checks in the order of the specification, and answers. What travels is carried out by [IncomingMessage] and
/// [ReadAtomicResponder]; the answers leave through [Acknowledgements]. Owned by the engine.
final class Responder {
    private final ReliableConnection connection;
    private final Engine engine;
    private final ReceiveInHand receive;
    private final QueuePairSettings settings;
    private final IncomingMessage message;
    private final ReadAtomicResponder readAtomic;
    private final Acknowledgements acknowledgements;

    private int expectedPsn;
    /// Messages completed; every acknowledgement carries it.
    private int msn;
    /// A gap was reported and not yet filled; it is reported once.
    private boolean gapReported;
    /// The newest SEND or WRITE packet that was carried out; what a repeated one is answered with.
    private int executedPsn;

    private boolean hasExecuted;
    /// A fatal answer is on its way; nothing more is served.
    private boolean ending;

    Responder(ReliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.receive = connection.receive;
        this.settings = connection.settings;
        this.message = new IncomingMessage(connection);
        this.readAtomic = new ReadAtomicResponder(connection, this);
        this.acknowledgements = new Acknowledgements(connection);
    }

    void reset() {
        expectedPsn = settings.receivePsn;
        msn = 0;
        gapReported = false;
        hasExecuted = false;
        ending = false;
        message.end();
        acknowledgements.reset();
        readAtomic.reset();
    }

    /// Nothing more is sent once the queue pair is in the error state.
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
        if (ending) {
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
                // What follows is out of sequence only because of this: the peer comes back anyway.
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
            return;
        }
        expectedPsn = Psn.next(psn);
        boolean lost = connection.state() == QueuePairState.ERR;
        if (!lost) {
            executedPsn = psn;
            hasExecuted = true;
            if (packet.ackRequested()) {
                acknowledgements.acknowledge(psn, opcode.startsMessage() && opcode.endsMessage(), nowNs);
            }
        }
    }

    private void onDuplicate(PacketView packet) {
        engine.counters().increment(Counter.DUPLICATE_REQUESTS);
        if (ReadAtomicResponder.serves(packet.opcode())) {
            readAtomic.replay(packet);
        } else if (hasExecuted && !acknowledgements.isNakPending()) {
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

    /// The connection cannot go on: the receive in use gets its status, the peer its answer, then everything is
    /// flushed.
    void end(int psn, boolean usesReceive, Verdict verdict) {
        engine.counters().increment(Counter.ERROR_NAKS_SENT);
        if (usesReceive && verdict.receiveStatus() != CompletionStatus.WORK_REQUEST_FLUSHED) {
            connection.completions.failReceive(verdict.receiveStatus());
        }
        connection.raise(
                verdict == Verdict.REMOTE_ACCESS ? AsyncEventType.QP_ACCESS_ERROR : AsyncEventType.QP_REQUEST_ERROR);
        ending = true;
        acknowledgements.answer(psn, verdict.syndrome());
        sendAcknowledgement();
    }

    /// The connection cannot go on because of a mistake that is not the peer's to hear of; what it did before was
    /// right.
    private void endInSilence(Verdict verdict) {
        connection.completions.failReceive(verdict.receiveStatus());
        connection.raise(AsyncEventType.QP_REQUEST_ERROR);
        sendAcknowledgement();
        connection.enterError();
    }

    /// Sends the pending answer unless it may wait; false when it is still to be sent.
    boolean sendAcknowledgementInTime(long nowNs) {
        return !acknowledgements.mayWait(nowNs) && sendAcknowledgement();
    }

    /// Sends the pending answer, unless answers to READs and atomics must leave first; false when the network takes
    /// nothing now.
    boolean sendAcknowledgement() {
        if (!acknowledgements.isPending() || !readAtomic.isEmpty()) {
            return true;
        }
        if (!acknowledgements.send(msn)) {
            return false;
        }
        if (ending) {
            connection.enterError();
        }
        return true;
    }

    boolean canEmit() {
        return !readAtomic.isEmpty();
    }

    /// Sends up to `budget` packets of answers to READs and atomics.
    int emit(int budget) {
        int emitted = readAtomic.emit(budget);
        if (acknowledgements.isPending() && readAtomic.isEmpty()) {
            connection.acknowledgeSoon();
        }
        return emitted;
    }
}
