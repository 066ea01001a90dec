package io.verbena.soft.local;

import static io.verbena.soft.local.LaneLayout.INT;
import static io.verbena.soft.local.LaneLayout.LONG;
import static io.verbena.soft.os.HostMemory.ALL;

import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The peer's lane, as seen by the requester that sends through it.
public final class PeerLane {
    /// Which role of this side accesses the peer's memory. Each role has a word of its own.
    public static final long AS_REQUESTER = LaneLayout.REQUESTER_BUSY_AT;

    public static final long AS_RESPONDER = LaneLayout.RESPONDER_BUSY_AT;

    private final SealedMemory shared;
    private final long base;
    private final PeerDevice peer;
    private final RingWriter requests;
    private final RingReader replies;
    private final int receiveQueueSlot;
    private int verdictsSeen;

    PeerLane(SealedMemory shared, PeerDevice peer) {
        this.shared = shared;
        MemorySegment memory = shared.memory();
        this.base = memory.address();
        this.peer = peer;
        this.requests = new RingWriter(memory, LaneLayout.REQUESTS_AT, LaneLayout.REQUEST_CELLS);
        this.replies = new RingReader(memory, LaneLayout.REPLIES_AT, LaneLayout.REPLY_CELLS);
        this.receiveQueueSlot = ALL.get(ValueLayout.JAVA_INT, base + LaneLayout.RECEIVE_QUEUE_SLOT_AT);
    }

    /// Whether the lane was created for that queue pair. These words are written before the lane is published, and
    /// never change.
    static boolean isMeantFor(SealedMemory shared, long ownHigh, long ownLow, int ownQp) {
        MemorySegment memory = shared.memory();
        return memory.get(ValueLayout.JAVA_LONG, LaneLayout.PEER_HIGH_AT) == ownHigh
                && memory.get(ValueLayout.JAVA_LONG, LaneLayout.PEER_LOW_AT) == ownLow
                && memory.get(ValueLayout.JAVA_INT, LaneLayout.PEER_QP_AT) == ownQp;
    }

    /// Attaches this requester to the lane. False when another requester was attached before, such as this queue pair
    /// before a reset.
    boolean attach(int sendQueueSlot) {
        boolean first = INT.compareAndSet(ALL, base + LaneLayout.ATTACHED_AT, 0, 1);
        if (first) {
            ALL.set(ValueLayout.JAVA_INT, base + LaneLayout.SEND_QUEUE_SLOT_AT, sendQueueSlot);
        }
        return first;
    }

    /// The first PSN that the responder expects. Lanes carry no PSNs, but a different number shows that the two queue
    /// pairs do not belong together.
    public int firstPsn() {
        return ALL.get(ValueLayout.JAVA_INT, base + LaneLayout.FIRST_PSN_AT);
    }

    public PeerDevice peer() {
        return peer;
    }

    public RingWriter requests() {
        return requests;
    }

    public RingReader replies() {
        return replies;
    }

    public long executed() {
        return (long) LONG.getAcquire(ALL, base + LaneLayout.EXECUTED_AT);
    }

    /// Whether the responder has published a verdict since the last call.
    public boolean hasVerdict() {
        int count = (int) INT.getAcquire(ALL, base + LaneLayout.VERDICT_COUNT_AT);
        boolean fresh = count != verdictsSeen;
        verdictsSeen = count;
        return fresh;
    }

    public long verdictPosition() {
        return ALL.get(ValueLayout.JAVA_LONG, base + LaneLayout.VERDICT_POSITION_AT);
    }

    public int verdictSyndrome() {
        return ALL.get(ValueLayout.JAVA_INT, base + LaneLayout.VERDICT_SYNDROME_AT);
    }

    /// Makes the responder retry the request of its last verdict.
    public void requestRetry() {
        INT.setRelease(ALL, base + LaneLayout.RETRY_AT, verdictsSeen);
    }

    public void publishRepliesConsumed(long position) {
        LONG.setRelease(ALL, base + LaneLayout.REPLIES_CONSUMED_AT, position);
    }

    /// Wakes the responder after a store that it waits for, if it is asleep, and increments the news if it does not
    /// poll this lane.
    public void wakeResponder() {
        peer.fence();
        if ((int) INT.getOpaque(ALL, base + LaneLayout.QUIET_AT) != 0) {
            peer.countNews(receiveQueueSlot);
        }
        peer.wake(receiveQueueSlot);
    }

    /// Begins a direct access. Callers check only afterwards whether it is allowed. Pairs with the rare side after
    /// [OwnLane#refuseAccess]: either this side sees the refusal, or the peer sees this side busy.
    public void enterMemory(long role) {
        INT.setOpaque(ALL, base + role, 1);
        peer.fence();
    }

    public void leaveMemory(long role) {
        INT.setRelease(ALL, base + role, 0);
    }

    /// The direct access that is allowed at the moment; see [LaneLayout#accepts] and [LaneLayout#domain].
    public long accepting() {
        return (long) LONG.getAcquire(ALL, base + LaneLayout.ACCEPTING_AT);
    }

    /// Changes with each word that the requester writes for the responder.
    long activity() {
        return requests.tail()
                + (int) INT.getOpaque(ALL, base + LaneLayout.RETRY_AT)
                + (long) LONG.getOpaque(ALL, base + LaneLayout.REPLIES_CONSUMED_AT);
    }

    /// Only when no thread can access the lane.
    void close() {
        shared.close();
    }
}
