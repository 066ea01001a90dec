package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;

/// Takes frames out of one socket of a [LinuxWire], many at a time when there are many.
final class LinuxReceiver {
    /// Makes the kernel report the true length of a datagram that does not fit.
    private static final int TRUE_LENGTH = 0x20;

    private final int fd;
    private final int slots;
    private final SocketAddresses addresses;
    private final ControlData control;
    private final MessageHeaders headers;
    private final Frame frame;
    private boolean reveals;

    /// Whether the last poll found a frame: then the next one asks for many.
    private boolean busy;

    /// @param destination the one address that the socket hears
    LinuxReceiver(int fd, int slots, SocketAddresses addresses, Gid destination) {
        this.fd = fd;
        this.slots = slots;
        this.addresses = addresses;
        control = new ControlData(addresses);
        MemorySegment memory = FrameQueue.frames(slots);
        headers = new MessageHeaders(memory, slots, addresses, 0);
        frame = new Frame(memory, memory.asByteBuffer());
        frame.to(destination.high(), destination.low());
    }

    int fd() {
        return fd;
    }

    /// Reads the control data that the socket was told to give.
    void revealTraffic() {
        reveals = true;
        for (int slot = 0; slot < slots; slot++) {
            headers.controlLength(slot, ControlData.BYTES);
        }
    }

    int receive(FrameHandler handler, int limit) {
        int received;
        if (busy && limit > 1) {
            received = receiveMany(handler, Math.min(limit, slots));
        } else {
            received = reveals ? receiveMany(handler, 1) : receiveOne(handler);
        }
        busy = received > 0;
        return received;
    }

    private int receiveOne(FrameHandler handler) {
        int length = Libc.recvfrom(
                fd, headers.frame(0), Wire.FRAME_BYTES, TRUE_LENGTH, headers.name(0), headers.nameLength(0));
        if (length < 0) {
            return 0;
        }
        deliver(handler, 0, length);
        return 1;
    }

    private int receiveMany(FrameHandler handler, int limit) {
        int received = Libc.recvmmsg(fd, headers.header(0), limit, TRUE_LENGTH);
        for (int slot = 0; slot < received; slot++) {
            deliver(handler, slot, headers.transferred(slot));
        }
        return Math.max(0, received);
    }

    private void deliver(FrameHandler handler, int slot, int length) {
        MemorySegment names = headers.names();
        long at = headers.nameAt(slot);
        frame.show(slot * Wire.FRAME_BYTES, Math.min(length, Wire.FRAME_BYTES));
        frame.from(addresses.high(names, at), addresses.low(names, at), addresses.port(names, at));
        if (reveals) {
            long told = headers.controlLength(slot);
            headers.controlLength(slot, ControlData.BYTES);
            frame.traffic(control.read(headers.controls(), headers.controlAt(slot), told));
        }
        handler.onFrame(frame);
    }
}
