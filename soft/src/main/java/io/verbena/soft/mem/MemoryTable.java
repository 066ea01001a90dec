package io.verbena.soft.mem;

import java.util.random.RandomGenerator;

/// The regions of a device by key. Owned by the engine.
///
/// A key is a 24-bit index and 8 random bits that make keys of earlier lives of a slot fail. The slot is the index
/// modulo the table's size, so looking up is one load and one comparison whatever the number of regions; indices
/// start at random, so keys cannot be guessed from one run to the next.
public final class MemoryTable {
    private final RandomGenerator random;
    private SoftMemoryRegion[] slots = new SoftMemoryRegion[64];
    /// The key of each slot's region: one that is being made does not know its own yet.
    private int[] keys = new int[slots.length];

    private int live;
    private int nextIndex;

    public MemoryTable(RandomGenerator random) {
        this.random = random;
        this.nextIndex = random.nextInt();
    }

    /// Gives the region a free key.
    public int add(SoftMemoryRegion region) {
        if (live >= slots.length / 2) {
            grow();
        }
        int mask = slots.length - 1;
        while ((nextIndex & 0xFF_FFFF) == 0 || slots[nextIndex & mask] != null) {
            nextIndex++;
        }
        int index = nextIndex++;
        int key = (index & 0xFF_FFFF) << 8 | random.nextInt(256);
        slots[index & mask] = region;
        keys[index & mask] = key;
        live++;
        return key;
    }

    public void remove(SoftMemoryRegion region) {
        int slot = region.lkey() >>> 8 & slots.length - 1;
        if (slots[slot] == region) {
            slots[slot] = null;
            live--;
        }
    }

    /// The live region with that key, or null.
    public SoftMemoryRegion find(int key) {
        int slot = key >>> 8 & slots.length - 1;
        return keys[slot] == key ? slots[slot] : null;
    }

    /// Whether `[address, address + length)` may be accessed under `key` by `user` with all of `rights`.
    public AccessCheck check(int key, MemoryUser user, long address, long length, int rights) {
        SoftMemoryRegion region = find(key);
        if (region == null) {
            return AccessCheck.BAD_KEY;
        }
        return region.check(user, address, length, rights);
    }

    public int size() {
        return live;
    }

    /// Indices that differ modulo the old size differ modulo the new one, so entries never collide.
    private void grow() {
        SoftMemoryRegion[] old = slots;
        int[] oldKeys = keys;
        slots = new SoftMemoryRegion[old.length * 2];
        keys = new int[slots.length];
        for (int i = 0; i < old.length; i++) {
            if (old[i] != null) {
                int slot = oldKeys[i] >>> 8 & slots.length - 1;
                slots[slot] = old[i];
                keys[slot] = oldKeys[i];
            }
        }
    }
}
