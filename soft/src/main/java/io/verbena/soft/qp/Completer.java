package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.roce.packet.RnrTimer;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Takes the peer's answers: retires requests in order, tells the requester to go back, gives up when retries are
/// used up. Owned by the engine.
final class Completer {
    private static final int FOR_EVER = 7;
    private static final int NONE = -1;

    private final ReliableConnection connection;
    private final Engine engine;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final Requester requester;

    private int retriesLeft;
    private int rnrRetriesLeft;
    private int timeoutsInARow;
    /// The PSN that was gone back to without progress since; a second complaint about it is ignored, the timer
    /// covers it.
    private int retriedPsn = NONE;
    /// The READ or atomic whose answer is being received, and the PSN that comes next in it.
    private long readPosition = NONE;

    private int readPsn;
    /// A word as it lies in this host's memory; made when the first atomic is answered.
    private MemorySegment word;

    Completer(ReliableConnection connection, Requester requester) {
        this.connection = connection;
        this.engine = connection.engine;
        this.queue = connection.sends;
        this.settings = connection.settings;
        this.requester = requester;
    }

    void reset() {
        resetRetries();
        readPosition = NONE;
    }

    private void resetRetries() {
        retriesLeft = settings.retryCount;
        rnrRetriesLeft = settings.rnrRetry;
        retriedPsn = NONE;
        timeoutsInARow = 0;
    }

    void onResponse(PacketView packet, long nowNs) {
        int psn = packet.psn();
        if (!isExpected(psn)) {
            engine.counters().increment(Counter.STALE_RESPONSES);
            return;
        }
        if (packet.opcode() == Opcode.RC_ACKNOWLEDGE) {
            onAcknowledge(psn, packet.syndrome(), nowNs);
        } else {
            onReadOrAtomicResponse(packet, psn, nowNs);
        }
    }

    private boolean isExpected(int psn) {
        return requester.hasOutstanding()
                && !Psn.isBefore(psn, requester.unackedPsn())
                && Psn.isBefore(psn, requester.sentEndPsn());
    }

    private void onAcknowledge(int psn, int syndrome, long nowNs) {
        if (Syndrome.isAck(syndrome)) {
            engine.counters().increment(Counter.ACKS_RECEIVED);
            acknowledge(Psn.next(psn), nowNs);
        } else if (Syndrome.isRnrNak(syndrome)) {
            engine.counters().increment(Counter.RNR_NAKS_RECEIVED);
            onReceiverNotReady(psn, syndrome, nowNs);
        } else if (syndrome == Syndrome.NAK_PSN_SEQUENCE) {
            engine.counters().increment(Counter.SEQUENCE_NAKS_RECEIVED);
            // While the receiver is waited for, everything from the packet it could not take is sent again anyway.
            if (acknowledge(psn, nowNs) && !requester.isReceiverNotReady()) {
                goBack(psn, nowNs);
            }
        } else if (Syndrome.isNak(syndrome)) {
            engine.counters().increment(Counter.ERROR_NAKS_RECEIVED);
            if (acknowledge(psn, nowNs)) {
                fail(statusOf(syndrome));
            }
        } else {
            engine.counters().increment(Counter.STALE_RESPONSES);
        }
    }

    static CompletionStatus statusOf(int syndrome) {
        return switch (syndrome) {
            case Syndrome.NAK_INVALID_REQUEST -> CompletionStatus.REMOTE_INVALID_REQUEST;
            case Syndrome.NAK_REMOTE_ACCESS -> CompletionStatus.REMOTE_ACCESS_ERROR;
            case Syndrome.NAK_REMOTE_OPERATION -> CompletionStatus.REMOTE_OPERATION_ERROR;
            default -> CompletionStatus.BAD_RESPONSE;
        };
    }

    /// Retires what lies wholly before `endPsn`. False when that shows that answers to a READ or atomic were lost: an
    /// acknowledgement behind it means that they were sent, so it is asked for again.
    private boolean acknowledge(int endPsn, long nowNs) {
        boolean readLost = false;
        int donePsn = endPsn;
        while (queue.head() < requester.startedEnd()) {
            long head = queue.head();
            if (RcOpcodes.takesCredit(queue.operation(head))) {
                readLost = Psn.isBefore(expectedRead(head), endPsn);
                donePsn = readLost ? readPsn : endPsn;
                break;
            }
            if (!Psn.isBefore(queue.lastPsn(head), endPsn)) {
                break;
            }
            connection.completions.succeed();
        }
        if (Psn.isAfter(donePsn, requester.unackedPsn())) {
            progressTo(donePsn, nowNs);
        }
        if (readLost) {
            engine.counters().increment(Counter.LOST_READ_RESPONSES);
            goBack(readPsn, nowNs);
        }
        return !readLost;
    }

    private void progressTo(int psn, long nowNs) {
        requester.acknowledged(psn);
        resetRetries();
        if (requester.hasOutstanding()) {
            requester.armAcknowledgeTimer(nowNs, timeoutsInARow);
        }
        if (requester.canEmit()) {
            connection.activate();
        }
        connection.onSendProgress();
    }

    private int expectedRead(long position) {
        if (readPosition != position) {
            readPosition = position;
            readPsn = queue.firstPsn(position);
        }
        return readPsn;
    }

