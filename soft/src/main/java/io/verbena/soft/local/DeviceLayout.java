package io.verbena.soft.local;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Where things lie in the memory that a device shows to its neighbours: who it is, whether somebody looks at its
/// lanes, its queue pairs, and the regions that neighbours may reach by themselves. The device alone writes it, except
/// for the wake-up words and the news. Pages that nobody touches take no room.
final class DeviceLayout {
    static final long MAGIC = 0x56_45_52_42_45_4E_41_05L;

    static final long MAGIC_AT = 0;
    /// Whether its process makes the rare side of an asymmetric fence where it looks at what neighbours store.
    static final long FENCES_AT = 8;

    static final long BELL_AT = 12;

    /// As the word ASLEEP of a completion queue, for what only the engine deals with.
    static final long ENGINE_ASLEEP_AT = 64;

    /// Counted up by neighbours that have something for the engine: a verdict, a lane, another path.
    static final long ENGINE_NEWS_AT = 128;

    static final int COMPLETION_QUEUES = 1 << 16;

    /// More than twice the queue pairs of a device: the table of queue pairs gives no two the same slot.
    static final int QUEUE_PAIRS = 1 << 17;

    static final int REGIONS = 4096;

    private static final long QUEUES_AT = 4096;
    private static final long QUEUE_BYTES = 128;
    private static final long QUEUE_PAIRS_AT = QUEUES_AT + COMPLETION_QUEUES * QUEUE_BYTES;
    private static final long QUEUE_PAIR_BYTES = 32;
    private static final long REGIONS_AT = QUEUE_PAIRS_AT + QUEUE_PAIRS * QUEUE_PAIR_BYTES;
    private static final long REGION_BYTES = 64;
    static final long BYTES = REGIONS_AT + REGIONS * REGION_BYTES;

    /// In a completion queue's slot, on lines of their own: whether somebody must ring the bell because nobody looks
    /// at its lanes, and what neighbours count up that put something into a lane which is not looked at each time.
    static final long ASLEEP = 0;

    static final long NEWS = 64;

    /// In a queue pair's slot: its number plus one (0 when there is none), its path, and where its lane is.
    static final long NUMBER = 0;

    static final long PATH = 8;
    static final long LANE_DESCRIPTOR = 12;
    static final long LANE_NONCE = 16;

    /// Counted up by the peer that has something for the engine about this queue pair.
    static final long QUEUE_PAIR_NEWS = 24;

    /// A region's slot begins with a number that no other registration ever has, 0 when there is none; then:
    static final long KEY = 8;
    static final long ACCESS = 12;
    static final long ADDRESS = 16;
    static final long LENGTH = 24;
    static final long REGION_NONCE = 32;
    static final long REGION_DESCRIPTOR = 40;
    static final long DOMAIN = 44;

    static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private DeviceLayout() {}

    static long queueAt(int slot) {
        // The slots of neighbours come from their memory, and may be anything.
        return QUEUES_AT + (slot & COMPLETION_QUEUES - 1) * QUEUE_BYTES;
    }

    static long queuePairAt(int number) {
        return QUEUE_PAIRS_AT + (number & QUEUE_PAIRS - 1) * QUEUE_PAIR_BYTES;
    }

    static int regionSlot(int key) {
        return key >>> 8 & REGIONS - 1;
    }

    static long regionAt(int slot) {
        return REGIONS_AT + slot * REGION_BYTES;
    }

    static long load(MemorySegment memory, long at) {
        return (long) LONG.getAcquire(memory, at);
    }
}
