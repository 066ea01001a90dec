package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// One `struct mmsghdr`, which starts with a `struct msghdr`, with its iovec, socket address and control data for each
/// slot, all built once: a system call on any run of slots needs only buffers and addresses filled in. The layouts are
/// those of 64-bit Linux.
final class MessageHeaders {
    private static final int HEADER_BYTES = 64;
    private static final int NAME = 0;
    private static final int NAME_BYTES = 8;
    private static final int VECTORS = 16;
    private static final int VECTOR_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_BYTES = 40;
    private static final int TRANSFERRED = 56;
    private static final int VECTOR_BYTES = 16;
    private static final int VECTOR_LENGTH = 8;
    private static final int ALIGNMENT = 64;

    private final MemorySegment headers;
    private final MemorySegment vectors;
    private final MemorySegment names;
    private final MemorySegment controls;

    MessageHeaders(int slots, SocketAddresses addresses, int port) {
        Arena arena = Arena.ofAuto();
        headers = arena.allocate((long) slots * HEADER_BYTES, ALIGNMENT);
        vectors = arena.allocate((long) slots * VECTOR_BYTES, ALIGNMENT);
        names = arena.allocate((long) slots * SocketAddresses.SLOT_BYTES, ALIGNMENT);
        controls = arena.allocate((long) slots * ControlData.BYTES, ALIGNMENT);
        for (int slot = 0; slot < slots; slot++) {
            long header = (long) slot * HEADER_BYTES;
            headers.set(JAVA_LONG, header + NAME, name(slot));
            headers.set(JAVA_INT, header + NAME_BYTES, addresses.bytes());
            headers.set(JAVA_LONG, header + VECTORS, vectors.address() + (long) slot * VECTOR_BYTES);
            headers.set(JAVA_LONG, header + VECTOR_COUNT, 1);
            headers.set(JAVA_LONG, header + CONTROL, controls.address() + controlAt(slot));
            addresses.prepare(names, nameAt(slot), port);
        }
    }

    /// Address of the header of a slot, where a batch starts.
    long header(int slot) {
        return headers.address() + (long) slot * HEADER_BYTES;
    }

    /// Sets the bytes that a slot sends, or its receive buffer.
    void buffer(int slot, long address, long bytes) {
        vectors.set(JAVA_LONG, (long) slot * VECTOR_BYTES, address);
        vectors.set(JAVA_LONG, (long) slot * VECTOR_BYTES + VECTOR_LENGTH, bytes);
    }

    /// Address of the socket address of a slot.
    long name(int slot) {
        return names.address() + nameAt(slot);
    }

    /// Address of the length of that socket address, which the kernel reads and writes.
    long nameLength(int slot) {
        return header(slot) + NAME_BYTES;
    }

    MemorySegment names() {
        return names;
    }

    long nameAt(int slot) {
        return (long) slot * SocketAddresses.SLOT_BYTES;
    }

    /// Control data of all slots.
    MemorySegment controls() {
        return controls;
    }

    long controlAt(int slot) {
        return (long) slot * ControlData.BYTES;
    }

    void controlLength(int slot, long bytes) {
        headers.set(JAVA_LONG, (long) slot * HEADER_BYTES + CONTROL_BYTES, bytes);
    }

    long controlLength(int slot) {
        return headers.get(JAVA_LONG, (long) slot * HEADER_BYTES + CONTROL_BYTES);
    }

    /// How many bytes the last batch moved for a slot.
    int transferred(int slot) {
        return headers.get(JAVA_INT, (long) slot * HEADER_BYTES + TRANSFERRED);
    }
}
