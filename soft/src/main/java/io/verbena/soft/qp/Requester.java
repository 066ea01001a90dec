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

/// Turns send requests into packets: the sending half of a reliable connection. It knows which packet sequence
/// numbers are out, and can go back to any of them; what answers mean is the [Completer]'s business. Owned by the
/// engine.
final class Requester {
    private final ReliableConnection connection;
    private final Engine engine;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final RequestPackets packets;
    private final ReadCredits credits = new ReadCredits();
    private final FlushIcrc flushIcrc = new FlushIcrc();
    private final Timer acknowledgeTimer;
    private final Timer receiverNotReadyTimer;

    /// A READ longer than its `readPackets` is split: peers stream the answer without a window, so this bounds what
    /// the socket buffer must hold.
    private Window window = Window.of(0, 0);

    private final Pace pace = new Pace();

    /// Position of the request to send from next, and how many of its bytes are out.
    private long current;

    private long offset;
    /// Requests before this position have their PSNs.
    private long startedEnd;

    private int nextPsn;
    private int unackedPsn;
    /// One past the highest PSN that was ever out; after going back it is ahead of `nextPsn`.
    private int sentEndPsn;

    private int packetsSinceAckRequest;
    private boolean receiverNotReady;
    /// READs, atomics and the like that are started and not complete; a fenced request waits for them.
    private int readsIncomplete;

    Requester(ReliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.queue = connection.sends;
        this.settings = connection.settings;
        this.packets = new RequestPackets(connection);
        this.acknowledgeTimer = new Timer() {
            @Override
            public void onExpiry(long nowNs) {
                connection.completer().onAcknowledgeTimeout(nowNs);
            }
        };
        this.receiverNotReadyTimer = new Timer() {
            @Override
            public void onExpiry(long nowNs) {
                receiverNotReady = false;
                armAcknowledgeTimer(nowNs, 0);
                connection.activate();
            }
        };
    }

