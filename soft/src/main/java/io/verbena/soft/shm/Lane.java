package io.verbena.soft.shm;

import static io.verbena.soft.shm.DeviceLayout.INT;
import static io.verbena.soft.shm.DeviceLayout.LONG;

import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.engine.Destination;
import io.verbena.soft.engine.Outlet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Puts packets of one connection into the peer's inbox. Until the peer has one they are dropped, as a network drops
/// packets to a queue pair that is not ready: timers repeat them. Owned by the engine.
public final class Lane implements Outlet {
    /// Payload of a packet: enough that its headers do not count, little enough that the peer begins soon.
    public static final int MTU = 16384;

    /// From this many bytes on it pays that the peer fetches them itself.
    public static final int REFERENCE_FROM = 2048;

    private static final int MOST_HEADER_BYTES = 128;
    private static final MemorySegment NOWHERE = Arena.global().allocate(MTU + MOST_HEADER_BYTES);

    private static final int CELLS_PER_LINE = 64 / InboxLayout.CELL_BYTES;
    private static final int TOUCHED_AHEAD = 3 * CELLS_PER_LINE;
    private static final ValueLayout.OfInt INT_UNALIGNED = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG_UNALIGNED = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Sharing sharing;
    private final PeerDevice peer;
    private final int peerQp;
    private final long ownHigh;
    private final long ownLow;
    private final int ownQp;
    private int firstPsn;
    private SharedFile file;
    private MemorySegment memory = NOWHERE;
    private long tail;
    private long consumed;
    /// Cells up to this one have been touched, so that their cache lines are on the way here before they are filled.
    private long touchedEnd;

    /// An inbox of the peer's queue pair that is not for this connection, such as an earlier one's: no need to open it
    /// for each packet.
    private long othersInbox;
    /// What is acknowledged with the next short message; 0 for nothing.
    private int owed;

    /// Counts what was told beside the ring.
    private int acknowledgements;

    private PeerRegion lastRegion;

    private boolean refused;
    /// Whether packets went in since the peer was woken last.
    boolean touched;

    Lane(Sharing sharing, PeerDevice peer, int peerQp, long ownHigh, long ownLow, int ownQp) {
        this.sharing = sharing;
        this.peer = peer;
        this.peerQp = peerQp;
        this.ownHigh = ownHigh;
        this.ownLow = ownLow;
        this.ownQp = ownQp;
    }

    /// The PSN of the first packet; a peer that expects another one is not in step and does nothing.
    public void firstPsn(int psn) {
        firstPsn = psn;
    }

