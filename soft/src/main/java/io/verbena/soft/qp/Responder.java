package io.verbena.soft.qp;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.engine.Transmitter;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.MemorySegment;

/// Serves the peer's requests: the receiving half of a reliable connection. Checks in the order of the
/// specification, places data, answers. Owned by the engine.
final class Responder {
    /// What kind of message is half way in.
    private enum Message {
        NONE,
        SEND,
        WRITE
    }

    private final ReliableConnection connection;
    private final Engine engine;
    private final ReceiveInHand receive;
    private final QueuePairSettings settings;
    private final Transmitter transmitter;
    private final ReadResponses reads = new ReadResponses();
    private final AcknowledgementDelay delay = new AcknowledgementDelay();

    private int expectedPsn;
    /// Messages completed; every acknowledgement carries it.
    private int msn;

    private Message message = Message.NONE;
    /// Bytes of the message so far.
    private long received;

    private long writeAddress;
    private int writeKey;
    private long writeLength;
    /// A gap was reported and not yet filled; it is reported once.
    private boolean gapReported;
    /// The newest SEND or WRITE packet that was carried out; what a repeated one is answered with.
    private int executedPsn;

    private boolean hasExecuted;

    private boolean answerPending;
    private int answerPsn;
    private int answerSyndrome;
    /// Whether the answer only acknowledges whole messages of one packet; others are waited for by the peer's
    /// window.
    private boolean answerMayWait;
    /// A fatal answer is on its way; nothing more is served.
    private boolean ending;

    Responder(ReliableConnection connection, Engine engine, ReceiveInHand receive, QueuePairSettings settings) {
        this.connection = connection;
        this.engine = engine;
        this.receive = receive;
        this.settings = settings;
        this.transmitter = engine.transmitter();
        this.reads.reset(0);
    }

    void reset() {
        expectedPsn = settings.receivePsn;
        msn = 0;
        message = Message.NONE;
        gapReported = false;
        hasExecuted = false;
        answerPending = false;
        ending = false;
        delay.reset();
        reads.reset(settings.maxDestinationReadAtomic);
    }

    /// Nothing more is sent once the queue pair is in the error state.
    void drop() {
        answerPending = false;
        reads.reset(settings.maxDestinationReadAtomic);
    }

    int expectedPsn() {
        return expectedPsn;
    }

    void onRequest(PacketView packet, long nowNs) {
        if (ending) {
            return;
        }
        Verdict verdict = checkPsn(packet);
        if (verdict == Verdict.OK) {
            verdict = checkSequence(packet.opcode());
        }
        if (verdict == Verdict.OK) {
            verdict = checkOperation(packet);
        }
        if (verdict == Verdict.OK && packet.opcode().takesReceive() && !receive.take()) {
            verdict = Verdict.RECEIVER_NOT_READY;
        }
        if (verdict == Verdict.OK) {
            verdict = checkLength(packet);
        }
        if (verdict == Verdict.OK) {
            verdict = checkAccess(packet);
        }
        if (verdict == Verdict.OK) {
            verdict = execute(packet);
        }
        conclude(packet, verdict, nowNs);
    }

    private Verdict checkPsn(PacketView packet) {
        int distance = Psn.distance(packet.psn(), expectedPsn);
        return distance == 0 ? Verdict.OK : distance < 0 ? Verdict.DUPLICATE : Verdict.OUT_OF_SEQUENCE;
    }

