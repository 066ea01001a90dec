package io.verbena.soft.mem;

import io.verbena.soft.local.SharedRegion;
import io.verbena.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/// The keys of a device's regions and windows.
///
/// A key is a 24-bit index and 8 bits that make keys of earlier lives of a slot fail: random ones for a region, for a
/// window those of its last binding. The place in the table is the index modulo the table's size, so looking up is two
/// loads and one comparison whatever the number of keys; indices start at random, so keys cannot be guessed from one
/// run to the next.
///
/// Any thread may look a key up, without a lock: it finds the key as it was or as it is after a change that happens
/// meanwhile, and each of them whole. Who uses a key looks it up once, and checks and uses what it found: looked up
/// twice, the same value may open something else. Changes take the table's own lock. It is the last one in the order
/// of locks: whoever holds it takes no other and runs no code of programs.
///
/// A change does not wait for threads that found the key before it; see
/// [io.verbena.soft.region.SoftMemoryRegion#awaitCopies].
public final class MemoryTable {
    private static final int INDEX_MASK = 0xFF_FFFF;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(MemoryKey[].class);

    private final RandomGenerator random;
    private final int maxRegions;
    private final int maxWindows;
    private final ReentrantLock lock = new ReentrantLock();
    /// A table that grows is another array: it is complete before readers see it, and the old one does not change any
    /// more. All below is changed under the lock.
    private volatile MemoryKey[] keys = new MemoryKey[64];

    private int regions;
    private int windows;
    private int nextIndex;

    /// @param random is asked by any thread that registers, so it must be safe for that
    public MemoryTable(RandomGenerator random, int maxRegions, int maxWindows) {
        this.random = random;
        this.maxRegions = maxRegions;
        this.maxWindows = maxWindows;
        this.nextIndex = random.nextInt();
    }

    /// What is in use under that key, or null. It may be a key that opens nothing at the moment.
    public MemoryKey find(int value) {
        MemoryKey key = at(keys, value);
        return key != null && key.value() == value ? key : null;
    }

    private static MemoryKey at(MemoryKey[] from, int value) {
        return (MemoryKey) ELEMENT.getAcquire(from, place(from, value));
    }

    private static int place(MemoryKey[] in, int value) {
        return value >>> 8 & in.length - 1;
    }

    /// Whether `[address, address + length)` may be accessed under `value` by `user` with all of `rights`. Only who
    /// does not go on to use the key may ask like this.
    public AccessCheck check(int value, MemoryUser user, long address, long length, int rights) {
        MemoryKey key = find(value);
        return key == null ? AccessCheck.BAD_KEY : key.check(user, address, length, rights);
    }

