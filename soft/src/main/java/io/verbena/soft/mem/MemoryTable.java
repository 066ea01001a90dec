package io.verbena.soft.mem;

import io.verbena.soft.limit.NumberSequence;
import io.verbena.soft.local.SharedRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.MemoryWindowType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.random.RandomGenerator;

/// The keys of a device's regions and windows.
///
/// A key is a 24-bit index and 8 bits that make earlier keys of a slot fail: random bits for a region, those of its
/// last binding for a window. The position in the table is the index modulo the table's size, so a lookup takes two
/// loads and one comparison, whatever the number of keys. Indices come from a [NumberSequence]: known keys do not
/// reveal others, and an index is reused only after all others.
///
/// Any thread may look a key up without a lock. During a change it finds either the old key or the new one, never a
/// mixture. A user must look a key up once, and check and use that object: a second lookup of the same value may find
/// another key. Changes take the table's lock, which is last in the lock order: its holder takes no other lock and runs
/// no program code.
///
/// A change does not wait for threads that use the old key; see [io.verbena.soft.engine.Engines#awaitCopies].
public final class MemoryTable {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(MemoryKey[].class);

    private final RandomGenerator random;
    private final NumberSequence indices;
    private final int maxRegions;
    private final int maxWindows;
    /// Growing creates a new array, which is complete before readers see it. The old array does not change any more.
    /// All fields below are changed under the lock.
    private volatile MemoryKey[] keys = new MemoryKey[64];

    private int regions;
    private int windows;

    /// @param random must be thread-safe
    public MemoryTable(RandomGenerator random, int maxRegions, int maxWindows) {
        this.random = random;
        this.maxRegions = maxRegions;
        this.maxWindows = maxWindows;
        this.indices = new NumberSequence(random);
    }

    /// The key with that value, or null. It may be a key that opens nothing at the moment.
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

    /// Whether `[address, address + length)` may be accessed under `value` by `user` with all of `rights`. Only for
    /// callers that do not use the key afterwards.
    public AccessCheck check(int value, MemoryUser user, long address, long length, int rights) {
        MemoryKey key = find(value);
        return key == null ? AccessCheck.BAD_KEY : key.check(user, address, length, rights);
    }

    /// Gives the slot a free key that opens nothing. False when the device's limit of regions or windows is reached.
    public boolean add(KeySlot slot) {
        int lowBits = lowBits();
        synchronized (this) {
            if (slot.isWindow() ? windows >= maxWindows : regions >= maxRegions) {
                return false;
            }
            if (regions + windows >= keys.length / 2) {
                grow();
            }
            count(slot, 1);
            publish(MemoryKey.ofNothing(slot, freeValue(lowBits)));
            return true;
        }
    }

    /// Called before the lock is taken, because a source of random numbers may block.
    private int lowBits() {
        return random.nextInt(256);
    }

    /// Under the lock. At least half of the table is free, so this takes at most two attempts on average.
    private int freeValue(int lowBits) {
        int mask = keys.length - 1;
        int index;
        do {
            index = indices.next();
        } while (index == 0 || keys[index & mask] != null);
        return index << 8 | lowBits;
    }

    private void count(KeySlot slot, int change) {
        if (slot.isWindow()) {
            windows += change;
        } else {
            regions += change;
        }
    }

    /// Replaces the key with the same index for readers.
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

    /// Opens a region under its present key, or changes what the key opens. False, without a change, while windows are
    /// bound to the region.
    public synchronized boolean open(
            KeySlot slot,
            ProtectionDomain domain,
            MemorySegment memory,
            SharedRegion shared,
            long address,
            int access) {
        if (slot.hasWindows()) {
            return false;
        }
        publish(MemoryKey.ofRegion(slot, slot.key().value(), domain, memory, shared, address, access));
        return true;
    }

    /// Removes a key and frees its position. False, without a change, while windows are bound to the region.
    public synchronized boolean remove(KeySlot slot) {
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
    }

    /// Gives a region a new key, which opens nothing yet. The old key becomes invalid. False, without a change, while
    /// windows are bound to the region.
    public boolean renew(KeySlot slot) {
        int lowBits = lowBits();
        synchronized (this) {
            if (slot.hasWindows()) {
                return false;
            }
            withdraw(slot.key());
            publish(MemoryKey.ofNothing(slot, freeValue(lowBits)));
            return true;
        }
    }

    public synchronized boolean hasWindows(KeySlot slot) {
        return slot.hasWindows();
    }

    /// The present key of the window whose keys have that index, whatever its low bits are; or null.
    private MemoryKey findWindow(int value) {
        MemoryKey key = at(keys, value);
        return key != null && key.window() != null && (key.value() ^ value) >>> 8 == 0 ? key : null;
    }

    /// Revokes the key of a type 2 window, for a request of this side or of the peer. A window that is not bound may be
    /// revoked again.
    public synchronized AccessCheck invalidate(MemoryUser user, int rkey) {
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
    }

    /// Binds a window to bytes of a region, or to nothing when `length` is 0. A refusal leaves it as it was.
    ///
    /// @param rkey identifies the window by its index, and becomes its key
    public synchronized AccessCheck bind(MemoryUser user, int rkey, int lkey, long address, long length, int access) {
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
    }

    /// Whether a window is one that all queue pairs of its domain may use (type 1).
    public boolean isForAll(int rkey) {
        MemoryKey window = findWindow(rkey);
        return window != null && window.window().type() == MemoryWindowType.TYPE_1;
    }

    /// A posted bind to that key will not be executed: its window returns the old key again. Under the lock, so that no
    /// other bind changes the key in between.
    public synchronized void onBindFailed(int rkey) {
        MemoryKey window = findWindow(rkey);
        if (window != null) {
            window.window().onBindFailed(rkey, window.value());
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
