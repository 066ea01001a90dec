package io.verbena.soft.shard;

import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// What the processes of one address know in common, in memory that all have mapped: who holds which shard, and which
/// shard listens on which port. Changed only under the lock of the [AddressTable], unless said.
final class AddressPage {
    static final int SHARDS = 1 << ShardNumbers.SHARD_BITS;

    /// Changes with the layout, with the number of shards, and with what the steering program does.
    private static final long MAGIC = 0x5645_5242_4741_0002L;

    private static final long MAGIC_AT = 0;
    private static final long HELD_AT = 8;
    private static final long ENTRIES_AT = 12;
    private static final long CHANGED_AT = 16;
    private static final long SHARDS_AT = 64;
    private static final long SHARD_BYTES = 64;
    private static final long PID_AT = 0;
    private static final long SEED_AT = 8;
    private static final long COUNT_AT = 16;

    private static final long LISTENERS_AT = 1 << 13;
    private static final long ENTRY_BYTES = 8;
    private static final long SHARD_AT = 4;
    private static final int MOST_ENTRIES = 1 << 16;
    /// No service id of a port.
    private static final int FREE = 0;

    private static final int STOPPED = 1 << 30;

    static final long BYTES = LISTENERS_AT + MOST_ENTRIES * ENTRY_BYTES;

    private final MemorySegment memory;

    /// Unmaps the memory when the page cannot be reached any more: threads may look here while the device closes.
    @SuppressWarnings("restricted")
    AddressPage(SealedMemory shared) {
        memory = shared.memory().reinterpret(Arena.ofAuto(), unreachable -> shared.close());
    }

    void begin() {
        memory.set(ValueLayout.JAVA_LONG, MAGIC_AT, MAGIC);
    }

    boolean isOfThisVersion() {
        return memory.get(ValueLayout.JAVA_LONG, MAGIC_AT) == MAGIC;
    }

    /// Whether the kernel's program is older than the page. It stays so when a process ends in the middle of a change.
    boolean isChanged() {
        return memory.get(ValueLayout.JAVA_INT, CHANGED_AT) != 0;
    }

    void isChanged(boolean changed) {
        memory.set(ValueLayout.JAVA_INT, CHANGED_AT, changed ? 1 : 0);
    }

    // ---- shards ----

    private static long at(int shard) {
        return SHARDS_AT + shard * SHARD_BYTES;
    }

    /// The process that holds a shard; 0 for none.
    long pid(int shard) {
        return memory.get(ValueLayout.JAVA_LONG, at(shard) + PID_AT);
    }

    void pid(int shard, long pid) {
        isChanged(true);
        memory.set(ValueLayout.JAVA_LONG, at(shard) + PID_AT, pid);
    }

    /// Of the order of the shard's queue pair numbers; 0 before anybody had it.
    long seed(int shard) {
        return memory.get(ValueLayout.JAVA_LONG, at(shard) + SEED_AT);
    }

    void seed(int shard, long seed) {
        memory.set(ValueLayout.JAVA_LONG, at(shard) + SEED_AT, seed);
    }

    /// How many numbers of the shard were given, by all who ever held it.
    int count(int shard) {
        return memory.get(ValueLayout.JAVA_INT, at(shard) + COUNT_AT);
    }

    int nextCount(int shard) {
        int count = count(shard);
        memory.set(ValueLayout.JAVA_INT, at(shard) + COUNT_AT, count + 1);
        return count;
    }

    /// How many shards are held, as of the last change. From any thread, without the lock.
    int held() {
        return (int) ValueLayout.JAVA_INT.varHandle().getOpaque(memory, HELD_AT);
    }

    void countHeld() {
        int held = 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            held += pid(shard) == 0 ? 0 : 1;
        }
        ValueLayout.JAVA_INT.varHandle().setOpaque(memory, HELD_AT, held);
    }

    // ---- listeners ----

    private static long entryAt(int entry) {
        return LISTENERS_AT + entry * ENTRY_BYTES;
    }

    /// Entries from there on were never used.
    private int entries() {
        return memory.get(ValueLayout.JAVA_INT, ENTRIES_AT);
    }

    private int serviceId(int entry) {
        return memory.get(ValueLayout.JAVA_INT, entryAt(entry));
    }

    /// The entry of a service id, which is never moved; -1 for none.
    private int find(long serviceId) {
        int count = entries();
        for (int entry = 0; entry < count; entry++) {
            if (serviceId(entry) == (int) serviceId) {
                return entry;
            }
        }
        return -1;
    }

    /// The shard that listens on a service id; -1 for none.
    int listener(long serviceId) {
        int entry = find(serviceId);
        return entry < 0 || !isActive(entry) ? -1 : shard(entry);
    }

    private int shard(int entry) {
        return memory.get(ValueLayout.JAVA_INT, entryAt(entry) + SHARD_AT) & ~STOPPED;
    }

    private boolean isActive(int entry) {
        return (memory.get(ValueLayout.JAVA_INT, entryAt(entry) + SHARD_AT) & STOPPED) == 0;
    }

    /// Who listens or listened on a service id, as [#restore] takes it; -1 for nobody.
    int remembered(long serviceId) {
        int entry = find(serviceId);
        return entry < 0 ? -1 : memory.get(ValueLayout.JAVA_INT, entryAt(entry) + SHARD_AT);
    }

    void restore(long serviceId, int remembered) {
        int entry = find(serviceId);
        if (remembered < 0) {
            memory.set(ValueLayout.JAVA_INT, entryAt(entry), FREE);
        } else {
            memory.set(ValueLayout.JAVA_INT, entryAt(entry) + SHARD_AT, remembered);
        }
    }

    /// False when there is no room.
    boolean listen(long serviceId, int shard) {
        isChanged(true);
        int entry = find(serviceId);
        entry = entry < 0 ? find(FREE) : entry;
        if (entry < 0) {
            entry = entries();
            if (entry == MOST_ENTRIES) {
                return false;
            }
            memory.set(ValueLayout.JAVA_INT, ENTRIES_AT, entry + 1);
        }
        memory.set(ValueLayout.JAVA_INT, entryAt(entry) + SHARD_AT, shard);
        memory.set(ValueLayout.JAVA_INT, entryAt(entry), (int) serviceId);
        return true;
    }

    /// The shard does not listen any more, but goes on getting requests that are repeated. Others may listen. Without
    /// the lock: only the shard itself changes its entry.
    void stopListening(long serviceId, int shard) {
        int entry = find(serviceId);
        if (entry >= 0 && shard(entry) == shard) {
            memory.set(ValueLayout.JAVA_INT, entryAt(entry) + SHARD_AT, shard | STOPPED);
        }
    }

    /// Forgets what a shard listened on.
    void clearListeners(int shard) {
        int count = entries();
        for (int entry = 0; entry < count; entry++) {
            if (serviceId(entry) != FREE && shard(entry) == shard) {
                memory.set(ValueLayout.JAVA_INT, entryAt(entry), FREE);
            }
        }
    }

    /// @param isActive whether it listens still
    record Listener(int serviceId, int shard, boolean isActive) {}

    List<Listener> listeners() {
        List<Listener> all = new ArrayList<>();
        int count = entries();
        for (int entry = 0; entry < count; entry++) {
            if (serviceId(entry) != FREE) {
                all.add(new Listener(serviceId(entry), shard(entry), isActive(entry)));
            }
        }
        return all;
    }
}
