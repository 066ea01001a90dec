package io.verbena.soft.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The receive buffers of a socket: slots of one length, their message headers, and the view of their frames.
final class ReceiveBuffers {
    /// The upper limit of a datagram's length.
    private static final int LONGEST_DATAGRAM = 1 << 16;

    /// Slots for datagrams of many frames.
    private static final int LONG_SLOTS = 16;

    private static final int ALIGNMENT = 128;

    final int slots;
    final int slotBytes;
    final int controlBytes;
    final MessageHeaders headers;
    final Frame frame;
    final long address;
    private final int stride;

    private ReceiveBuffers(int slots, int slotBytes, int stride, int controlBytes, SocketAddresses addresses) {
        this.slots = slots;
        this.slotBytes = slotBytes;
        this.stride = stride;
        this.controlBytes = controlBytes;
        MemorySegment memory = Arena.ofAuto().allocate((long) slots * stride, ALIGNMENT);
        address = memory.address();
        frame = new Frame(memory, memory.asByteBuffer());
        headers = new MessageHeaders(slots, addresses, 0);
        for (int slot = 0; slot < slots; slot++) {
            headers.buffer(slot, address + at(slot), slotBytes);
            headers.controlLength(slot, controlBytes);
        }
    }

    /// For datagrams of one frame.
    static ReceiveBuffers single(int slots, int controlBytes, SocketAddresses addresses) {
        return new ReceiveBuffers(slots, Wire.FRAME_BYTES, Wire.FRAME_BYTES, controlBytes, addresses);
    }

    /// For datagrams of many frames. The stride is not a power of two, so that the beginnings of slots do not compete
    /// for the same cache sets.
    static ReceiveBuffers coalesced(int controlBytes, SocketAddresses addresses) {
        int stride = LONGEST_DATAGRAM + Wire.FRAME_BYTES;
        return new ReceiveBuffers(LONG_SLOTS, LONGEST_DATAGRAM, stride, controlBytes, addresses);
    }

    /// Where a slot begins.
    int at(int slot) {
        return slot * stride;
    }
}
