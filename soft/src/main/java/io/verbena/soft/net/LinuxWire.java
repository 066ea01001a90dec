package io.verbena.soft.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// A UDP socket driven by Linux system calls: one call sends or receives many frames.
final class LinuxWire extends QueuedWire {
    private static final int NO_SIGNAL = 0x4000;

    /// Makes the kernel report the true length of a datagram that does not fit.
    private static final int TRUE_LENGTH = 0x20;

    private static final int RECEIVE_SLOTS = 64;

    private final SocketAddresses addresses;
    private final int fd;
    private final LinuxWaiter waiter;
    private final int receiveBufferBytes;
    private final UseGate gate;

    private final MemorySegment ownerState = Arena.ofAuto().allocate(Libc.stateLayout());
    private final MessageHeaders outgoing;
    private final MemorySegment receiveMemory = FrameQueue.frames(RECEIVE_SLOTS);
    private final ByteBuffer receiveBytes = receiveMemory.asByteBuffer();
    private final MessageHeaders incoming;

    /// Whether the last poll found a frame: then the next one asks for many.
    private boolean busy;

    /// Whether frames wait for room in the socket; read by the sleeping thread.
    private volatile boolean blocked;

    private volatile long sendFailures;

    LinuxWire(InetAddress local, int maxPayload) {
        super(local, maxPayload);
        addresses = new SocketAddresses(local);
        outgoing = new MessageHeaders(queue.memory(), FrameQueue.SLOTS, addresses, Wires.PORT);
        incoming = new MessageHeaders(receiveMemory, RECEIVE_SLOTS, addresses, 0);
        fd = LinuxSocket.open(local, addresses, Wires.PORT);
        receiveBufferBytes = LinuxSocket.receiveBufferBytes(fd);
        try {
            waiter = new LinuxWaiter(local, fd);
        } catch (RuntimeException e) {
            Libc.close(ownerState, fd);
            throw e;
        }
        gate = new UseGate(this::closeDescriptors);
    }

    @Override
    public int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    @Override
    public void commit(int offset, int length, long destinationHigh, long destinationLow) {
        if (!addresses.reaches(destinationHigh, destinationLow)) {
            countFailure();
            return;
        }
        int slot = queue.commit(offset);
        outgoing.length(slot, length);
        addresses.write(outgoing.names(), outgoing.nameAt(slot), destinationHigh, destinationLow);
    }

    @Override
    public boolean flush() {
        if (queue.isEmpty()) {
            return true;
        }
        if (!gate.enter()) {
            queue.clear();
            return true;
        }
        try {
            boolean done = sendQueued();
            if (blocked == done) {
                blocked = !done;
            }
            return done;
        } finally {
            gate.leave();
        }
    }

    @Override
    public int receive(FrameHandler handler, int limit) {
        if (limit <= 0 || !gate.enter()) {
            return 0;
        }
        try {
            int received = busy && limit > 1 ? receiveMany(handler, limit) : receiveOne(handler);
            busy = received > 0;
            return received;
        } finally {
            gate.leave();
        }
    }

    @Override
    public void await(long timeoutNs) {
        if (gate.enter()) {
            try {
                waiter.await(timeoutNs, blocked);
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public void wakeup() {
        if (gate.enter()) {
            try {
                waiter.wakeup();
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public long sendFailures() {
        return sendFailures;
    }

    @Override
    public void close() {
        if (gate.enter()) {
            gate.close();
            waiter.wakeup();
            gate.leave();
            gate.awaitRelease();
        }
    }

    private boolean sendQueued() {
        while (!queue.isEmpty()) {
            int slot = queue.head();
            int count = queue.contiguous();
            int sent =
                    count == 1 ? sendOne(slot) : Libc.sendmmsg(ownerState, fd, outgoing.header(slot), count, NO_SIGNAL);
            if (sent > 0) {
                queue.release(sent);
            } else if (sent == -Libc.EAGAIN) {
                return false;
            } else if (sent != -Libc.EINTR) {
                // The error is the first frame's own (too long, no route, not permitted): the others may still go.
                queue.release(1);
                countFailure();
            }
        }
        return true;
    }

    private int sendOne(int slot) {
        int result = Libc.sendto(
                ownerState,
                fd,
                outgoing.frame(slot),
                outgoing.length(slot),
                NO_SIGNAL,
                outgoing.name(slot),
                addresses.bytes());
        return result < 0 ? result : 1;
    }

    private int receiveOne(FrameHandler handler) {
        int length = Libc.recvfrom(
                fd, incoming.frame(0), FRAME_BYTES, TRUE_LENGTH, incoming.name(0), incoming.nameLength(0));
        if (length < 0) {
            return 0;
        }
        deliver(handler, 0, length);
        return 1;
    }

    private int receiveMany(FrameHandler handler, int limit) {
        int slots = Math.min(limit, RECEIVE_SLOTS);
        int received = Libc.recvmmsg(fd, incoming.header(0), slots, TRUE_LENGTH);
        for (int slot = 0; slot < received; slot++) {
            deliver(handler, slot, incoming.transferred(slot));
        }
        return Math.max(0, received);
    }

    private void deliver(FrameHandler handler, int slot, int length) {
        MemorySegment names = incoming.names();
        long at = incoming.nameAt(slot);
        handler.onFrame(
                receiveMemory,
                receiveBytes,
                slot * FRAME_BYTES,
                Math.min(length, FRAME_BYTES),
                addresses.high(names, at),
                addresses.low(names, at),
                addresses.port(names, at));
    }

    private void countFailure() {
        sendFailures++; // one writer, the owner
    }

    private void closeDescriptors() {
        waiter.close();
        Libc.close(ownerState, fd);
    }
}
