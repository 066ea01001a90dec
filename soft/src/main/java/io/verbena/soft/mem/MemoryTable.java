package io.verbena.soft.mem;

import java.util.random.RandomGenerator;

/// The keys of a device's regions and windows. Owned by the engine.
///
/// A key is a 24-bit index and 8 bits that make keys of earlier lives of a slot fail: random ones for a region, for a
/// window those of its last binding. The slot is the index modulo the table's size, so looking up is one load and one
/// comparison whatever the number of keys; indices start at random, so keys cannot be guessed from one run to the
/// next.
public final class MemoryTable {
    private static final int INDEX_MASK = 0xFF_FFFF;

    private final RandomGenerator random;
    private final int maxRegions;
    private final int maxWindows;
    private MemoryKey[] slots = new MemoryKey[64];
    private int regions;
    private int windows;
    private int nextIndex;

    public MemoryTable(RandomGenerator random, int maxRegions, int maxWindows) {
        this.random = random;
        this.maxRegions = maxRegions;
        this.maxWindows = maxWindows;
        this.nextIndex = random.nextInt();
    }

    /// Gives it a free value; false when there are as many of its kind as the device takes.
    boolean add(MemoryKey key) {
        if (key.window() == null ? regions >= maxRegions : windows >= maxWindows) {
            return false;
        }
        if (regions + windows >= slots.length / 2) {
            grow();
        }
        place(key);
        count(key, 1);
        return true;
    }

    private void place(MemoryKey key) {
        int mask = slots.length - 1;
        while ((nextIndex & INDEX_MASK) == 0 || slots[nextIndex & mask] != null) {
            nextIndex++;
        }
        int index = nextIndex++;
        key.value((index & INDEX_MASK) << 8 | random.nextInt(256));
        slots[index & mask] = key;
    }

    private void count(MemoryKey key, int change) {
        if (key.window() == null) {
            regions += change;
        } else {
            windows += change;
        }
    }

    /// Nothing is open under the key any more, and its slot is free.
    void remove(MemoryKey key) {
        int slot = slot(key.value());
        if (slots[slot] == key) {
            slots[slot] = null;
            count(key, -1);
            key.revoke();
        }
    }

    /// Gives it another value; the old one opens nothing any more.
    void renew(MemoryKey key) {
        slots[slot(key.value())] = null;
        place(key);
    }

    private int slot(int value) {
        return value >>> 8 & slots.length - 1;
    }

    /// What is in use under that key, or null. It may be a window that opens nothing at the moment.
    public MemoryKey find(int value) {
        MemoryKey key = slots[slot(value)];
        return key != null && key.value() == value ? key : null;
    }

    /// The window whose keys have that index, whatever its present key is; or null.
    private MemoryKey findWindow(int value) {
        MemoryKey key = slots[slot(value)];
        return key != null && key.window() != null && (key.value() ^ value) >>> 8 == 0 ? key : null;
    }

    /// Whether `[address, address + length)` may be accessed under `value` by `user` with all of `rights`.
    public AccessCheck check(int value, MemoryUser user, long address, long length, int rights) {
        MemoryKey key = find(value);
        return key == null ? AccessCheck.BAD_KEY : key.check(user, address, length, rights);
    }

    /// Revokes the key of a type 2 window, as a request of this side's or of the peer's asks. A window that is not
    /// bound may be revoked again.
    public AccessCheck invalidate(MemoryUser user, int rkey) {
        MemoryKey key = find(rkey);
        if (key == null) {
            return AccessCheck.BAD_KEY;
        }
        AccessCheck check = WindowRules.mayRevoke(key, user);
        if (check == AccessCheck.OK) {
            key.revoke();
        }
        return check;
    }

    /// Binds a window to bytes of a region, or to nothing when `length` is 0. A refusal leaves it as it was.
    ///
    /// @param rkey names the window by its index, and is its key from then on
    public AccessCheck bind(MemoryUser user, int rkey, int lkey, long address, long length, int access) {
        MemoryKey window = findWindow(rkey);
        MemoryKey region = length == 0 ? null : find(lkey);
        if (window == null || length != 0 && region == null) {
            return AccessCheck.BAD_KEY;
        }
        AccessCheck check = WindowRules.mayBind(window, region, user, address, length, access);
        if (check == AccessCheck.OK) {
            WindowRules.bind(window, region, user, address, length, access);
            window.value(rkey);
        }
        return check;
    }

    /// A bind that was posted under that key will not happen: its window tells the key before again.
    public void onBindFailed(int rkey) {
        MemoryKey window = findWindow(rkey);
        if (window != null) {
            window.window().onBindFailed(rkey, window.value());
        }
    }

    /// Indices that differ modulo the old size differ modulo the new one, so entries never collide.
    private void grow() {
        MemoryKey[] old = slots;
        slots = new MemoryKey[old.length * 2];
        for (MemoryKey key : old) {
            if (key != null) {
                slots[slot(key.value())] = key;
            }
        }
    }
}
