package io.verbena.soft.shm;

import static io.verbena.soft.shm.DeviceLayout.INT;
import static io.verbena.soft.shm.DeviceLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Packets that the peer of one connection has put into shared memory for it. The peer may be wrong or gone:
/// lengths are checked before they are believed. Owned by the engine; anybody may ask whether there is news.
public final class Inbox {
    private static final int MOST_LOOKS_SAVED = 16;

    /// A small part of the ring, so that the largest packet has room however long the peer is not told.
    private static final int SETTLE_EVERY = InboxLayout.CELLS / 8;

    private final SharedFile file;
    private final MemorySegment memory;
    private final long id;
    private long head;
    private long told;
    private boolean broken;
    /// The acknowledgement taken last, and the one looked at last, which may not be believed yet.
    private int acknowledged;

    private boolean looked;
    private int seen;
    /// The acknowledgement that came with a packet and was not taken yet; 0 for none.
    private int carried;

    private long headWhenSeen;
    private int looksSaved;

    private int packetAt;
    private long form;

    private int referencedSlot;
    private int referencedBytes;
    private long referencedRegistration;
    private long referencedOffset;

    Inbox(SharedFile file, long id) {
        this.file = file;
        this.memory = file.memory();
        this.id = id;
    }

    long id() {
        return id;
    }

    void meantFor(long peerHigh, long peerLow, int peerQp, int firstPsn) {
        memory.set(ValueLayout.JAVA_LONG, InboxLayout.PEER_HIGH_AT, peerHigh);
        memory.set(ValueLayout.JAVA_LONG, InboxLayout.PEER_LOW_AT, peerLow);
        memory.set(ValueLayout.JAVA_INT, InboxLayout.PEER_QP_AT, peerQp);
        memory.set(ValueLayout.JAVA_INT, InboxLayout.FIRST_PSN_AT, firstPsn);
    }

    /// Tells the peer what it may do to memory by itself; nothing at all with `accepting` false.
    void tell(boolean accepting, int access, int domain) {
        memory.set(ValueLayout.JAVA_INT, InboxLayout.DOMAIN_AT, domain);
        LONG.setVolatile(memory, InboxLayout.ACCEPTING_AT, accepting ? InboxLayout.accepting(access) : 0L);
    }

    /// Whether a packet may be there. From any thread; for one that does not own the engine it is a hint.
    public boolean hasNews() {
        try {
            return hasPacket()
                    || carried != 0
                    || (int) INT.getAcquire(memory, InboxLayout.ACKNOWLEDGED_AT) != acknowledged;
        } catch (IllegalStateException closed) {
            return false;
        } catch (InternalError cut) {
            // Who takes packets finds out, and ends the connection.
            return !broken;
        }
    }

    public boolean hasPacket() {
        return InboxLayout.markOf(marked()) == InboxLayout.mark(head);
    }

    private long marked() {
        return (long) LONG.getAcquire(memory, InboxLayout.cellAt(head) + (long) InboxLayout.MARK);
    }

    /// Looks at what the peer has acknowledged, to be called before packets are taken. Looking costs a miss, so
    /// it waits while packets come, but not for ever.
    public void lookAtAcknowledgement() {
        if (!looked && (!hasPacket() || ++looksSaved > MOST_LOOKS_SAVED)) {
            looksSaved = 0;
            looked = true;
            seen = (int) INT.getAcquire(memory, InboxLayout.ACKNOWLEDGED_AT);
            headWhenSeen = head;
        }
    }

    /// The PSN of an acknowledgement that was not taken before, or -1. It is believed when all packets are
    /// taken that were there when it was looked at: they were put in before it.
    public int takeAcknowledgement() {
        if (!looked || hasPacket() && head - headWhenSeen < InboxLayout.CELLS) {
            return -1;
        }
        looked = false;
        if (seen == acknowledged) {
            return -1;
        }
        acknowledged = seen;
        return seen & InboxLayout.PSN;
    }

    /// Whether an acknowledgement that came with a packet was not taken yet.
    public boolean hasCarried() {
        return carried != 0;
    }

    /// The PSN of the acknowledgement that came last with a packet, or -1. It may be taken late, but before the packets
    /// behind it that are no short messages.
    public int takeCarried() {
        int taken = carried;
        carried = 0;
        return taken == 0 ? -1 : taken & InboxLayout.PSN;
    }

