package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// XRC extended transport header: the shared receive queue a request is for.
public final class XrcEth {
    public static final int BYTES = 4;

    private XrcEth() {}

    /// The number of the shared receive queue that the packet goes to.
    public static int sharedReceiveQueue(MemorySegment p, long at) {
        return BigEndian.low24(p, at);
    }

    /// Sets the number of the shared receive queue that the packet goes to.
    public static void sharedReceiveQueue(MemorySegment p, long at, int value) {
        BigEndian.low24(p, at, value);
    }
}
