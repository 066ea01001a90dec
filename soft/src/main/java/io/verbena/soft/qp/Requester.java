package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Timer;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;

/// Turns send requests into packets: the sending half of a reliable connection. It keeps track of the PSNs in flight,
/// and can go back to any of them. The [Completer] handles the responses. Owned by the engine.
final class Requester {
    private final ReliableConnection connection;
    private final Engine engine;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final RequestPackets packets;
    private final ReadCredits credits = new ReadCredits();
    private final FlushIcrc flushIcrc = new FlushIcrc();
    private final Timer acknowledgeTimer;
    private final Timer receiverNotReadyTimer = Timer.running(this::retryReceiver);

    /// A READ longer than its `readPackets` is split: peers stream the response without a window, so the length of a
    /// part bounds what the socket buffer must hold.
    private SendWindow window = SendWindow.of(0, 0);

    private final CongestionWindow congestion = new CongestionWindow();
    private final MessageNumbers messages = new MessageNumbers();

    /// Position of the request to send from next, and how many of its bytes were sent.
    private long current;

    private long offset;
    /// Requests before this position have PSNs.
    private long startedEnd;

    private int nextPsn;
    private int unackedPsn;
    /// One past the highest PSN that was ever sent. After going back it is ahead of `nextPsn`.
    private int sentEndPsn;

    private int packetsSinceAckRequest;
    private boolean receiverNotReady;
    /// READs, atomics and the like that are in flight; a fenced request waits for them.
    private int readsIncomplete;

    Requester(ReliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.queue = connection.sends;
        this.settings = connection.settings;
        this.packets = new RequestPackets(connection);
        this.acknowledgeTimer = Timer.running(nowNs -> connection.completer().onAcknowledgeTimeout(nowNs));
    }

    void reset() {
        window = SendWindow.of(engine.wire().receiveBufferBytes(), settings.mtu);
        congestion.reset(window);
        current = queue.head();
        startedEnd = current;
        offset = 0;
        nextPsn = settings.sendPsn;
        unackedPsn = nextPsn;
        sentEndPsn = nextPsn;
        packetsSinceAckRequest = 0;
        readsIncomplete = 0;
        receiverNotReady = false;
        messages.reset();
        credits.reset(settings.maxReadAtomic);
        stopTimers();
    }

    void stopTimers() {
        engine.timers().cancel(acknowledgeTimer);
        engine.timers().cancel(receiverNotReadyTimer);
    }

    int unackedPsn() {
        return unackedPsn;
    }

    MessageNumbers messages() {
        return messages;
    }

    int sentEndPsn() {
        return sentEndPsn;
    }

    /// Requests before this position were sent, at least in part.
    long startedEnd() {
        return startedEnd;
    }

    boolean hasOutstanding() {
        return unackedPsn != sentEndPsn;
    }

    /// Whether a timer watches for a response.
    boolean isTimed() {
        return hasOutstanding() && settings.timeoutNs() > 0;
    }

    /// Sends a WRITE of 0 bytes with the PSN before the oldest unacknowledged one. For the peer it is a duplicate, even
    /// if there never was such a request: it acknowledges again and executes nothing. Not a SEND, so that not even a
    /// faulty peer takes a receive.
    boolean sendKeepAlive() {
        int at = connection.transmitter.claim();
        if (at < 0) {
            return false;
        }
        packets.emptyWrite(at, Psn.add(unackedPsn, -1));
        return true;
    }

    boolean isReceiverNotReady() {
        return receiverNotReady;
    }

    /// Whether every started message is acknowledged, which draining waits for.
    boolean isDrained() {
        return queue.head() == startedEnd;
    }

    boolean canEmit() {
        return current < queue.tail()
                && !receiverNotReady
                && !connection.holdsSends()
                && Psn.distance(nextPsn, unackedPsn) < congestion.packets()
                && (connection.state() == QueuePairState.RTS
                        || connection.state() == QueuePairState.SQD && current < startedEnd);
    }

