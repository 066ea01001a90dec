package io.verbena.soft.mem;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Words of registered memory that are changed whole, and flushes: what atomics, ATOMIC_WRITE and FLUSH do where the
/// memory is. Words are changed by the processor's own atomic instructions, so they are atomic against other queue
/// pairs and against programs that use such instructions on the same memory. Callers check key, range and rights
/// before; memory that went away since then shows as an IllegalStateException or InternalError.
public final class RemoteWords {
    public static final int BYTES = Long.BYTES;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private RemoteWords() {}

    /// Whether both the address that the peer named and the memory behind it are multiples of a word's size.
    public static boolean isAligned(MemoryTable table, int rkey, long address) {
        MemoryKey key = table.find(rkey);
        return ((address | key.memory().address() + key.offsetOf(address)) & BYTES - 1) == 0;
    }

    /// Puts in `swap` if the word equals `compare`; what it was before.
    public static long compareAndSwap(MemoryTable table, int rkey, long address, long compare, long swap) {
        MemoryKey key = table.find(rkey);
        return (long) WORD.compareAndExchange(key.memory(), key.offsetOf(address), compare, swap);
    }

    /// Adds to the word; what it was before.
    public static long fetchAndAdd(MemoryTable table, int rkey, long address, long add) {
        MemoryKey key = table.find(rkey);
        return (long) WORD.getAndAdd(key.memory(), key.offsetOf(address), add);
    }

    /// Stores eight bytes of a packet as they are, at once.
    public static void store(MemoryTable table, int rkey, long address, MemorySegment packet, long packetAt) {
        MemoryKey key = table.find(rkey);
        long word = packet.get(ValueLayout.JAVA_LONG_UNALIGNED, packetAt);
        WORD.setVolatile(key.memory(), key.offsetOf(address), word);
    }

    /// Whether the key opens any memory to `user` with all of `rights`; what is flushed is the whole of it.
    public static AccessCheck checkWhole(MemoryTable table, int rkey, MemoryUser user, int rights) {
        MemoryKey key = table.find(rkey);
        return key == null ? AccessCheck.BAD_KEY : key.check(user, key.address(), 0, rights);
    }

    /// What was written before is seen by every processor.
    public static void makeVisible() {
        VarHandle.fullFence();
    }

    /// Writes a range of mapped memory to its file and waits for it; false when that fails.
    public static boolean persist(MemoryTable table, int rkey, long address, long length) {
        MemoryKey key = table.find(rkey);
        return force(key.memory().asSlice(key.offsetOf(address), length));
    }

    /// As [#persist], for all that the key opens.
    public static boolean persistWhole(MemoryTable table, int rkey) {
        MemoryKey key = table.find(rkey);
        return persist(table, rkey, key.address(), key.length());
    }

    private static boolean force(MemorySegment memory) {
        try {
            if (memory.byteSize() > 0) {
                memory.force();
            }
            return true;
        } catch (UncheckedIOException | UnsupportedOperationException failed) {
            return false;
        }
    }
}
