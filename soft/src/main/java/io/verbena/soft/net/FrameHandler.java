package io.verbena.soft.net;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Receives frames from a [Wire]. A datagram of [Wire#FRAME_BYTES] or more is handed over cut to that length.
/// Memory and bytes show the same buffer and are valid during the call only.
@FunctionalInterface
public interface FrameHandler {
    void onFrame(
            MemorySegment memory,
            ByteBuffer bytes,
            int offset,
            int length,
            long sourceHigh,
            long sourceLow,
            int sourcePort);
}
