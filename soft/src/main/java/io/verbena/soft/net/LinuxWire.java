package io.verbena.soft.net;

import io.verbena.soft.shm.Bell;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/// A UDP socket driven by Linux system calls: one call sends or receives many frames.
final class LinuxWire extends QueuedWire {
    private static final int NO_SIGNAL = 0x4000;
    private static final int RECEIVE_SLOTS = 64;

    private final SocketAddresses addresses;
    private final ControlData control;
    private final int fd;
    private final LinuxWaiter waiter;
    private final int receiveBufferBytes;
    private final UseGate gate;

    private final MemorySegment ownerState = Arena.ofAuto().allocate(Libc.stateLayout());
    private final MessageHeaders outgoing;
    private final LinuxReceiver incoming;

    /// Null until a first group is joined.
    private LinuxGroups memberships;

    /// Whether frames wait for room in the socket; read by the sleeping thread.
    private volatile boolean blocked;

    private volatile long sendFailures;

    LinuxWire(InetAddress local, int maxPayload) {
        super(local, maxPayload);
        addresses = new SocketAddresses(local);
        control = new ControlData(addresses);
        outgoing = new MessageHeaders(queue.memory(), FrameQueue.SLOTS, addresses, Wires.PORT);
        fd = LinuxSocket.open(local, addresses);
        incoming = new LinuxReceiver(fd, RECEIVE_SLOTS, addresses, Gid.of(local));
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
    public void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic) {
        if (!addresses.reaches(destinationHigh, destinationLow)) {
            countFailure();
            return;
        }
        int slot = queue.commit(offset);
        outgoing.length(slot, length);
        int label = Traffic.flowLabel(traffic);
        addresses.write(outgoing.names(), outgoing.nameAt(slot), destinationHigh, destinationLow, label);
        if (Traffic.isPlain(traffic)) {
            outgoing.controlLength(slot, 0);
        } else {
            control.write(outgoing.controls(), outgoing.controlAt(slot), traffic);
            outgoing.controlLength(slot, ControlData.BYTES);
        }
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
            // Half for the groups, so that neither kind starves the other.
            int received =
                    memberships == null || memberships.isEmpty() ? 0 : memberships.receive(handler, (limit + 1) / 2);
            return received == limit ? received : received + incoming.receive(handler, limit - received);
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
    public boolean canListen() {
        return true;
    }

    @Override
    public void listenTo(Bell bell) {
        if (gate.enter()) {
            try {
                waiter.listenTo(bell);
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public void revealTraffic() {
        if (gate.enter()) {
            try {
                LinuxSocket.revealTraffic(fd, addresses);
                incoming.revealTraffic();
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    void enter(Gid group) {
        if (gate.enter()) {
            try {
                if (memberships == null) {
                    memberships = new LinuxGroups(local, addresses);
                    waiter.alsoWaitFor(memberships.epollFd());
                }
                memberships.join(group);
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    void exit(Gid group) {
        if (gate.enter()) {
            try {
                memberships.leave(group);
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public void check() {
        if (gate.enter()) {
            try {
                LinuxSocket.requireAlive(fd, local);
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
            int sent = count == 1 && outgoing.controlLength(slot) == 0
                    ? sendOne(slot)
                    : Libc.sendmmsg(ownerState, fd, outgoing.header(slot), count, NO_SIGNAL);
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

    private void countFailure() {
        sendFailures++; // one writer, the owner
    }

    private void closeDescriptors() {
        waiter.close();
        if (memberships != null) {
            memberships.close();
        }
        Libc.close(ownerState, fd);
    }
}
