package io.verbena.soft.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The frames to be sent, first in, first out, in memory without gaps. Frames of one length may form a train, which is
/// sent as one datagram that the system splits; the last frame may be shorter. Each train, or single frame, is an
/// entry.
///
/// Memory is used from the front again whenever the queue is empty, so after every flush into a socket with room. That
/// keeps the memory in the cache, and no batch ever wraps around.
///
/// The memory is garbage collected: a late frame handler or caller never touches freed memory.
final class FrameQueue {
    static final int ENTRIES = 64;

    /// The limit of all systems with segmentation offload.
    static final int MOST_IN_TRAIN = 64;

    /// The longest datagram of IPv4.
    static final int MOST_TRAIN_BYTES = 65_507;

    private static final int ALIGNMENT = 128;
    private static final int FRAME_ALIGNMENT = 4;

    private final MemorySegment memory = frames(ENTRIES);
    private final ByteBuffer bytes = memory.asByteBuffer();
    private final int[] starts = new int[ENTRIES];
    private final int[] lengths = new int[ENTRIES];
    private final int[] frameLengths = new int[ENTRIES];
    private final int[] counts = new int[ENTRIES];
    private int head;
    private int tail;
    private int end;

    /// Allocates adjacent slots for frames.
    static MemorySegment frames(int slots) {
        return Arena.ofAuto().allocate((long) slots * Wire.FRAME_BYTES, ALIGNMENT);
    }

    MemorySegment memory() {
        return memory;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /// Offset of a free frame, the same until it is committed, or -1.
    int claim() {
        return tail == ENTRIES || end + Wire.FRAME_BYTES > bytes.capacity() ? -1 : end;
    }

    /// Offset of the claimed frame, if there is one.
    int claimed() {
        return end;
    }

    /// Appends the claimed frame as an entry of its own, and returns the number of the entry.
    int commit(int offset, int length) {
        requireClaimed(offset);
        int entry = tail++;
        starts[entry] = offset;
        lengths[entry] = length;
        frameLengths[entry] = length;
        counts[entry] = 1;
        end = offset + (length + FRAME_ALIGNMENT - 1 & -FRAME_ALIGNMENT);
        return entry;
    }

    /// Whether the claimed frame may be appended to the train of the newest entry.
    boolean joins(int length) {
        int last = tail - 1;
        return tail > head
                && length <= frameLengths[last]
                && starts[last] + lengths[last] == end
                && lengths[last] == counts[last] * frameLengths[last]
                && counts[last] < MOST_IN_TRAIN
                && lengths[last] + length <= MOST_TRAIN_BYTES;
    }

    /// Appends the claimed frame to the train of the newest entry, after [#joins] returned true, and returns the number
    /// of the entry.
    int join(int offset, int length) {
        requireClaimed(offset);
        int entry = tail - 1;
        lengths[entry] += length;
        counts[entry]++;
        end = offset + (length + FRAME_ALIGNMENT - 1 & -FRAME_ALIGNMENT);
        return entry;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /// The oldest entry.
    int head() {
        return head;
    }

    /// The number of entries from [#head] on.
    int entries() {
        return tail - head;
    }

    /// The newest entry.
    int last() {
        return tail - 1;
    }

    int start(int entry) {
        return starts[entry];
    }

    /// All bytes of an entry.
    int length(int entry) {
        return lengths[entry];
    }

    /// Frames of an entry.
    int count(int entry) {
        return counts[entry];
    }

    /// Length of the frames of an entry, except for the last one.
    int frameLength(int entry) {
        return frameLengths[entry];
    }

    /// Drops the oldest `n` entries.
    void release(int n) {
        head += n;
        if (head == tail) {
            clear();
        }
    }

    void clear() {
        head = 0;
        tail = 0;
        end = 0;
    }

    private void requireClaimed(int offset) {
        int claimed = claim();
        if (claimed < 0 || offset != claimed) {
            throw new IllegalStateException("commit frame at " + offset + ": claim gave "
                    + (claimed < 0 ? "none" : claimed) + "; commit the frame claimed last");
        }
    }
}