    /// The memory behind it is gone: somebody cut the file.
    public void breakDown() {
        broken = true;
    }

    /// Moves to the next packet; false when there is none.
    public boolean next() {
        while (!broken) {
            long marked = marked();
            if (InboxLayout.markOf(marked) != InboxLayout.mark(head)) {
                return false;
            }
            int at = InboxLayout.cellAt(head);
            form = memory.get(ValueLayout.JAVA_LONG, at + (long) InboxLayout.FORM);
            if (InboxLayout.kind(form) == InboxLayout.SKIP) {
                // Behind one there is a packet: a peer that lets us run in circles is broken.
                broken = (head & InboxLayout.CELLS - 1) == 0;
                head = (head | InboxLayout.CELLS - 1) + 1;
                continue;
            }
            if (InboxLayout.acknowledgementOf(marked) != 0) {
                carried = InboxLayout.acknowledgementOf(marked);
            }
            packetAt = at + InboxLayout.PACKET;
            broken = InboxLayout.kind(form) > InboxLayout.SHORT || packetAt + (long) packetBytes() > InboxLayout.BYTES;
            return !broken;
        }
        return false;
    }

    /// Whether the peer has written what no peer writes. Nothing more is taken then.
    public boolean isBroken() {
        return broken;
    }

    /// The packet of [#next] is not needed any more.
    public void release() {
        head += InboxLayout.cells(packetBytes());
    }

    /// Tells the peer which cells are free again: at times, because it costs the peer's processor a miss.
    public void settleInTime() {
        if (head - told >= SETTLE_EVERY) {
            settle();
        }
    }

    /// As [#settleInTime], at once.
    void settle() {
        if (head != told) {
            told = head;
            LONG.setRelease(memory, InboxLayout.CONSUMED_AT, head);
        }
    }

    public MemorySegment memory() {
        return memory;
    }

    public int packetAt() {
        return packetAt;
    }

    public int packetBytes() {
        return InboxLayout.bytes(form);
    }

    /// Whether it is a SEND of one packet, all payload.
    public boolean isShort() {
        return InboxLayout.kind(form) == InboxLayout.SHORT;
    }

    /// Of a short message.
    public int psn() {
        return InboxLayout.psn(form);
    }

    /// Of a short message.
    public boolean isSolicited() {
        return InboxLayout.isSolicited(form);
    }

    /// Whether the packet's payload lies in a region of the peer; where is told in its last bytes.
    public boolean isReference() {
        return InboxLayout.kind(form) == InboxLayout.REFERENCE;
    }

    /// Whether the packet has room for a reference behind so many bytes of headers.
    public boolean hasReference(int headerBytes) {
        return packetBytes() - headerBytes >= InboxLayout.REFERENCE_BYTES;
    }

    /// Reads the reference at that place, each part once: the peer may change it at any time.
    void readReference(long at) {
        referencedSlot = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at + InboxLayout.REFERENCE_SLOT);
        referencedBytes = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at + InboxLayout.REFERENCE_LENGTH);
        referencedRegistration = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + InboxLayout.REFERENCE_REGISTRATION);
        referencedOffset = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + InboxLayout.REFERENCE_OFFSET);
    }

    int referencedSlot() {
        return referencedSlot;
    }

    long referencedRegistration() {
        return referencedRegistration;
    }

    /// How many bytes of the region the payload is.
    public int referencedBytes() {
        return referencedBytes;
    }

    /// Where in the region the payload lies.
    public long referencedOffset() {
        return referencedOffset;
    }

    /// Whether the owner looks here only when it is told that there is news somewhere.
    void quiet(boolean quiet) {
        INT.setVolatile(memory, InboxLayout.QUIET_AT, quiet ? 1 : 0);
    }

    /// Whether the peer is at this device's memory just now.
    boolean isPeerBusy() {
        try {
            return (int) INT.getVolatile(memory, InboxLayout.BUSY_AT) != 0;
        } catch (IllegalStateException | InternalError gone) {
            return false;
        }
    }

    boolean mend() {
        return file.mend();
    }

    void close() {
        file.close();
    }
}
