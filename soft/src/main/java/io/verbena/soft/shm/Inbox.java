package io.verbena.soft.shm;

import static io.verbena.soft.shm.DeviceLayout.INT;
import static io.verbena.soft.shm.DeviceLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Packets that the peer of one connection has put into shared memory for it. The peer may be wrong or gone: lengths
/// are
/// checked before they are believed. Owned by the engine; anybody may ask whether there is news.
public final class Inbox {
    private final SharedFile file;
    private final MemorySegment memory;
    private final long id;
    private long head;
    private long told;
    private boolean broken;
    private long acknowledged;

    private int packetAt;
    private int packetBytes;
    private int kind;

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
        memory.set(ValueLayout.JAVA_INT, InboxLayout.ACCESS_AT, access);
        memory.set(ValueLayout.JAVA_INT, InboxLayout.DOMAIN_AT, domain);
        INT.setVolatile(memory, InboxLayout.ACCEPTING_AT, accepting ? 1 : 0);
    }

    /// Whether a packet may be there. From any thread; for one that does not own the engine it is a hint.
    public boolean hasNews() {
        try {
            return hasPacket() || (long) LONG.getAcquire(memory, InboxLayout.ACKNOWLEDGED_AT) != acknowledged;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    public boolean hasPacket() {
        return (long) LONG.getAcquire(memory, InboxLayout.lineAt(head) + (long) InboxLayout.MARK) == head + 1;
    }

    /// What the peer has acknowledged so far; to be looked at before the packets, and believed after them: those that
    /// came before it are there then.
    public long acknowledged() {
        return (long) LONG.getAcquire(memory, InboxLayout.ACKNOWLEDGED_AT);
    }

    /// The PSN of an acknowledgement that was not seen before, or -1.
    public int take(long newlyAcknowledged) {
        if (newlyAcknowledged == acknowledged) {
            return -1;
        }
        acknowledged = newlyAcknowledged;
        return (int) newlyAcknowledged & 0xFF_FFFF;
    }

    /// Moves to the next packet; false when there is none.
    public boolean next() {
        while (!broken && hasPacket()) {
            int at = InboxLayout.lineAt(head);
            kind = memory.get(ValueLayout.JAVA_INT, at + (long) InboxLayout.KIND);
            if (kind == InboxLayout.SKIP) {
                // Behind one there is a packet: a peer that lets us run in circles is broken.
                broken = (head & InboxLayout.LINES - 1) == 0;
                head = (head | InboxLayout.LINES - 1) + 1;
                continue;
            }
            packetBytes = memory.get(ValueLayout.JAVA_INT, at + (long) InboxLayout.LENGTH);
            packetAt = at + InboxLayout.PACKET;
            boolean known = kind == InboxLayout.WHOLE || kind == InboxLayout.REFERENCE;
            broken = !known || packetBytes < 0 || packetAt + (long) packetBytes > InboxLayout.BYTES;
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
        head += InboxLayout.lines(packetBytes);
    }

    /// Tells the peer which lines are free again: at times, because it costs the peer's processor a miss.
    public void settle() {
        if (head != told) {
            told = head;
            LONG.setRelease(memory, InboxLayout.CONSUMED_AT, head);
        }
    }

    /// Lines that are free and not told yet.
    public long untold() {
        return head - told;
    }

    public MemorySegment memory() {
        return memory;
    }

    public int packetAt() {
        return packetAt;
    }

    public int packetBytes() {
        return packetBytes;
    }

    /// Whether the packet's payload lies in a region of the peer; where is told in its last bytes.
    public boolean isReference() {
        return kind == InboxLayout.REFERENCE;
    }

    /// Whether the owner looks here only when it is told that there is news somewhere.
    void quiet(boolean quiet) {
        INT.setVolatile(memory, InboxLayout.QUIET_AT, quiet ? 1 : 0);
    }

    /// Whether the peer is at this device's memory just now.
    boolean isPeerBusy() {
        try {
            return (int) INT.getVolatile(memory, InboxLayout.BUSY_AT) != 0;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    void close() {
        file.close();
    }
}