    private boolean attach() {
        if (file != null) {
            return true;
        }
        long id = peer.isGone() ? 0 : peer.inboxOf(peerQp);
        SharedFile opened = id == 0 || id == othersInbox ? null : peer.openInbox(id);
        if (opened == null) {
            return false;
        }
        MemorySegment there = opened.memory();
        if (!InboxLayout.isMeantFor(there, ownHigh, ownLow, ownQp)) {
            // Whom it is meant for is written before it is shown, and stays.
            othersInbox = id;
            opened.close();
            return false;
        }
        file = opened;
        memory = there;
        return true;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public int claim() {
        return claim(0);
    }

    @Override
    public int claim(int payloadBytes) {
        refused = false;
        if (file == null && !attach()) {
            return 0;
        }
        int cells = InboxLayout.cells(MOST_HEADER_BYTES + payloadBytes);
        int place = (int) (tail & InboxLayout.CELLS - 1);
        int skipped = place + cells > InboxLayout.CELLS ? InboxLayout.CELLS - place : 0;
        // One cell more: the mark behind the packet is cleared.
        if (!isFree(skipped + cells + 1)) {
            refused = true;
            return -1;
        }
        if (skipped > 0) {
            skip(skipped);
        }
        return InboxLayout.cellAt(tail) + InboxLayout.PACKET;
    }

    private boolean isFree(int cells) {
        long end = tail + cells;
        if (end - consumed <= InboxLayout.CELLS) {
            return true;
        }
        // The peer's word is taken for what it can be: it neither consumes what is not there, nor takes it back.
        long told = (long) LONG.getAcquire(memory, InboxLayout.CONSUMED_AT);
        if (told > consumed && told <= tail) {
            consumed = told;
        }
        return end - consumed <= InboxLayout.CELLS;
    }

    private void skip(int cells) {
        int at = InboxLayout.cellAt(tail);
        memory.set(ValueLayout.JAVA_LONG, at + (long) InboxLayout.FORM, InboxLayout.form(InboxLayout.SKIP, 0));
        publish(at, cells, 0);
    }

    private void publish(int at, int cells, int acknowledgement) {
        long end = tail + cells;
        clear(end);
        LONG.setRelease(memory, at + (long) InboxLayout.MARK, InboxLayout.marked(tail, acknowledgement));
        tail = end;
        long ahead = end + TOUCHED_AHEAD & -CELLS_PER_LINE;
        if (ahead != touchedEnd && ahead < consumed + InboxLayout.CELLS) {
            touchedEnd = ahead;
            clear(ahead);
        }
    }

    private void clear(long cell) {
        LONG.set(memory, InboxLayout.cellAt(cell) + (long) InboxLayout.MARK, 0L);
    }

    @Override
    public boolean isRefused() {
        return refused;
    }

    @Override
    public void send(int from, int payloadEnd, int padCount, Destination destination) {
        if (file == null) {
            return;
        }
        // The ICRC is not there, since nothing can fall over on the way; it counts all the same, as in any packet.
        commit(from, payloadEnd + padCount + RoceConstants.ICRC_BYTES, InboxLayout.WHOLE);
    }

    /// A packet whose payload stays where it is, in a region of this device: the peer fetches it.
    public void sendReference(int from, int payloadAt, SharedRegion region, long offset, int payloadBytes) {
        if (file == null) {
            return;
        }
        memory.set(INT_UNALIGNED, payloadAt + (long) InboxLayout.REFERENCE_SLOT, sharing.slotOf(region));
        memory.set(INT_UNALIGNED, payloadAt + (long) InboxLayout.REFERENCE_LENGTH, payloadBytes);
        memory.set(LONG_UNALIGNED, payloadAt + (long) InboxLayout.REFERENCE_REGISTRATION, region.registration());
        memory.set(LONG_UNALIGNED, payloadAt + (long) InboxLayout.REFERENCE_OFFSET, offset);
        commit(from, payloadAt + InboxLayout.REFERENCE_BYTES, InboxLayout.REFERENCE);
    }

    /// A SEND of one packet whose payload was put where [#claim(int)] said, with what is owed to the peer.
    public void sendShort(int from, int bytes, int psn, boolean solicited) {
        int at = from - InboxLayout.PACKET;
        memory.set(ValueLayout.JAVA_LONG, at + (long) InboxLayout.FORM, InboxLayout.shortForm(bytes, psn, solicited));
        publish(at, InboxLayout.cells(bytes), owed);
        owed = 0;
    }

    /// Everything up to that PSN is carried out: told with the next short message, or by [#settle].
    public void owe(int psn) {
        owed = InboxLayout.ACKNOWLEDGED | psn;
    }

    /// Whether the peer was not told yet what is carried out.
    public boolean owes() {
        return owed != 0;
    }

    /// Tells the peer what is owed.
    public void settle() {
        int psn = owed & InboxLayout.PSN;
        owed = 0;
        acknowledge(psn);
    }

    /// Tells the peer that everything up to that PSN is carried out. Costs less than a packet.
    public void acknowledge(int psn) {
        if (file != null || attach()) {
            acknowledgements += InboxLayout.NUMBER_STEP;
            INT.setRelease(memory, InboxLayout.ACKNOWLEDGED_AT, InboxLayout.ACKNOWLEDGED | acknowledgements | psn);
            touch();
        }
    }

    @Override
    public void sendCountedTwice(int from, int end, Destination destination) {
        send(from, end, 0, destination);
    }

    private void commit(int from, int end, int kind) {
        int at = from - InboxLayout.PACKET;
        int bytes = end - from;
        memory.set(ValueLayout.JAVA_LONG, at + (long) InboxLayout.FORM, InboxLayout.form(kind, bytes));
        publish(at, InboxLayout.cells(bytes), 0);
        touch();
    }

    private void touch() {
        if (!touched) {
            touched = true;
            sharing.onTouched(this);
        }
    }

    void wakePeer() {
        touched = false;
        wake();
    }

    /// Wakes the peer if it sleeps, or does not look into this inbox.
    public void wake() {
        // Packets first, then the look whether the peer sleeps; it does it the other way round.
        peer.fence();
        if (file != null && (int) INT.getVolatile(memory, InboxLayout.QUIET_AT) != 0) {
            peer.tellNews();
        }
        peer.wake();
    }

    /// Whether packets have gone into the peer's inbox.
    public boolean isOpened() {
        return file != null;
    }

    /// Whether the peer has an inbox that packets go into.
    public boolean isAttached() {
        return file != null || attach();
    }

    /// Whether the peer's queue pair is at work. Its memory may be entered then.
    public boolean isOpen() {
        return !peer.isGone()
                && isAttached()
                && InboxLayout.isAccepting((long) LONG.getVolatile(memory, InboxLayout.ACCEPTING_AT));
    }

    /// Whether it takes requests with these rights just now, without its processor's help. An inbox must be there.
    public boolean accepts(int rights) {
        long told = (long) LONG.getVolatile(memory, InboxLayout.ACCEPTING_AT);
        return InboxLayout.isAccepting(told)
                && (InboxLayout.access(told) & rights) == rights
                && memory.get(ValueLayout.JAVA_INT, InboxLayout.FIRST_PSN_AT) == firstPsn
                && !peer.isGone();
    }

    /// The region of that key, or null when it is to be reached through the peer's engine. Whether it is still open is
    /// to be looked at after [#enterMemory].
    public PeerRegion region(int key) {
        PeerRegion known = lastRegion;
        if (known == null || known.key != key || !known.isOpen()) {
            known = peer.region(key);
            lastRegion = known;
        }
        return known;
    }

    /// The protection domain of the peer's queue pair.
    public int domain() {
        return memory.get(ValueLayout.JAVA_INT, InboxLayout.DOMAIN_AT);
    }

    /// From here to [#leaveMemory] the peer's regions may be touched if they are open; closing one waits for the end.
    public void enterMemory() {
        INT.setOpaque(memory, InboxLayout.BUSY_AT, 1);
        peer.fence();
    }

    public void leaveMemory() {
        INT.setRelease(memory, InboxLayout.BUSY_AT, 0);
    }

    boolean mend() {
        return file != null && file.mend();
    }

    void close() {
        memory = NOWHERE;
        lastRegion = null;
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