    void reset() {
        window = Window.of(engine.wire().receiveBufferBytes(), settings.mtu);
        pace.reset(window);
        current = queue.head();
        startedEnd = current;
        offset = 0;
        nextPsn = settings.sendPsn;
        unackedPsn = nextPsn;
        sentEndPsn = nextPsn;
        packetsSinceAckRequest = 0;
        readsIncomplete = 0;
        receiverNotReady = false;
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

    int sentEndPsn() {
        return sentEndPsn;
    }

    /// Requests before this position are on the wire, at least in part.
    long startedEnd() {
        return startedEnd;
    }

    boolean hasOutstanding() {
        return unackedPsn != sentEndPsn;
    }

    boolean isReceiverNotReady() {
        return receiverNotReady;
    }

    /// Whether every started message is answered: what draining waits for.
    boolean isDrained() {
        return queue.head() == startedEnd;
    }

    boolean canEmit() {
        return current < queue.tail()
                && !receiverNotReady
                && !connection.holdsSends()
                && Psn.distance(nextPsn, unackedPsn) < pace.packets()
                && (connection.state() == QueuePairState.RTS
                        || connection.state() == QueuePairState.SQD && current < startedEnd);
    }

    /// Sends up to `budget` packets; stops early when window, credits, a fence or the network say so.
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
            if (LocalOperations.contains(queue.operation(current))) {
                return carryOutLocally();
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

    /// In its turn: once all before it are complete.
    private boolean carryOutLocally() {
        if (queue.head() != current) {
            return false;
        }
        nextRequest();
        startedEnd++;
        return connection.local().carryOutHead();
    }

    /// Gives the current request its PSNs, unless it must wait or cannot be carried out.
    private boolean start() {
        if (queue.has(current, SendQueue.FENCED) && readsIncomplete > 0) {
            return false;
        }
        Operation operation = queue.operation(current);
        int rights = RcOpcodes.bringsData(operation) ? Access.LOCAL_WRITE.bit() : 0;
        CompletionStatus obstacle = packets.obstacle(current, rights);
        if (obstacle != null) {
            return failLocally(obstacle);
        }
        queue.psns(current, nextPsn, Psn.add(nextPsn, settings.packets(queue.length(current)) - 1));
        startedEnd++;
        readsIncomplete += RcOpcodes.takesCredit(operation) ? 1 : 0;
        return true;
    }

    /// A request that fails here is reported in its turn: once all before it are done.
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
        advance(1);
        offset += payload;
        if (last) {
            nextRequest();
        }
        return true;
    }

    /// The end of a message, the end of the window, and every so often in between.
    private boolean askForAck(boolean last) {
        packetsSinceAckRequest++;
        boolean windowEnds = Psn.distance(nextPsn, unackedPsn) >= pace.packets() - 1;
        if (last || windowEnds || packetsSinceAckRequest >= window.acknowledgeEvery()) {
            packetsSinceAckRequest = 0;
            return true;
        }
        return false;
    }

    /// Asks for the next part of a READ. Each request takes a credit and all the PSNs of its answer. Parts end at
    /// fixed places, so that one asked for again, from its middle on, stays within what the peer remembers.
    private boolean emitRead() {
        long left = queue.length(current) - offset;
        long partBytes = (long) window.readPackets() * settings.mtu;
        long bytes = Math.min(left, partBytes - offset % partBytes);
        int psns = settings.packets(bytes);
        // A whole part may always be asked for, however low the pace.
        int room = Math.max(pace.packets(), window.readPackets());
        if (!credits.isAvailable() || psns > room - Psn.distance(nextPsn, unackedPsn)) {
            return false;
        }
        int at = connection.transmitter.claim();
        if (at < 0) {
            return false;
        }
        packets.read(at, current, offset, (int) bytes, nextPsn);
        advance(psns);
        credits.take(Psn.add(nextPsn, -1));
        packetsSinceAckRequest = 0;
        offset += bytes;
        if (bytes == left) {
            nextRequest();
        }
        return true;
    }

    /// What takes one packet, one PSN and one credit.
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
        advance(1);
        credits.take(Psn.add(nextPsn, -1));
        packetsSinceAckRequest = 0;
        nextRequest();
        return true;
    }

    private void advance(int psns) {
        if (Psn.isBefore(nextPsn, sentEndPsn)) {
            engine.counters().increment(Counter.PACKETS_RETRANSMITTED);
        }
        nextPsn = Psn.add(nextPsn, psns);
        if (Psn.isAfter(nextPsn, sentEndPsn)) {
            sentEndPsn = nextPsn;
        }
    }

    private void nextRequest() {
        current++;
        offset = 0;
    }

    /// Everything before `psn` is answered.
    void acknowledged(int psn) {
        pace.onArrived(Psn.distance(psn, unackedPsn));
        unackedPsn = psn;
        credits.release(psn);
        if (Psn.isBefore(nextPsn, psn)) {
            moveTo(psn);
        }
    }

    /// The limit of READs and atomics may have changed; only when nothing is out.
    void takeReadLimit() {
        credits.reset(settings.maxReadAtomic);
    }

    void onReadComplete(long position) {
        readsIncomplete--;
        if (queue.operation(position) == Operation.FLUSH) {
            flushIcrc.onAnswered(queue.firstPsn(position));
        }
    }

    /// Continues from `psn`, which lies in a started message or right behind the last one: back for a
    /// retransmission, forward when the peer turns out to have more than was thought.
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

    /// Packets were lost; they are sent again from `psn`, and fewer at a time.
    void sendAgainFrom(int psn) {
        pace.onLoss();
        moveTo(psn);
    }

    /// The specification lets a sender wait up to four times the set timeout. The first wait is as set; waits that
    /// follow a timeout are longer, so that a peer on a busy machine gets the time it needs before it counts as
    /// dead.
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
}
