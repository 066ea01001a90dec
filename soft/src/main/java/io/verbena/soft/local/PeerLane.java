package io.verbena.soft.local;

import static io.verbena.soft.local.LaneLayout.INT;
import static io.verbena.soft.local.LaneLayout.LONG;
import static io.verbena.soft.os.HostMemory.ALL;

import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The peer's lane, seen by the requester, whose requests go there.
public final class PeerLane {
    /// Which of this side's roles is in the peer's memory: each has a word of its own to say so.
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

    /// Whether the lane was made for that queue pair. It says so before it is announced, and never changes it.
    static boolean isMeantFor(SealedMemory shared, long ownHigh, long ownLow, int ownQp) {
        MemorySegment memory = shared.memory();
        return memory.get(ValueLayout.JAVA_LONG, LaneLayout.PEER_HIGH_AT) == ownHigh
                && memory.get(ValueLayout.JAVA_LONG, LaneLayout.PEER_LOW_AT) == ownLow
                && memory.get(ValueLayout.JAVA_INT, LaneLayout.PEER_QP_AT) == ownQp;
    }

    /// Takes the lane for this requester; false when an earlier life of the queue pair had it.
    boolean attach(int sendQueueSlot) {
        boolean first = INT.compareAndSet(ALL, base + LaneLayout.ATTACHED_AT, 0, 1);
        if (first) {
            ALL.set(ValueLayout.JAVA_INT, base + LaneLayout.SEND_QUEUE_SLOT_AT, sendQueueSlot);
        }
        return first;
    }

    /// The sequence number that the responder expects first. There are none in a lane, but a queue pair that would send
    /// another one is not in step.
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

    /// Whether the responder has said what is wrong since this was asked last.
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

    /// Lets the responder try again what its last verdict was about.
    public void goOn() {
        INT.setRelease(ALL, base + LaneLayout.GO_ON_AT, verdictsSeen);
    }

    public void repliesConsumed(long position) {
        LONG.setRelease(ALL, base + LaneLayout.REPLIES_CONSUMED_AT, position);
    }

    /// After a store that the responder waits for: wakes it where it sleeps, or does not look at this lane.
    public void wakeResponder() {
        peer.fence();
        if ((int) INT.getOpaque(ALL, base + LaneLayout.QUIET_AT) != 0) {
            peer.countNews(receiveQueueSlot);
        }
        peer.wake(receiveQueueSlot);
    }

    /// Enters the peer's memory. Whether that is allowed must be asked after it: the peer refuses first and looks who
    /// is inside afterwards.
    public void enterMemory(long role) {
        INT.setOpaque(ALL, base + role, 1);
        peer.fence();
    }

    public void leaveMemory(long role) {
        INT.setRelease(ALL, base + role, 0);
    }

    /// What the responder accepts just now; see [#accepts] and [#domain].
    public long accepting() {
        return (long) LONG.getAcquire(ALL, base + LaneLayout.ACCEPTING_AT);
    }

    /// Whether requests with these rights are served.
    public static boolean accepts(long accepting, int rights) {
        return LaneLayout.accepts(accepting, rights);
    }

    public static int domain(long accepting) {
        return LaneLayout.domain(accepting);
    }

    /// Changes with each word that the requester writes for the responder.
    long motion() {
        return requests.tail()
                + (int) INT.getOpaque(ALL, base + LaneLayout.GO_ON_AT)
                + (long) LONG.getOpaque(ALL, base + LaneLayout.REPLIES_CONSUMED_AT);
    }

    /// Only when no thread can be inside.
    void close() {
        shared.close();
    }
}