    /// Sends up to `budget` packets, or fewer when the window, the credits, a fence or a full socket stop it.
    int emit(int budget) {
        boolean wasIdle = !hasOutstanding();
        int emitted = 0;
        while (emitted < budget && canEmit() && emitOne()) {
            emitted++;
        }
        if (wasIdle && hasOutstanding()) {
            armAcknowledgeTimer(engine.nowNs(), 0);
        }
        return emitted;
    }

    private boolean emitOne() {
        if (current == startedEnd) {
            if (KeyOperations.contains(queue.operation(current))) {
                return executeKeyOperation();
            }
            if (!start()) {
                return false;
            }
        }
        return switch (queue.operation(current)) {
            case RDMA_READ -> emitRead();
            case COMPARE_AND_SWAP, FETCH_AND_ADD, ATOMIC_WRITE, FLUSH -> emitSingle();
            default -> emitData();
        };
    }

    /// Executes the current request, a key operation, once all before it are complete.
    private boolean executeKeyOperation() {
        if (queue.head() != current || !connection.keyOperations().isHeadReady()) {
            return false;
        }
        nextRequest();
        startedEnd++;
        return connection.keyOperations().endHead();
    }

    /// Assigns PSNs to the current request, unless it must wait or fails on this side.
    private boolean start() {
        if (queue.has(current, SendQueue.FENCED) && readsIncomplete > 0) {
            return false;
        }
        Operation operation = queue.operation(current);
        int rights = RcOpcodes.bringsData(operation) ? Access.LOCAL_WRITE.bit() : 0;
        CompletionStatus error = packets.localErrorOf(current, rights);
        if (error != null) {
            return failLocally(error);
        }
        queue.psns(current, nextPsn, Psn.add(nextPsn, settings.packets(queue.length(current)) - 1));
        startedEnd++;
        readsIncomplete += RcOpcodes.takesCredit(operation) ? 1 : 0;
        return true;
    }

    /// A request that fails on this side completes only when all before it are complete.
    private boolean failLocally(CompletionStatus status) {
        if (queue.head() == current) {
            connection.completer().fail(status);
        }
        return false;
    }

    private boolean emitData() {
        long length = queue.length(current);
        int payload = (int) Math.min(settings.mtu, length - offset);
        int at = connection.transmitter.claim();
        if (at < 0) {
            return false;
        }
        boolean last = offset + payload == length;
        Opcode opcode = RcOpcodes.of(queue.operation(current), offset == 0, last);
        if (!packets.data(at, opcode, current, offset, payload, nextPsn, askForAck(last))) {
            return failLocally(CompletionStatus.LOCAL_PROTECTION_ERROR);
        }
        advance(1, last);
        offset += payload;
        if (last) {
            nextRequest();
        }
        return true;
    }

    /// Requests an acknowledgement at the end of a message, at the end of the window, and regularly in between.
    private boolean askForAck(boolean last) {
        packetsSinceAckRequest++;
        boolean windowEnds = Psn.distance(nextPsn, unackedPsn) >= congestion.packets() - 1;
        if (last || windowEnds || packetsSinceAckRequest >= window.acknowledgeEvery()) {
            packetsSinceAckRequest = 0;
            return true;
        }
        return false;
    }

    /// Requests the next part of a READ. Each part takes a credit and all the PSNs of its response. Parts end at fixed
    /// offsets, so that a part requested again from its middle stays within the resource that the peer keeps.
    private boolean emitRead() {
        long left = queue.length(current) - offset;
        long partBytes = (long) window.readPackets() * settings.mtu;
        long bytes = Math.min(left, partBytes - offset % partBytes);
        int psns = settings.packets(bytes);
        // A whole part is always allowed, however small the congestion window.
        int room = Math.max(congestion.packets(), window.readPackets());
        if (!credits.isAvailable() || psns > room - Psn.distance(nextPsn, unackedPsn)) {
            return false;
        }
        int at = connection.transmitter.claim();
        if (at < 0) {
            return false;
        }
        packets.read(at, current, offset, (int) bytes, nextPsn);
        advance(psns, true); // for the peer, each part is a message
        credits.take(Psn.add(nextPsn, -1));
        packetsSinceAckRequest = 0;
        offset += bytes;
        if (bytes == left) {
            nextRequest();
        }
        return true;
    }

