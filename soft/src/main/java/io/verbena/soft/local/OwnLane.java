package io.verbena.soft.local;

import static io.verbena.soft.local.LaneLayout.INT;
import static io.verbena.soft.local.LaneLayout.LONG;
import static io.verbena.soft.os.HostMemory.ALL;

import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The lane that a queue pair takes its peer's requests from, seen by the responder, who made it.
public final class OwnLane {
    private final SealedMemory shared;
    private final long base;
    private final RingReader requests;
    private final RingWriter replies;
    private int verdicts;
    private boolean closed;

    OwnLane(SealedMemory shared, long peerHigh, long peerLow, int peerQp, int firstPsn, int receiveQueueSlot) {
        this.shared = shared;
        MemorySegment memory = shared.memory();
        this.base = memory.address();
        this.requests = new RingReader(memory, LaneLayout.REQUESTS_AT, LaneLayout.REQUEST_CELLS);
        this.replies = new RingWriter(memory, LaneLayout.REPLIES_AT, LaneLayout.REPLY_CELLS);
        ALL.set(ValueLayout.JAVA_LONG, base + LaneLayout.PEER_HIGH_AT, peerHigh);
        ALL.set(ValueLayout.JAVA_LONG, base + LaneLayout.PEER_LOW_AT, peerLow);
        ALL.set(ValueLayout.JAVA_INT, base + LaneLayout.PEER_QP_AT, peerQp);
        ALL.set(ValueLayout.JAVA_INT, base + LaneLayout.FIRST_PSN_AT, firstPsn);
        ALL.set(ValueLayout.JAVA_INT, base + LaneLayout.RECEIVE_QUEUE_SLOT_AT, receiveQueueSlot);
    }

    SealedMemory shared() {
        return shared;
    }

    public RingReader requests() {
        return requests;
    }

    public RingWriter replies() {
        return replies;
    }

    /// Everything before that position is carried out: an acknowledgement, and free room in one word.
    public void executed(long position) {
        LONG.setRelease(ALL, base + LaneLayout.EXECUTED_AT, position);
    }

    /// Says what is wrong with the request at a position: the syndrome that a packet would bring.
    public void verdict(long position, int syndrome) {
        ALL.set(ValueLayout.JAVA_LONG, base + LaneLayout.VERDICT_POSITION_AT, position);
        ALL.set(ValueLayout.JAVA_INT, base + LaneLayout.VERDICT_SYNDROME_AT, syndrome);
        INT.setRelease(ALL, base + LaneLayout.VERDICT_COUNT_AT, ++verdicts);
    }

    /// Whether the requester wants the request tried again that the last verdict was about.
    public boolean shallGoOn() {
        return (int) INT.getAcquire(ALL, base + LaneLayout.GO_ON_AT) == verdicts;
    }

    /// Says what the requester may do to this device's memory by itself.
    public void accept(int access, int domain) {
        LONG.setVolatile(ALL, base + LaneLayout.ACCEPTING_AT, LaneLayout.accepting(access, domain));
    }

    /// The requester does not enter this device's memory any more; what it began goes on for a moment.
    public void refuse() {
        LONG.setVolatile(ALL, base + LaneLayout.ACCEPTING_AT, 0L);
    }

    /// Whether the peer is in this device's memory just now. From any thread, also while the lane is closed.
    synchronized boolean isPeerBusy() {
        return !closed
                && ((int) INT.getVolatile(ALL, base + LaneLayout.REQUESTER_BUSY_AT) != 0
                        || (int) INT.getVolatile(ALL, base + LaneLayout.RESPONDER_BUSY_AT) != 0);
    }

    /// The slot of the completion queue that the requester reports to.
    public int sendQueueSlot() {
        return ALL.get(ValueLayout.JAVA_INT, base + LaneLayout.SEND_QUEUE_SLOT_AT);
    }

    /// Whether the peer has mapped the lane.
    public boolean isAttached() {
        return (int) INT.getAcquire(ALL, base + LaneLayout.ATTACHED_AT) != 0;
    }

    /// Whether the requester must count up the news of the completion queue, because nobody looks here each time.
    public void quiet(boolean on) {
        INT.setVolatile(ALL, base + LaneLayout.QUIET_AT, on ? 1 : 0);
    }

    /// Up to where the requester has taken answers.
    public long repliesConsumed() {
        return (long) LONG.getAcquire(ALL, base + LaneLayout.REPLIES_CONSUMED_AT);
    }

    /// Changes with each word that the responder writes for the requester.
    long motion() {
        return (long) LONG.getOpaque(ALL, base + LaneLayout.EXECUTED_AT) + verdicts + replies.tail();
    }

    /// Only when no thread can be inside, except for [#isPeerBusy].
    synchronized void close() {
        closed = true;
        shared.close();
    }
}
