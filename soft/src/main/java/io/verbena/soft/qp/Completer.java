package io.verbena.soft.qp;

import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.roce.packet.RnrTimer;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.event.SoftEvents;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Handles the peer's responses: retires requests in order, makes the requester go back to lost packets, and gives up
/// when no retry is left. Owned by the engine.
final class Completer {
    private static final int UNLIMITED = 7;
    private static final int NONE = -1;
    private static final String RESPONSE_LOST = "a response to a READ or atomic is missing";

    private final ReliableConnection connection;
    private final Engine engine;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final Requester requester;
    private final LivenessTimer liveness;

    private int retriesLeft;
    private int rnrRetriesLeft;
    private int timeoutsInARow;
    /// The PSN of the last retransmission, if there was no progress since. A second NAK for it is ignored; the timer
    /// covers it.
    private int retriedPsn = NONE;
    /// The READ or atomic whose response is being received, and the next PSN of the response.
    private long readPosition = NONE;

    private int readPsn;
    /// A word in the byte order of this host. Created with the first response to an atomic.
    private MemorySegment word;

    Completer(ReliableConnection connection, Requester requester, LivenessTimer liveness) {
        this.connection = connection;
        this.engine = connection.engine;
        this.queue = connection.sends;
        this.settings = connection.settings;
        this.requester = requester;
        this.liveness = liveness;
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
            if (isOfPeer(packet, psn)) {
                onAcknowledge(psn, packet.syndrome(), nowNs);
            } else {
                engine.counters().increment(Counter.DROPPED_WRONG_MESSAGE_NUMBER);
            }
        } else {
            onReadOrAtomicResponse(packet, psn, nowNs);
        }
    }

    private boolean isExpected(int psn) {
        return requester.hasOutstanding()
                && !Psn.isBefore(psn, requester.unackedPsn())
                && Psn.isBefore(psn, requester.sentEndPsn());
    }

    /// Whether the message number fits, too. It is not checked without timeouts, or when the first timeout ends the
    /// connection: a peer that begins to count differently could not recover then.
    private boolean isOfPeer(PacketView packet, int psn) {
        boolean isOfAll = Psn.next(psn) == requester.sentEndPsn() && Syndrome.isAck(packet.syndrome());
        return requester.messages().admit(packet.msn(), isOfAll)
                || settings.timeoutNs() == 0
                || settings.retryCount == 0;
    }

    private void onAcknowledge(int psn, int syndrome, long nowNs) {
        if (Syndrome.isAck(syndrome)) {
            engine.counters().increment(Counter.ACKS_RECEIVED);
            acknowledge(Psn.next(psn), nowNs);
        } else if (Syndrome.isRnrNak(syndrome)) {
            engine.counters().increment(Counter.RNR_NAKS_RECEIVED);
            connection.troubles.onRnrReceived();
            onReceiverNotReady(psn, syndrome, nowNs);
        } else if (syndrome == Syndrome.NAK_PSN_SEQUENCE) {
            engine.counters().increment(Counter.SEQUENCE_NAKS_RECEIVED);
            // While the RNR timer runs, all packets from the refused one on will be sent again anyway.
            if (acknowledge(psn, nowNs) && !requester.isReceiverNotReady()) {
                goBack(psn, nowNs, "the peer misses a packet (sequence NAK)");
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

    /// Retires requests that end before `endPsn`. False when responses to a READ or atomic were lost: an
    /// acknowledgement of a later request shows that they were sent, so the READ or atomic is sent again.
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
            goBack(readPsn, nowNs, RESPONSE_LOST);
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
        // The response acknowledges all requests before it.
        acknowledge(queue.firstPsn(position), nowNs);
        int gap = Psn.distance(psn, expectedRead(position));
        if (gap < 0) {
            engine.counters().increment(Counter.STALE_RESPONSES);
        } else if (gap > 0) {
            engine.counters().increment(Counter.LOST_READ_RESPONSES);
            goBack(readPsn, nowNs, RESPONSE_LOST);
        } else {
            take(packet, position, psn, nowNs);
        }
    }

    /// Takes the next response, if it is of the kind that the request expects.
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
        if (packet.opcode().has(Header.AETH)) {
            // The PSN is exactly the expected one, so the message number is trusted, and later ones are compared with
            // it.
            requester.messages().admit(packet.msn(), false);
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

    /// The value before the atomic, in the byte order of this host.
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
        if (rnrRetriesLeft != UNLIMITED) {
            rnrRetriesLeft--;
        }
        requester.moveTo(psn);
        long waitNs = RnrTimer.nanoseconds(Syndrome.timerCode(syndrome));
        SoftEvents.receiverNotReady(connection, waitNs, rnrRetriesLeft);
        requester.waitForReceiver(nowNs, waitNs);
    }

    void onAcknowledgeTimeout(long nowNs) {
        if (!requester.hasOutstanding() || requester.isReceiverNotReady()) {
            return;
        }
        engine.counters().increment(Counter.ACK_TIMEOUTS);
        connection.troubles.onTimeout();
        requester.messages().onTimeout();
        boolean closed = liveness.isPeerClosed();
        if (closed || retriesLeft == 0) {
            giveUp();
            liveness.end(closed ? Errno.ECONNRESET : Errno.ETIMEDOUT);
            return;
        }
        retriesLeft--;
        timeoutsInARow++;
        retriedPsn = NONE;
        sendAgainFrom(requester.unackedPsn(), nowNs, "no acknowledgement in time");
    }

    /// The peer reports a loss at `psn`: sends again from there, once per PSN. That uses no retry, because the peer is
    /// alive. Without progress the next NAK is ignored and the timer expires, which does use a retry. Only a retry
    /// count of 0 gives up at once.
    private void goBack(int psn, long nowNs, String cause) {
        if (psn == retriedPsn) {
            return;
        }
        if (settings.retryCount == 0) {
            giveUp();
            return;
        }
        retriedPsn = psn;
        sendAgainFrom(psn, nowNs, cause);
    }

    private void sendAgainFrom(int psn, long nowNs, String cause) {
        SoftEvents.retransmission(connection, cause, psn, Psn.distance(requester.sentEndPsn(), psn), retriesLeft);
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
            connection.completions.fail(status);
        }
        connection.enterError();
    }
}
