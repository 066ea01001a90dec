package io.verbena.soft.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Where things lie in the file that a device shows to its neighbours: who it is, its queue pairs and the regions that
/// they may reach by themselves. Written by the device alone, except for the doorbell and the news.
final class DeviceLayout {
    static final long MAGIC = 0x56_45_52_42_45_4E_41_04L;

    static final long MAGIC_AT = 0;
    /// Whether its process makes a heavy fence where it looks at what neighbours store without a fence of their own.
    static final long FENCES_AT = 8;

    /// Whether somebody must ring the bell: nobody looks at the inboxes.
    static final long ASLEEP_AT = 64;

    /// Counted up by neighbours that put something into an inbox that is not looked at each time.
    static final long NEWS_AT = 128;

    static final int QUEUE_PAIRS = 4096;
    static final int REGIONS = 4096;

    private static final long SLOT_BYTES = 64;
    private static final long QUEUE_PAIRS_AT = 4096;
    private static final long REGIONS_AT = QUEUE_PAIRS_AT + QUEUE_PAIRS * SLOT_BYTES;
    static final long BYTES = REGIONS_AT + REGIONS * SLOT_BYTES;

    /// In a queue pair's slot: its number plus one, and the number of its inbox; 0 when there is none.
    static final long NUMBER = 0;

    static final long INBOX = 8;

    /// A region's slot begins with a number that no other registration ever has, 0 when there is none; then:
    static final long KEY = 8;
    static final long ACCESS = 12;
    static final long ADDRESS = 16;
    static final long LENGTH = 24;
    static final long FILE = 32;
    static final long DOMAIN = 40;

    static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private DeviceLayout() {}

    static long queuePairAt(int number) {
        return QUEUE_PAIRS_AT + (number & QUEUE_PAIRS - 1) * SLOT_BYTES;
    }

    static int regionSlot(int key) {
        return key >>> 8 & REGIONS - 1;
    }

    static long regionAt(int slot) {
        return REGIONS_AT + slot * SLOT_BYTES;
    }

    static long load(MemorySegment memory, long at) {
        return (long) LONG.getAcquire(memory, at);
    }
}
