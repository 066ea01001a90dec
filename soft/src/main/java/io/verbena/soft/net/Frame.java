package io.verbena.soft.net;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A received frame, with fields of its IP and UDP headers: one reused view per wire, valid during the call of the
/// [FrameHandler] only.
///
/// Addresses are two longs in GID form. The destination is the wire's own address, or the group that a multicast
/// packet was sent to.
public final class Frame {
    private final MemorySegment memory;
    private final ByteBuffer bytes;
    private int offset;
    private int length;
    private long sourceHigh;
    private long sourceLow;
    private int sourcePort;
    private long destinationHigh;
    private long destinationLow;
    private long traffic = Traffic.DEFAULT;

    /// Over buffers that show the same memory.
    Frame(MemorySegment memory, ByteBuffer bytes) {
        this.memory = memory;
        this.bytes = bytes;
    }

    void show(int newOffset, int newLength) {
        offset = newOffset;
        length = newLength;
    }

    void from(long high, long low, int port) {
        sourceHigh = high;
        sourceLow = low;
        sourcePort = port;
    }

    void to(long high, long low) {
        destinationHigh = high;
        destinationLow = low;
    }

    void traffic(long newTraffic) {
        traffic = newTraffic;
    }

    public MemorySegment memory() {
        return memory;
    }

    /// The same as [#memory]; position and limit have no meaning.
    public ByteBuffer bytes() {
        return bytes;
    }

    /// Where the BTH starts.
    public int offset() {
        return offset;
    }

    /// From the BTH to the end of the ICRC. A datagram longer than [Wire#FRAME_BYTES] is truncated to that length.
    public int length() {
        return length;
    }

    public long sourceHigh() {
        return sourceHigh;
    }

    public long sourceLow() {
        return sourceLow;
    }

    public int sourcePort() {
        return sourcePort;
    }

    public long destinationHigh() {
        return destinationHigh;
    }

    public long destinationLow() {
        return destinationLow;
    }

    /// Whether it was sent to a multicast group.
    public boolean isToGroup() {
        return SocketAddresses.isGroup(destinationHigh, destinationLow);
    }

    /// Traffic class, hop limit and flow label, packed as [Traffic] does it. The default, unless the wire can read them
    /// and [Wire#revealTraffic] was called.
    public long traffic() {
        return traffic;
    }
}