    /// Gives it a free key that opens nothing; false when there are as many of its kind as the device takes.
    public boolean add(KeySlot slot) {
        int lowBits = lowBits();
        lock.lock();
        try {
            if (slot.isWindow() ? windows >= maxWindows : regions >= maxRegions) {
                return false;
            }
            if (regions + windows >= keys.length / 2) {
                grow();
            }
            count(slot, 1);
            publish(MemoryKey.ofNothing(slot, freeValue(lowBits)));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Before the lock is taken, because a source of random numbers may have to wait.
    private int lowBits() {
        return random.nextInt(256);
    }

    private int freeValue(int lowBits) {
        int mask = keys.length - 1;
        while ((nextIndex & INDEX_MASK) == 0 || keys[nextIndex & mask] != null) {
            nextIndex++;
        }
        return (nextIndex++ & INDEX_MASK) << 8 | lowBits;
    }

    private void count(KeySlot slot, int change) {
        if (slot.isWindow()) {
            windows += change;
        } else {
            regions += change;
        }
    }

    /// Readers find this key from now on, instead of the one that its slot had under the same index.
    private void publish(MemoryKey key) {
        key.owner().key(key);
        ELEMENT.setVolatile(keys, place(keys, key.value()), key);
    }

    private void withdraw(MemoryKey key) {
        ELEMENT.setVolatile(keys, place(keys, key.value()), null);
    }

    private boolean holds(KeySlot slot) {
        return slot.key() != null && at(keys, slot.key().value()) == slot.key();
    }

    /// Opens a region under its present key, or opens it in another way than before. False, and nothing changed, while
    /// windows are bound to it.
    public boolean open(
            KeySlot slot,
            ProtectionDomain domain,
            MemorySegment memory,
            SharedRegion shared,
            long address,
            int access) {
        lock.lock();
        try {
            if (slot.hasWindows()) {
                return false;
            }
            publish(MemoryKey.ofRegion(slot, slot.key().value(), domain, memory, shared, address, access));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Nothing is open under the key any more, and its place is free. False, and nothing changed, while windows are
    /// bound to it.
    public boolean remove(KeySlot slot) {
        lock.lock();
        try {
            if (slot.hasWindows()) {
                return false;
            }
            if (holds(slot)) {
                withdraw(slot.key());
                count(slot, -1);
                slot.bindTo(null);
                slot.key(MemoryKey.ofNothing(slot, slot.key().value()));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Gives a region another key, which opens nothing yet; the old one opens nothing any more. False, and nothing
    /// changed, while windows are bound to it.
    public boolean renew(KeySlot slot) {
        int lowBits = lowBits();
        lock.lock();
        try {
            if (slot.hasWindows()) {
                return false;
            }
            withdraw(slot.key());
            publish(MemoryKey.ofNothing(slot, freeValue(lowBits)));
            return true;
        } finally {
            lock.unlock();
        }
    }

    public boolean hasWindows(KeySlot slot) {
        lock.lock();
        try {
            return slot.hasWindows();
        } finally {
            lock.unlock();
        }
    }

    /// The present key of the window whose keys have that index, whatever its low bits are; or null.
    private MemoryKey findWindow(int value) {
        MemoryKey key = at(keys, value);
        return key != null && key.window() != null && (key.value() ^ value) >>> 8 == 0 ? key : null;
    }

    /// Revokes the key of a type 2 window, as a request of this side's or of the peer's asks. A window that is not
    /// bound may be revoked again.
    public AccessCheck invalidate(MemoryUser user, int rkey) {
        lock.lock();
        try {
            MemoryKey key = find(rkey);
            if (key == null) {
                return AccessCheck.BAD_KEY;
            }
            AccessCheck check = WindowRules.mayRevoke(key, user);
            if (check == AccessCheck.OK) {
                key.owner().bindTo(null);
                publish(MemoryKey.ofNothing(key.owner(), rkey));
            }
            return check;
        } finally {
            lock.unlock();
        }
    }

    /// Binds a window to bytes of a region, or to nothing when `length` is 0. A refusal leaves it as it was.
    ///
    /// @param rkey names the window by its index, and is its key from then on
    public AccessCheck bind(MemoryUser user, int rkey, int lkey, long address, long length, int access) {
        lock.lock();
        try {
            MemoryKey window = findWindow(rkey);
            MemoryKey region = length == 0 ? null : find(lkey);
            if (window == null || length != 0 && region == null) {
                return AccessCheck.BAD_KEY;
            }
            AccessCheck check = WindowRules.mayBind(window, region, user, address, length, access);
            if (check == AccessCheck.OK) {
                window.owner().bindTo(region == null ? null : region.owner());
                publish(WindowRules.bound(window.owner(), rkey, region, user, address, length, access));
            }
            return check;
        } finally {
            lock.unlock();
        }
    }

    /// A bind that was posted under that key will not happen: its window tells the key before again. Under the lock,
    /// so that no other bind gives it a newer one in between.
    public void onBindFailed(int rkey) {
        lock.lock();
        try {
            MemoryKey window = findWindow(rkey);
            if (window != null) {
                window.window().onBindFailed(rkey, window.value());
            }
        } finally {
            lock.unlock();
        }
    }

    /// Indices that differ modulo the old size differ modulo the new one, so entries never collide.
    private void grow() {
        MemoryKey[] grown = new MemoryKey[keys.length * 2];
        for (MemoryKey key : keys) {
            if (key != null) {
                grown[place(grown, key.value())] = key;
            }
        }
        keys = grown;
    }
}
