package io.verbena.soft.local;

import static io.verbena.soft.local.LaneLayout.INT;
import static io.verbena.soft.local.LaneLayout.LONG;
import static io.verbena.soft.os.HostMemory.ALL;

import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The lane from which a queue pair takes its peer's requests, as seen by the responder, which created it.
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

    /// Publishes that all entries before that position are executed. The word is the acknowledgement, and frees the
    /// cells.
    public void publishExecuted(long position) {
        LONG.setRelease(ALL, base + LaneLayout.EXECUTED_AT, position);
    }

    /// Publishes what is wrong with the request at a position, as the syndrome of a NAK.
    public void publishVerdict(long position, int syndrome) {
        ALL.set(ValueLayout.JAVA_LONG, base + LaneLayout.VERDICT_POSITION_AT, position);
        ALL.set(ValueLayout.JAVA_INT, base + LaneLayout.VERDICT_SYNDROME_AT, syndrome);
        INT.setRelease(ALL, base + LaneLayout.VERDICT_COUNT_AT, ++verdicts);
    }

    /// Whether the requester wants the responder to retry the request of the last verdict.
    public boolean isRetryRequested() {
        return (int) INT.getAcquire(ALL, base + LaneLayout.RETRY_AT) == verdicts;
    }

    /// Publishes which direct accesses the peer may make to this device's memory.
    public void allowAccess(int access, int domain) {
        LONG.setVolatile(ALL, base + LaneLayout.ACCEPTING_AT, LaneLayout.accepting(access, domain));
    }

    /// Allows the peer no new direct access. Accesses under way continue.
    public void refuseAccess() {
        LONG.setVolatile(ALL, base + LaneLayout.ACCEPTING_AT, 0L);
    }

    /// Whether the peer accesses this device's memory at the moment. From any thread, even while the lane is being
    /// closed.
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

    /// Sets whether the requester must increment the news of the completion queue, because pollers skip this lane.
    public void requestNews(boolean on) {
        INT.setVolatile(ALL, base + LaneLayout.QUIET_AT, on ? 1 : 0);
    }

    /// The position up to which the requester has consumed replies.
    public long repliesConsumed() {
        return (long) LONG.getAcquire(ALL, base + LaneLayout.REPLIES_CONSUMED_AT);
    }

    /// Changes with each word that the responder writes for the requester.
    long activity() {
        return (long) LONG.getOpaque(ALL, base + LaneLayout.EXECUTED_AT) + verdicts + replies.tail();
    }

    /// Only when no thread can access the lane, except by [#isPeerBusy].
    synchronized void close() {
        closed = true;
        shared.close();
    }
}