    private void onReadOrAtomicResponse(PacketView packet, int psn, long nowNs) {
        long position = queue.head();
        while (position < requester.startedEnd() && !RcOpcodes.takesCredit(queue.operation(position))) {
            position++;
        }
        if (position == requester.startedEnd() || Psn.isBefore(psn, queue.firstPsn(position))) {
            engine.counters().increment(Counter.STALE_RESPONSES);
            return;
        }
        // Such an answer acknowledges all requests before it.
        acknowledge(queue.firstPsn(position), nowNs);
        int gap = Psn.distance(psn, expectedRead(position));
        if (gap < 0) {
            engine.counters().increment(Counter.STALE_RESPONSES);
        } else if (gap > 0) {
            engine.counters().increment(Counter.LOST_READ_RESPONSES);
            goBack(readPsn, nowNs);
        } else {
            take(packet, position, psn, nowNs);
        }
    }

    /// Takes the answer that is due, if it is of the kind that the request asks for.
    private void take(PacketView packet, long position, int psn, long nowNs) {
        CompletionStatus status = switch (queue.operation(position)) {
            case RDMA_READ -> placeRead(packet, position, psn);
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> placeWord(packet, position);
            default -> checkEmpty(packet);
        };
        if (status != CompletionStatus.SUCCESS) {
            fail(status);
            return;
        }
        readPsn = Psn.next(psn);
        if (psn == queue.lastPsn(position)) {
            requester.onReadComplete(position);
            connection.completions.succeed();
        }
        progressTo(readPsn, nowNs);
    }

    private CompletionStatus placeRead(PacketView packet, long position, int psn) {
        long offset = (long) Psn.distance(psn, queue.firstPsn(position)) * settings.mtu;
        int expected = (int) Math.min(settings.mtu, queue.length(position) - offset);
        if (!packet.opcode().isReadResponse() || packet.payloadBytes() != expected) {
            return CompletionStatus.BAD_RESPONSE;
        }
        return scatter(position, offset, packet.payloadMemory(), packet.payloadAt(), expected);
    }

    /// What the atomic found, in the order of bytes of this host.
    private CompletionStatus placeWord(PacketView packet, long position) {
        if (packet.opcode() != Opcode.RC_ATOMIC_ACKNOWLEDGE || packet.payloadBytes() != 0) {
            return CompletionStatus.BAD_RESPONSE;
        }
        if (word == null) {
            word = MemorySegment.ofArray(new long[1]);
        }
        word.set(ValueLayout.JAVA_LONG, 0, packet.original());
        return scatter(position, 0, word, 0, Long.BYTES);
    }

    /// ATOMIC_WRITE and FLUSH are answered as a READ of no bytes.
    private static CompletionStatus checkEmpty(PacketView packet) {
        return packet.opcode() == Opcode.RC_RDMA_READ_RESPONSE_ONLY && packet.payloadBytes() == 0
                ? CompletionStatus.SUCCESS
                : CompletionStatus.BAD_RESPONSE;
    }

    private CompletionStatus scatter(long position, long offset, MemorySegment from, long at, int bytes) {
        boolean placed = queue.scatter(connection.access, position, offset, from, at, bytes);
        return placed ? CompletionStatus.SUCCESS : CompletionStatus.LOCAL_PROTECTION_ERROR;
    }

    private void onReceiverNotReady(int psn, int syndrome, long nowNs) {
        if (!acknowledge(psn, nowNs) || requester.isReceiverNotReady()) {
            return;
        }
        if (rnrRetriesLeft == 0) {
            engine.counters().increment(Counter.RETRIES_EXCEEDED);
            fail(CompletionStatus.RNR_RETRY_EXCEEDED);
            return;
        }
        if (rnrRetriesLeft != FOR_EVER) {
            rnrRetriesLeft--;
        }
        requester.moveTo(psn);
        requester.waitForReceiver(nowNs, RnrTimer.nanoseconds(Syndrome.timerCode(syndrome)));
    }

    void onAcknowledgeTimeout(long nowNs) {
        if (!requester.hasOutstanding() || requester.isReceiverNotReady()) {
            return;
        }
        engine.counters().increment(Counter.ACK_TIMEOUTS);
        if (retriesLeft == 0) {
            giveUp();
            return;
        }
        retriesLeft--;
        timeoutsInARow++;
        retriedPsn = NONE;
        sendAgainFrom(requester.unackedPsn(), nowNs);
    }

    /// The peer tells of a loss at `psn`: sends again from there, once per place. Retries are not used up by it, since
    /// the peer lives, and without progress the next complaint is ignored and the timer runs, which does use them up.
    /// Only a program that wants no retries at all gives up at once.
    private void goBack(int psn, long nowNs) {
        if (psn == retriedPsn) {
            return;
        }
        if (settings.retryCount == 0) {
            giveUp();
            return;
        }
        retriedPsn = psn;
        sendAgainFrom(psn, nowNs);
    }

    private void sendAgainFrom(int psn, long nowNs) {
        requester.sendAgainFrom(psn);
        requester.armAcknowledgeTimer(nowNs, timeoutsInARow);
        connection.activate();
    }

    private void giveUp() {
        engine.counters().increment(Counter.RETRIES_EXCEEDED);
        fail(CompletionStatus.RETRY_EXCEEDED);
    }

    /// Ends the oldest request with an error, and with it the connection.
    void fail(CompletionStatus status) {
        if (queue.head() < queue.tail()) {
            connection.completions.end(status);
        }
        connection.enterError();
    }
}
