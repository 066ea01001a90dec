package io.verbena.soft.local;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The layout of a device page: the identity of the device, whether a thread polls its lanes, its queue pairs, and the
/// regions open to direct access. Only the device writes to it, except for the wake-up words and the news. Memory pages
/// that are never touched take no memory.
final class DeviceLayout {
    static final long MAGIC = 0x56_45_52_42_45_4E_41_06L;

    static final long MAGIC_AT = 0;
    /// Whether its process uses the rare side of an asymmetric fence before it reads words that neighbours store.
    static final long FENCES_AT = 8;

    static final long BELL_AT = 12;

    /// Like the word ASLEEP of a completion queue, for events that only the engine handles.
    static final long ENGINE_ASLEEP_AT = 64;

    /// Incremented by neighbours that have published something for the engine: a verdict, a lane, another path.
    static final long ENGINE_NEWS_AT = 128;

    static final int COMPLETION_QUEUES = 1 << 16;

    /// More than twice the limit of queue pairs: `QueuePairTable` never gives two of them the same slot.
    static final int QUEUE_PAIRS = 1 << 17;

    /// `MemoryTable` gives no two keys the same slot while it is no larger than this, so for half as many keys.
    static final int REGIONS = 1 << 13;

    private static final long QUEUES_AT = 4096;
    private static final long QUEUE_BYTES = 128;
    private static final long QUEUE_PAIRS_AT = QUEUES_AT + COMPLETION_QUEUES * QUEUE_BYTES;
    private static final long QUEUE_PAIR_BYTES = 32;
    private static final long REGIONS_AT = QUEUE_PAIRS_AT + QUEUE_PAIRS * QUEUE_PAIR_BYTES;
    private static final long REGION_BYTES = 64;
    static final long BYTES = REGIONS_AT + REGIONS * REGION_BYTES;

    /// The words in a completion queue's slot, each in a cache line of its own: whether neighbours must ring the bell
    /// because no thread polls the lanes, and the news, which neighbours increment after writing to a quiet lane.
    static final long ASLEEP = 0;

    static final long NEWS = 64;

    /// The words in a queue pair's slot: its number plus one (0 when there is none), its path, and the descriptor and
    /// nonce of its lane.
    static final long NUMBER = 0;

    static final long PATH = 8;
    static final long LANE_DESCRIPTOR = 12;
    static final long LANE_NONCE = 16;

    /// Incremented by the peer that has published something for the engine about this queue pair.
    static final long QUEUE_PAIR_NEWS = 24;

    /// A region's slot begins with the unique number of the registration, 0 when there is none. Then follow:
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
        // Slot numbers of neighbours come from their memory, and may be anything.
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
