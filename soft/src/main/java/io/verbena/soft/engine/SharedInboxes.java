package io.verbena.soft.engine;

import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.shm.Inbox;
import io.verbena.soft.shm.Lane;
import io.verbena.soft.shm.PeerRegion;
import io.verbena.soft.shm.SharedLink;
import io.verbena.soft.shm.Sharing;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/// Takes packets out of the inboxes of connections that go through shared memory, and gives them to their queue pairs.
/// The peer is a process of the same user, and may be wrong all the same. Owned by the engine.
public final class SharedInboxes {
    private static final int SHORTEST = Bth.BYTES + RoceConstants.ICRC_BYTES;
    /// Packets of one connection in one cycle, so that none starves the others.
    private static final int BUDGET = 32;

    /// How soon a neighbour's sudden end is noticed.
    private static final long LOOK_AROUND_EVERY_NS = 100_000_000;

    /// Faults at memory may be noticed late; those of later than this have another cause.
    private static final long BLAMED_NS = 1_000_000_000;

    /// So that a peer that never stops cannot keep a connection from ending.
    private static final int MOST_ROUNDS = 256;

    private final Engine engine;
    private final Sharing sharing;
    private final Counters counters;
    private final PacketView packet = new PacketView();
    private final MemorySegment headed = Arena.ofAuto().allocate(SHORTEST + Lane.REFERENCE_FROM, Long.BYTES);
    /// Packets taken of one connection in one cycle, for now.
    private int budget = BUDGET;

    private int count;
    /// The link whose packets are being taken; closing it waits until that is over.
    private SharedLink inHand;

    private boolean closeInHand;

    private final Timer lookAround = new Timer() {
        @Override
        public void onExpiry(long nowNs) {
            try {
                lookAround(nowNs);
            } finally {
                engine.onQueuePairsChanged();
            }
        }
    };
    /// Whether and when a file was found cut last.
    private boolean hasLost;

    private long lostNs;

    SharedInboxes(Engine engine, Sharing sharing, Counters counters) {
        this.engine = engine;
        this.sharing = sharing;
        this.counters = counters;
    }

    public void add(SoftQueuePair qp, SharedLink link) {
        link.owner(qp);
        count++;
        engine.onQueuePairsChanged();
    }

    /// Closes the link, at once or when its packet in hand is dealt with: while that is being fetched from the peer's
    /// memory, waiting for the peer, which may be doing the same, would be waiting for each other.
    public void remove(SharedLink link) {
        if (link == inHand) {
            closeInHand = true;
            return;
        }
        link.awaitQuiet();
        count--;
        sharing.disconnect(link);
        engine.onQueuePairsChanged();
    }

    /// Nothing is there, as any thread may say. The next packet may come alone, as in a ping-pong: then looking
    /// behind it would only make it late, since the peer has touched what lies there.
    void onIdle() {
        budget = 1;
    }

    int count() {
        return count;
    }

    /// While there are connections.
    void keepLookingAround() {
        if (!lookAround.isArmed()) {
            engine.timers().arm(lookAround, engine.nowNs() + LOOK_AROUND_EVERY_NS);
        }
    }

    /// Queue pairs whose peer's process has ended are told, again and again: they may have got new work since.
    private void lookAround(long nowNs) {
        if (!sharing.lookAround()) {
            return;
        }
        for (SharedLink link : sharing.links()) {
            if (link.isPeerGone()) {
                link.owner().service().onPeerGone(nowNs);
            }
        }
    }

    int receive(long nowNs) {
        int received = 0;
        for (SharedLink link : sharing.lookedAt()) {
            if (link.inbox().hasNews()) {
                link.onHeard();
                received += receive(link, link.owner(), nowNs);
            }
        }
        return received;
    }

    /// Takes all that is there of one connection, which is about to end: what arrived before the end counts.
    public void drain(SharedLink link, SoftQueuePair qp) {
        int rounds = MOST_ROUNDS;
        while (inHand == null && rounds-- > 0 && link.inbox().hasNews()) {
            receive(link, qp, engine.nowNs());
        }
    }

    private int receive(SharedLink link, SoftQueuePair qp, long nowNs) {
        Inbox inbox = link.inbox();
        int received = 0;
        inHand = link;
        try {
            received = take(link, inbox, qp, nowNs);
        } catch (InternalError cut) {
            inbox.breakDown();
            mend();
        } catch (RuntimeException e) {
            engine.onFault(qp, e);
        } finally {
            inHand = null;
        }
        if (inbox.isBroken() && !closeInHand) {
            counters.increment(Counter.DROPPED_BAD_SHARED);
            qp.service().onPeerBroken();
        }
        if (closeInHand) {
            closeInHand = false;
            remove(link);
        }
        return received;
    }