    /// A message goes on as it began, and nothing goes on that did not begin.
    private Verdict checkSequence(Opcode opcode) {
        boolean fits = switch (message) {
            case NONE -> opcode.startsMessage();
            case SEND -> opcode.isSend() && !opcode.startsMessage();
            case WRITE -> opcode.isWrite() && !opcode.startsMessage();
        };
        return fits ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    private Verdict checkOperation(PacketView packet) {
        Opcode opcode = packet.opcode();
        if (opcode == Opcode.RC_RDMA_READ_REQUEST) {
            reads.takeLimit(settings.maxDestinationReadAtomic);
            return Access.REMOTE_READ.in(settings.access) && !reads.isFull() ? Verdict.OK : Verdict.INVALID_REQUEST;
        }
        if (opcode.isWrite()) {
            return Access.REMOTE_WRITE.in(settings.access) ? Verdict.OK : Verdict.INVALID_REQUEST;
        }
        boolean invalidates = opcode.has(Header.IETH);
        return opcode.isSend() && !invalidates ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    private Verdict checkLength(PacketView packet) {
        int payload = packet.payloadBytes();
        if (!packet.opcode().payloadRule().allows(payload, settings.mtu) || packet.padCount() != (-payload & 3)) {
            return Verdict.INVALID_REQUEST;
        }
        if (packet.opcode().has(Header.RETH) && packet.dmaLength() > RoceConstants.MAX_MESSAGE_BYTES) {
            return Verdict.INVALID_REQUEST;
        }
        if (packet.opcode().isSend()) {
            long before = message == Message.SEND ? received : 0;
            return before + payload <= receive.capacityBytes() ? Verdict.OK : Verdict.RECEIVE_TOO_SHORT;
        }
        if (packet.opcode().isWrite()) {
            boolean starts = packet.opcode().startsMessage();
            long left = starts ? packet.dmaLength() : writeLength - received;
            boolean fits = packet.opcode().endsMessage() ? payload == left : payload < left;
            return fits ? Verdict.OK : Verdict.INVALID_REQUEST;
        }
        return Verdict.OK;
    }

    /// Where the peer names memory: the whole range must be open to it. A length of 0 names nothing.
    private Verdict checkAccess(PacketView packet) {
        if (!packet.opcode().has(Header.RETH) || packet.dmaLength() == 0) {
            return Verdict.OK;
        }
        int right = packet.opcode().isWrite() ? Access.REMOTE_WRITE.bit() : Access.REMOTE_READ.bit();
        AccessCheck check =
                engine.memory().check(packet.rkey(), connection.qp, packet.remoteAddress(), packet.dmaLength(), right);
        return check == AccessCheck.OK ? Verdict.OK : Verdict.REMOTE_ACCESS;
    }

    private Verdict execute(PacketView packet) {
        if (packet.opcode() == Opcode.RC_RDMA_READ_REQUEST) {
            return executeRead(packet);
        }
        return packet.opcode().isWrite() ? executeWrite(packet) : executeSend(packet);
    }

    private Verdict executeSend(PacketView packet) {
        if (packet.opcode().startsMessage()) {
            message = Message.SEND;
            received = 0;
        }
        if (!ScatterGather.scatter(
                engine.memory(),
                connection.qp,
                receive.words(),
                receive.buffersAt(),
                receive.bufferCount(),
                received,
                packet.memory(),
                packet.payloadAt(),
                packet.payloadBytes())) {
            return Verdict.RECEIVE_PROTECTION;
        }
        received += packet.payloadBytes();
        if (packet.opcode().endsMessage()) {
            completeReceive(packet, CompletionOpcode.RECEIVE, received);
        }
        return Verdict.OK;
    }

    private Verdict executeWrite(PacketView packet) {
        if (packet.opcode().startsMessage()) {
            message = Message.WRITE;
            received = 0;
            writeAddress = packet.remoteAddress();
            writeKey = packet.rkey();
            writeLength = packet.dmaLength();
        }
        int payload = packet.payloadBytes();
        if (payload > 0
                && !ScatterGather.write(
                        engine.memory(),
                        connection.qp,
                        writeKey,
                        writeAddress + received,
                        Access.REMOTE_WRITE.bit(),
                        packet.memory(),
                        packet.payloadAt(),
                        payload)) {
            return Verdict.REMOTE_ACCESS;
        }
        received += payload;
        if (packet.opcode().completesReceive()) {
            completeReceive(packet, CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE, writeLength);
        }
        return Verdict.OK;
    }

    private Verdict executeRead(PacketView packet) {
        int packets = settings.packets(packet.dmaLength());
        reads.add(packet.psn(), packets, packet.remoteAddress(), packet.rkey(), packet.dmaLength());
        expectedPsn = Psn.add(expectedPsn, packets - 1);
        connection.activate();
        return Verdict.OK;
    }

    private void completeReceive(PacketView packet, CompletionOpcode opcode, long bytes) {
        boolean hasImmediate = packet.opcode().hasImmediate();
        int immediate = hasImmediate ? packet.immediate() : 0;
        connection.completeReceive(
                CompletionStatus.SUCCESS, opcode, bytes, hasImmediate, immediate, packet.solicited());
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
                answer(packet.psn(), Syndrome.rnrNak(settings.minRnrTimer));
            }
            default -> end(packet.psn(), packet.opcode().isSend(), verdict);
        }
    }

    private void onExecuted(PacketView packet, long nowNs) {
        int psn = packet.psn();
        boolean read = packet.opcode() == Opcode.RC_RDMA_READ_REQUEST;
        expectedPsn = Psn.next(expectedPsn);
        gapReported = false;
        if (packet.opcode().endsMessage()) {
            msn = msn + 1 & 0xFF_FFFF;
            message = Message.NONE;
        }
        boolean lost = connection.state() == QueuePairState.ERR;
        if (!read && !lost) {
            executedPsn = psn;
            hasExecuted = true;
            if (packet.ackRequested()) {
                answer(psn, Syndrome.ACK);
                answerMayWait =
                        packet.opcode().startsMessage() && packet.opcode().endsMessage();
                delay.onMessage(nowNs);
            }
        }
    }

    private void onDuplicate(PacketView packet) {
        engine.counters().increment(Counter.DUPLICATE_REQUESTS);
        if (packet.opcode() == Opcode.RC_RDMA_READ_REQUEST) {
            long bytes = packet.dmaLength();
            if (bytes <= RoceConstants.MAX_MESSAGE_BYTES
                    && reads.replay(
                            packet.psn(),
                            settings.packets(bytes),
                            packet.remoteAddress(),
                            packet.rkey(),
                            bytes,
                            settings.mtu)) {
                connection.activate();
            }
        } else if (hasExecuted && !isNakPending()) {
            answer(executedPsn, Syndrome.ACK);
        }
    }