    /// Sends a request of one packet, which takes one PSN and one credit.
    private boolean emitSingle() {
        if (!credits.isAvailable()) {
            return false;
        }
        int at = connection.transmitter.claim();
        if (at < 0) {
            return false;
        }
        switch (queue.operation(current)) {
            case FLUSH -> packets.flush(at, current, nextPsn, flushIcrc.countsTwice(nextPsn));
            case ATOMIC_WRITE -> {
                int payload = (int) queue.length(current);
                if (!packets.data(at, Opcode.RC_ATOMIC_WRITE, current, 0, payload, nextPsn, true)) {
                    return failLocally(CompletionStatus.LOCAL_PROTECTION_ERROR);
                }
            }
            default -> packets.atomic(at, current, nextPsn);
        }
        advance(1, true);
        credits.take(Psn.add(nextPsn, -1));
        packetsSinceAckRequest = 0;
        nextRequest();
        return true;
    }

    private void advance(int psns, boolean endsMessage) {
        if (Psn.isBefore(nextPsn, sentEndPsn)) {
            engine.counters().increment(Counter.PACKETS_RETRANSMITTED);
            connection.troubles.onRetransmission();
        }
        nextPsn = Psn.add(nextPsn, psns);
        if (Psn.isAfter(nextPsn, sentEndPsn)) {
            sentEndPsn = nextPsn;
            if (endsMessage) {
                messages.onMessageSent();
            }
        }
    }

    private void nextRequest() {
        current++;
        offset = 0;
    }

    /// All PSNs before `psn` are acknowledged.
    void acknowledged(int psn) {
        congestion.onArrived(Psn.distance(psn, unackedPsn));
        unackedPsn = psn;
        credits.release(psn);
        if (Psn.isBefore(nextPsn, psn)) {
            moveTo(psn);
        }
    }

    /// The limit of READs and atomics may have changed. Only when nothing is in flight.
    void applyReadLimit() {
        credits.reset(settings.maxReadAtomic);
    }

    void onReadComplete(long position) {
        readsIncomplete--;
        if (queue.operation(position) == Operation.FLUSH) {
            flushIcrc.onAnswered(queue.firstPsn(position));
        }
    }

    /// Continues from `psn`, which is in a started message or right behind the last one: back for a retransmission,
    /// forward when the peer turns out to have received more than assumed.
    void moveTo(int psn) {
        long position = queue.head();
        while (position < startedEnd && Psn.isBefore(queue.lastPsn(position), psn)) {
            position++;
        }
        current = position;
        offset = position < startedEnd ? (long) Psn.distance(psn, queue.firstPsn(position)) * settings.mtu : 0;
        nextPsn = psn;
        packetsSinceAckRequest = 0;
        credits.reset(settings.maxReadAtomic);
    }

    /// Packets were lost: sends again from `psn`, with a smaller congestion window.
    void sendAgainFrom(int psn) {
        congestion.onLoss();
        moveTo(psn);
    }

    /// The specification lets a sender wait up to four times the set timeout. The first timeout is as set. Timeouts in
    /// a row are longer, so that a peer on a busy machine has time to answer before it counts as dead.
    void armAcknowledgeTimer(long nowNs, int timeoutsBefore) {
        long timeoutNs = settings.timeoutNs();
        if (timeoutNs > 0) {
            engine.timers().arm(acknowledgeTimer, nowNs + (timeoutNs << Math.min(timeoutsBefore, 2)));
        }
    }

    void waitForReceiver(long nowNs, long delayNs) {
        receiverNotReady = true;
        engine.timers().arm(receiverNotReadyTimer, nowNs + delayNs);
    }

    private void retryReceiver(long nowNs) {
        receiverNotReady = false;
        armAcknowledgeTimer(nowNs, 0);
        connection.activate();
    }
}