    /// There was a fault at memory that is shared: connections whose files somebody has cut end. False when there
    /// are none, now or before.
    boolean mend() {
        SharedLink[] lost = sharing.mend();
        for (SharedLink link : lost) {
            counters.increment(Counter.DROPPED_BAD_SHARED);
            link.owner().service().onPeerBroken();
        }
        if (lost.length > 0) {
            lostNs = engine.nowNs();
            hasLost = true;
        }
        return hasLost && engine.nowNs() - lostNs < BLAMED_NS;
    }

    /// Runs a task of the program's at shared memory.
    <T> T guard(Supplier<T> task) {
        try {
            return task.get();
        } catch (InternalError cut) {
            if (!mend()) {
                throw cut;
            }
            throw new RdmaException(
                    "use shared memory",
                    Errno.EIO,
                    "another program cut its files in /dev/shm, and connections have ended; connect again",
                    cut);
        }
    }

    private int take(SharedLink link, Inbox inbox, SoftQueuePair qp, long nowNs) {
        int received = 0;
        boolean carriedBefore = inbox.hasCarried();
        inbox.lookAtAcknowledgement();
        int most = budget;
        while (received < most && !closeInHand && inbox.next()) {
            received++;
            if (!inbox.isShort()) {
                takeCarried(inbox, qp, nowNs);
                deliver(link, inbox, qp, nowNs);
            } else if (!qp.service().receiveShort(inbox)) {
                takeCarried(inbox, qp, nowNs);
                deliverShort(inbox, qp, nowNs);
            }
            inbox.release();
        }
        if (!closeInHand) {
            if (received == 0 || carriedBefore) {
                takeCarried(inbox, qp, nowNs);
            }
            int psn = inbox.takeAcknowledgement();
            if (psn >= 0) {
                qp.service().onSharedAcknowledge(psn, nowNs);
            }
        }
        inbox.settleInTime();
        if (received == most) {
            budget = Math.min(BUDGET, most * 2);
        }
        return received;
    }

    /// What a packet acknowledged is less urgent than the packet, unless its order matters.
    private static void takeCarried(Inbox inbox, SoftQueuePair qp, long nowNs) {
        int psn = inbox.takeCarried();
        if (psn >= 0) {
            qp.service().onSharedAcknowledge(psn, nowNs);
        }
    }

    /// With the headers that it would have had.
    private void deliverShort(Inbox inbox, SoftQueuePair qp, long nowNs) {
        int bytes = inbox.packetBytes();
        if (bytes >= Lane.REFERENCE_FROM) {
            counters.increment(Counter.DROPPED_BAD_SHARED);
            return;
        }
        int pad = -bytes & 3;
        Bth.write(headed, 0, Opcode.RC_SEND_ONLY.code(), inbox.isSolicited(), pad, qp.number(), true, inbox.psn());
        MemorySegment.copy(inbox.memory(), inbox.packetAt(), headed, Bth.BYTES, bytes);
        packet.wrap(headed, 0, SHORTEST + bytes + pad, Opcode.RC_SEND_ONLY);
        hand(qp, nowNs);
    }

    private void deliver(SharedLink link, Inbox inbox, SoftQueuePair qp, long nowNs) {
        MemorySegment memory = inbox.memory();
        int at = inbox.packetAt();
        int length = inbox.packetBytes();
        Opcode opcode = length < SHORTEST ? null : Opcode.of(Bth.opcode(Bth.first(memory, at)));
        if (opcode == null || !packet.wrap(memory, at, length, opcode) || packet.destinationQp() != qp.number()) {
            counters.increment(Counter.DROPPED_BAD_SHARED);
            return;
        }
        if (inbox.isReference()) {
            fetch(link, qp, nowNs);
        } else {
            hand(qp, nowNs);
        }
    }

    private void hand(SoftQueuePair qp, long nowNs) {
        Counter fault = qp.service().admitsShared(packet);
        if (fault == null) {
            qp.service().onPacket(packet, nowNs);
        } else {
            counters.increment(fault);
        }
    }

    /// The payload is still in the peer's region, which must not be closed until it is copied. A region that is closed
    /// already is as a packet that was lost: the peer finds out when it repeats it.
    private void fetch(SharedLink link, SoftQueuePair qp, long nowNs) {
        Inbox inbox = link.inbox();
        boolean readable =
                inbox.hasReference(packet.opcode().headerBytes()) && link.lane().isOpen();
        PeerRegion region = readable ? link.referenced(packet.payloadAt()) : null;
        if (region == null) {
            counters.increment(Counter.DROPPED_BAD_SHARED);
            return;
        }
        link.lane().enterMemory();
        try {
            if (region.isOpen() && link.lane().isOpen()) {
                packet.payload(region.memory(), inbox.referencedOffset(), inbox.referencedBytes());
                hand(qp, nowNs);
            }
        } finally {
            link.lane().leaveMemory();
        }
    }
}
