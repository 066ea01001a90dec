package io.verbena.soft.mem;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Words of registered memory that are changed whole, and flushes: what atomics, ATOMIC_WRITE and FLUSH do where the
/// memory is. Words are changed by the processor's own atomic instructions, so they are atomic against other queue
/// pairs and against programs that use such instructions on the same memory. Callers find a key, check its range and
/// rights, and hand that very key in; memory that went away since then shows as an IllegalStateException or
/// InternalError.
public final class RemoteWords {
    public static final int BYTES = Long.BYTES;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private RemoteWords() {}

    /// Whether both the address that the peer named and the memory behind it are multiples of a word's size.
    public static boolean isAligned(MemoryKey key, long address) {
        return ((address | key.memory().address() + key.offsetOf(address)) & BYTES - 1) == 0;
    }

    /// Puts in `swap` if the word equals `compare`; what it was before.
    public static long compareAndSwap(MemoryKey key, long address, long compare, long swap) {
        return (long) WORD.compareAndExchange(key.memory(), key.offsetOf(address), compare, swap);
    }

    /// Adds to the word; what it was before.
    public static long fetchAndAdd(MemoryKey key, long address, long add) {
        return (long) WORD.getAndAdd(key.memory(), key.offsetOf(address), add);
    }

    /// Stores eight bytes of a packet as they are, at once.
    public static void store(MemoryKey key, long address, MemorySegment packet, long packetAt) {
        long word = packet.get(ValueLayout.JAVA_LONG_UNALIGNED, packetAt);
        WORD.setVolatile(key.memory(), key.offsetOf(address), word);
    }

    /// Whether the key opens any memory to `user` with all of `rights`; what is flushed is the whole of it.
    public static AccessCheck checkWhole(MemoryKey key, MemoryUser user, int rights) {
        return key.check(user, key.address(), 0, rights);
    }

    /// What was written before is seen by every processor.
    public static void makeVisible() {
        VarHandle.fullFence();
    }

    /// Writes a range of mapped memory to its file and waits for it; false when that fails.
    public static boolean persist(MemoryKey key, long address, long length) {
        return force(key.memory().asSlice(key.offsetOf(address), length));
    }

    /// As [#persist], for all that the key opens.
    public static boolean persistWhole(MemoryKey key) {
        return persist(key, key.address(), key.length());
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
