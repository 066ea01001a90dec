package io.verbena.soft.net;

import io.verbena.soft.shm.Bell;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/// A UDP socket driven by Linux system calls: one call sends or receives many frames, and where the system can, one
/// datagram is many frames (`UDP_SEGMENT`, `UDP_GRO`).
final class LinuxWire extends QueuedWire {
    private static final int NO_SIGNAL = 0x4000;
    private static final int RECEIVE_SLOTS = 64;

    private final SocketAddresses addresses;
    private final ControlData control;
    /// Not private for tests, which set what users cannot.
    final int fd;

    private final LinuxWaiter waiter;
    private final int receiveBufferBytes;
    private final UseGate gate;

    private final MemorySegment ownerState = Arena.ofAuto().allocate(Libc.stateLayout());
    private final MessageHeaders outgoing;
    private final long memoryAddress;
    private final LinuxReceiver incoming;

    /// Null until a first group is joined.
    private LinuxGroups memberships;

    /// Whether frames wait for room in the socket; read by the sleeping thread.
    private volatile boolean blocked;

    private volatile long sendFailures;

    /// Whether the system cuts trains; ended by the first that it refuses.
    private boolean trains;

    /// Whether the claimed frame was asked for with [#identify].
    private boolean identified;

    /// Where the newest entry of the queue goes.
    private long lastHigh;

    private long lastLow;
    private long lastTraffic;

    LinuxWire(InetAddress local, int maxPayload, Offload offload) {
        super(local, maxPayload);
        addresses = new SocketAddresses(local);
        control = new ControlData(addresses);
        outgoing = new MessageHeaders(FrameQueue.ENTRIES, addresses, Wires.PORT);
        memoryAddress = queue.memory().address();
        fd = LinuxSocket.open(local, addresses);
        trains = offload.sends() && LinuxSocket.cutsTrains(fd);
        incoming = new LinuxReceiver(fd, RECEIVE_SLOTS, offload.receives(), addresses, Gid.of(local));
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
    public int identify(int length, long destinationHigh, long destinationLow, long traffic) {
        identified = true;
        return joins(length, destinationHigh, destinationLow, traffic) ? queue.count(queue.last()) : 0;
    }

    /// Whether a frame travels behind the newest one in one train. Groups have none: each member is sent its own copy.
    private boolean joins(int length, long destinationHigh, long destinationLow, long traffic) {
        return trains
                && queue.joins(length)
                && destinationLow == lastLow
                && destinationHigh == lastHigh
                && traffic == lastTraffic
                && !SocketAddresses.isGroup(destinationHigh, destinationLow);
    }

    @Override
    public void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic) {
        boolean mayJoin = identified;
        identified = false;
        if (!addresses.reaches(destinationHigh, destinationLow)) {
            sendFailures++; // one writer, the owner
            return;
        }
        if (mayJoin && joins(length, destinationHigh, destinationLow, traffic)) {
            extend(queue.join(offset, length), traffic);
            return;
        }
        int entry = queue.commit(offset, length);
        outgoing.buffer(entry, memoryAddress + offset, length);
        int label = Traffic.flowLabel(traffic);
        addresses.write(outgoing.names(), outgoing.nameAt(entry), destinationHigh, destinationLow, label);
        if (Traffic.isPlain(traffic)) {
            outgoing.controlLength(entry, 0);
        } else {
            control.writeTraffic(outgoing.controls(), outgoing.controlAt(entry), traffic);
            outgoing.controlLength(entry, ControlData.TRAFFIC_BYTES);
        }
        lastHigh = destinationHigh;
        lastLow = destinationLow;
        lastTraffic = traffic;
    }

    private void extend(int entry, long traffic) {
        outgoing.buffer(entry, memoryAddress + queue.start(entry), queue.length(entry));
        if (queue.count(entry) == 2) {
            int before = Traffic.isPlain(traffic) ? 0 : ControlData.TRAFFIC_BYTES;
            long at = outgoing.controlAt(entry) + before;
            ControlData.writeFrames(outgoing.controls(), at, queue.frameLength(entry));
            outgoing.controlLength(entry, before + ControlData.FRAMES_BYTES);
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

    /// Whether the system puts frames that arrive together into one datagram now.
    boolean coalesces() {
        return incoming.coalesces();
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
            int entry = queue.head();
            int count = queue.entries();
            int sent = count == 1
                    ? sendOne(entry)
                    : Libc.sendmmsg(ownerState, fd, outgoing.header(entry), count, NO_SIGNAL);
            if (sent > 0) {
                queue.release(sent);
            } else if (sent == -Libc.EAGAIN) {
                return false;
            } else if (sent != -Libc.EINTR) {
                // The error is the first entry's own (too long, no route, not permitted): the others may still go.
                onRefused(entry, -sent);
                queue.release(1);
            }
        }
        return true;
    }

    /// A call for one datagram costs less than one for many, and without control data least.
    private int sendOne(int entry) {
        int result = outgoing.controlLength(entry) == 0
                ? Libc.sendto(
                        ownerState,
                        fd,
                        memoryAddress + queue.start(entry),
                        queue.length(entry),
                        NO_SIGNAL,
                        outgoing.name(entry),
                        addresses.bytes())
                : Libc.sendmsg(ownerState, fd, outgoing.header(entry), NO_SIGNAL);
        return result < 0 ? result : 1;
    }

    /// Where the way out cannot do with trains (no checksum offload, encryption) there are no more of them; what was in
    /// this one is sent again by those who promised to.
    private void onRefused(int entry, int error) {
        sendFailures += queue.count(entry); // one writer, the owner
        if (queue.count(entry) > 1 && (error == Libc.EIO || error == Libc.EINVAL)) {
            trains = false;
            Wires.LOG.log(
                    System.Logger.Level.DEBUG,
                    () -> AddressText.of(local) + ": the system refused a train of frames (error " + error
                            + "); from now on each is sent alone");
        }
    }

    private void closeDescriptors() {
        waiter.close();
        if (memberships != null) {
            memberships.close();
        }
        Libc.close(ownerState, fd);
    }
}