    private void onGap() {
        engine.counters().increment(Counter.OUT_OF_SEQUENCE_REQUESTS);
        if (!gapReported) {
            gapReported = true;
            engine.counters().increment(Counter.SEQUENCE_NAKS_SENT);
            answer(expectedPsn, Syndrome.NAK_PSN_SEQUENCE);
        }
    }

    /// The connection cannot go on: the receive in use gets its status, the peer its answer, then everything is
    /// flushed.
    private void end(int psn, boolean usesReceive, Verdict verdict) {
        engine.counters().increment(Counter.ERROR_NAKS_SENT);
        if (usesReceive && verdict.receiveStatus() != CompletionStatus.WORK_REQUEST_FLUSHED) {
            connection.completeReceive(verdict.receiveStatus(), CompletionOpcode.RECEIVE, 0, false, 0, false);
        }
        connection.raise(
                verdict == Verdict.REMOTE_ACCESS ? AsyncEventType.QP_ACCESS_ERROR : AsyncEventType.QP_REQUEST_ERROR);
        ending = true;
        answer(psn, verdict.syndrome());
        sendAcknowledgement();
    }

    /// A NAK acknowledges all before it, so no older acknowledgement may take its place.
    private boolean isNakPending() {
        return answerPending && !Syndrome.isAck(answerSyndrome);
    }

    /// Keeps the newest answer: it speaks for all before it.
    private void answer(int psn, int syndrome) {
        answerPending = true;
        answerPsn = psn;
        answerSyndrome = syndrome;
        answerMayWait = false;
        connection.acknowledgeSoon();
    }

    /// Sends the pending answer unless it may wait; false when it is still to be sent.
    boolean sendAcknowledgementInTime(long nowNs) {
        boolean waits = answerPending && answerMayWait && delay.mayWait(nowNs);
        return !waits && sendAcknowledgement();
    }

    /// Sends the pending answer, unless READ answers must leave first; false when the network takes nothing now.
    boolean sendAcknowledgement() {
        if (!answerPending || !reads.isEmpty()) {
            return true;
        }
        int at = transmitter.claim();
        if (at < 0) {
            return false;
        }
        MemorySegment packet = transmitter.memory();
        Opcode opcode = Opcode.RC_ACKNOWLEDGE;
        Bth.write(packet, at, opcode.code(), false, 0, settings.destinationQp, false, answerPsn);
        Aeth.write(packet, at + Bth.BYTES, answerSyndrome, msn);
        transmitter.send(at, at + opcode.headerBytes(), 0, settings.peerHigh, settings.peerLow);
        engine.counters().increment(Counter.ACKS_SENT);
        answerPending = false;
        delay.onSent();
        if (ending) {
            connection.enterError();
        }
        return true;
    }

    boolean canEmit() {
        return !reads.isEmpty();
    }

    /// Sends up to `budget` packets of READ answers.
    int emit(int budget) {
        int emitted = 0;
        while (emitted < budget && !reads.isEmpty() && emitReadResponse()) {
            emitted++;
        }
        if (reads.isEmpty() && answerPending) {
            connection.acknowledgeSoon();
        }
        return emitted;
    }

    private boolean emitReadResponse() {
        int at = transmitter.claim();
        if (at < 0) {
            return false;
        }
        boolean first = reads.isFirst();
        boolean last = reads.isLast();
        Opcode opcode = RcOpcodes.of(Operation.RDMA_READ, first, last);
        int payload = reads.payload(settings.mtu);
        MemorySegment packet = transmitter.memory();
        int payloadAt = at + opcode.headerBytes();
        if (payload > 0
                && !ScatterGather.read(
                        engine.memory(),
                        connection.qp,
                        reads.key(),
                        reads.address(settings.mtu),
                        Access.REMOTE_READ.bit(),
                        packet,
                        payloadAt,
                        payload)) {
            int psn = reads.psn();
            if (reads.isRepeat()) {
                // The peer had its answer once, so the region may have been closed since: nothing to complain about.
                reads.drop();
            } else {
                // The region went away while it was being read.
                reads.reset(settings.maxDestinationReadAtomic);
                end(psn, false, Verdict.REMOTE_ACCESS);
            }
            return false;
        }
        int pad = -payload & 3;
        Bth.write(packet, at, opcode.code(), false, pad, settings.destinationQp, false, reads.psn());
        if (opcode.has(Header.AETH)) {
            Aeth.write(packet, at + opcode.offsetOf(Header.AETH), Syndrome.ACK, msn);
        }
        transmitter.send(at, payloadAt + payload, pad, settings.peerHigh, settings.peerLow);
        reads.advance();
        return true;
    }
}
