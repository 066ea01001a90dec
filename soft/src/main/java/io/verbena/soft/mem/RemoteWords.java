package io.verbena.soft.mem;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Executes atomics, ATOMIC_WRITE and FLUSH on registered memory. It uses the processor's atomic instructions, so
/// changes are atomic for other queue pairs, and for programs that use such instructions on the same memory. Callers
/// look a key up, check its range and rights, and pass that key. An access to memory that was freed since throws an
/// IllegalStateException or InternalError.
public final class RemoteWords {
    public static final int BYTES = Long.BYTES;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private RemoteWords() {}

    /// Whether both the address that the peer named and the memory behind it are multiples of a word's size.
    public static boolean isAligned(MemoryKey key, long address) {
        return ((address | key.memory().address() + key.offsetOf(address)) & BYTES - 1) == 0;
    }

    /// Stores `swap` if the word equals `compare`. Returns the old value.
    public static long compareAndSwap(MemoryKey key, long address, long compare, long swap) {
        return (long) WORD.compareAndExchange(key.memory(), key.offsetOf(address), compare, swap);
    }

    /// Adds to the word. Returns the old value.
    public static long fetchAndAdd(MemoryKey key, long address, long add) {
        return (long) WORD.getAndAdd(key.memory(), key.offsetOf(address), add);
    }

    /// Stores eight bytes of a packet unchanged, in one atomic store.
    public static void store(MemoryKey key, long address, MemorySegment packet, long packetAt) {
        long word = packet.get(ValueLayout.JAVA_LONG_UNALIGNED, packetAt);
        WORD.setVolatile(key.memory(), key.offsetOf(address), word);
    }

    /// Whether the key opens memory to `user` with all of `rights`, for a FLUSH of the whole region.
    public static AccessCheck checkWhole(MemoryKey key, MemoryUser user, int rights) {
        return key.check(user, key.address(), 0, rights);
    }

    /// Makes earlier stores visible to all processors.
    public static void makeVisible() {
        VarHandle.fullFence();
    }

    /// Writes a range of mapped memory to its file and waits for it; false when that fails.
    public static boolean persist(MemoryKey key, long address, long length) {
        return force(key.memory().asSlice(key.offsetOf(address), length));
    }

    /// Like [#persist], for all memory of the key.
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
