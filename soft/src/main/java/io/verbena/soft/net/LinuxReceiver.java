package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Takes frames out of one socket of a [LinuxWire], many at a time when there are many: by one call that takes several
/// datagrams, and, where the system puts frames that arrived together into one buffer, all of them as one datagram.
final class LinuxReceiver {
    /// Makes the kernel report the true length of a datagram that does not fit.
    private static final int TRUE_LENGTH = 0x20;

    /// No datagram is longer. A little more from one buffer to the next, so that their beginnings do not fight for the
    /// same places in the cache.
    private static final int COALESCED_BYTES = 1 << 16;

    private static final int COALESCED_STRIDE = COALESCED_BYTES + Wire.FRAME_BYTES;
    private static final int ALIGNMENT = 128;

    private final int fd;
    private final int slots;
    private final int stride;
    private final int slotBytes;
    private final SocketAddresses addresses;
    private final ControlData control;
    private final MessageHeaders headers;
    private final Frame frame;
    private final long memoryAddress;

    /// Whether the system tells where frames that it put together begin.
    private final boolean coalesced;

    private boolean reveals;

    /// Room for control data; 0 when none is wanted.
    private int controlBytes;

    /// Whether the last poll found a frame: then the next one asks for many.
    private boolean busy;

    /// The most frames in one datagram of the last poll.
    private int framesTogether = 1;

    /// @param destination the one address that the socket hears
    /// @param coalesced whether the socket was told to put frames together
    LinuxReceiver(int fd, int slots, boolean coalesced, SocketAddresses addresses, Gid destination) {
        this.fd = fd;
        this.slots = slots;
        this.coalesced = coalesced;
        this.addresses = addresses;
        stride = coalesced ? COALESCED_STRIDE : Wire.FRAME_BYTES;
        slotBytes = coalesced ? COALESCED_BYTES : Wire.FRAME_BYTES;
        control = new ControlData(addresses);
        headers = new MessageHeaders(slots, addresses, 0);
        MemorySegment memory = Arena.ofAuto().allocate((long) slots * stride, ALIGNMENT);
        memoryAddress = memory.address();
        for (int slot = 0; slot < slots; slot++) {
            headers.buffer(slot, memoryAddress + (long) slot * stride, slotBytes);
        }
        frame = new Frame(memory, memory.asByteBuffer());
        frame.to(destination.high(), destination.low());
        wantControl(coalesced ? ControlData.FRAMES_BYTES : 0);
    }

    int fd() {
        return fd;
    }

    /// Reads the control data that the socket was told to give.
    void revealTraffic() {
        reveals = true;
        wantControl(ControlData.BYTES);
    }

    private void wantControl(int bytes) {
        controlBytes = bytes;
        for (int slot = 0; slot < slots; slot++) {
            headers.controlLength(slot, bytes);
        }
    }

    /// Frames that came as one datagram are handed over together, even when they are more than `limit`.
    int receive(FrameHandler handler, int limit) {
        int most = busy ? Math.min(slots, limit / framesTogether) : 1;
        int received = most > 1 ? receiveMany(handler, most) : receiveOne(handler);
        busy = received > 0;
        return received;
    }

    /// A call for one datagram costs less than one for many. The leanest leaves no room for control data.
    private int receiveOne(FrameHandler handler) {
        int length = controlBytes == 0
                ? Libc.recvfrom(fd, memoryAddress, slotBytes, TRUE_LENGTH, headers.name(0), headers.nameLength(0))
                : Libc.recvmsg(fd, headers.header(0), TRUE_LENGTH);
        if (length < 0) {
            return 0;
        }
        framesTogether = 1;
        return deliver(handler, 0, length);
    }

    private int receiveMany(FrameHandler handler, int limit) {
        int datagrams = Libc.recvmmsg(fd, headers.header(0), limit, TRUE_LENGTH);
        framesTogether = 1;
        int received = 0;
        for (int slot = 0; slot < datagrams; slot++) {
            received += deliver(handler, slot, headers.transferred(slot));
        }
        return received;
    }

    /// Hands over the frames of a datagram; returns how many.
    private int deliver(FrameHandler handler, int slot, int length) {
        MemorySegment names = headers.names();
        long name = headers.nameAt(slot);
        frame.from(addresses.high(names, name), addresses.low(names, name), addresses.port(names, name));
        int frameLength = controlBytes == 0 ? 0 : readControl(slot);
        int start = slot * stride;
        if (frameLength <= 0 || frameLength >= length) {
            frame.show(start, Math.min(length, Wire.FRAME_BYTES));
            handler.onFrame(frame);
            return 1;
        }
        int count = 0;
        for (int at = 0, end = Math.min(length, slotBytes); at < end; at += frameLength) {
            frame.show(start + at, Math.min(Math.min(frameLength, end - at), Wire.FRAME_BYTES));
            handler.onFrame(frame);
            count++;
        }
        framesTogether = Math.max(framesTogether, count);
        return count;
    }

    private int readControl(int slot) {
        long told = headers.controlLength(slot);
        headers.controlLength(slot, controlBytes);
        if (told == 0 && !reveals) {
            return 0;
        }
        control.read(headers.controls(), headers.controlAt(slot), told);
        if (reveals) {
            frame.traffic(control.traffic());
        }
        return coalesced ? control.frameLength() : 0;
    }
}
