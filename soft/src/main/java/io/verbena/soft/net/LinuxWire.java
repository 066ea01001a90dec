package io.verbena.soft.net;

import io.verbena.soft.os.Doorbell;
import io.verbena.soft.os.UseGate;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/// A UDP socket driven by Linux system calls: one call sends or receives many frames, and where the system can, one
/// datagram is many frames (`UDP_SEGMENT`, `UDP_GRO`).
final class LinuxWire extends QueuedWire {
    private static final int NO_SIGNAL = 0x4000;
    private static final int RECEIVE_SLOTS = 64;

    /// Answers to earlier datagrams that one flush passes over.
    private static final int ANSWERS_OF_CLOSED_PORTS = 4;

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

    /// The socket that frames wait for room in, if any; read by the sleeping thread.
    private volatile int blockedFd = LinuxWaiter.NONE;

    private volatile long sendFailures;

    /// Whether the system cuts trains; ended by the first that it refuses.
    private boolean trains;

    /// Whether the claimed frame was asked for with [#identify].
    private boolean identified;

    /// Null when all frames leave by the wire's own socket.
    private final ConnectedSockets sockets;

    /// By which socket the frame that was asked for leaves, and the entries of the queue; null for the wire's own.
    private ConnectedSocket chosen;

    private final ConnectedSocket[] ways = new ConnectedSocket[FrameQueue.ENTRIES];

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
        sockets = offload.sends() ? new ConnectedSockets(local, addresses) : null;
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
        if (joins(length, destinationHigh, destinationLow, traffic)) {
            int train = queue.last();
            chosen = ways[train];
            int frame = queue.count(train);
            return chosen == null ? frame : chosen.identification(frame);
        }
        chosen = sockets == null || traffic != Traffic.DEFAULT ? null : wayTo(destinationHigh, destinationLow);
        return chosen == null ? 0 : chosen.identification();
    }

    ConnectedSocket wayTo(long destinationHigh, long destinationLow) {
        if (!gate.enter()) {
            return null;
        }
        try {
            return sockets.of(destinationHigh, destinationLow, queue.isEmpty());
        } finally {
            gate.leave();
        }
    }

    @Override
    public int sourcePort() {
        return identified && chosen != null ? chosen.port() : Wires.PORT;
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
        ConnectedSocket way = identified ? chosen : null;
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
        ways[entry] = way;
        outgoing.buffer(entry, memoryAddress + offset, length);
        outgoing.named(entry, way == null);
        if (way != null) {
            way.onQueued();
            outgoing.controlLength(entry, 0);
        } else {
            address(entry, destinationHigh, destinationLow, traffic);
        }
        lastHigh = destinationHigh;
        lastLow = destinationLow;
        lastTraffic = traffic;
    }

    private void address(int entry, long destinationHigh, long destinationLow, long traffic) {
        int label = Traffic.flowLabel(traffic);
        addresses.write(outgoing.names(), outgoing.nameAt(entry), destinationHigh, destinationLow, label);
        if (Traffic.isPlain(traffic)) {
            outgoing.controlLength(entry, 0);
        } else {
            control.writeTraffic(outgoing.controls(), outgoing.controlAt(entry), traffic);
            outgoing.controlLength(entry, ControlData.TRAFFIC_BYTES);
        }
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
            int full = sendQueued();
            if (full != blockedFd) {
                blockedFd = full;
            }
            return full == LinuxWaiter.NONE;
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
                waiter.await(timeoutNs, blockedFd);
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
    public void listenTo(Doorbell bell) {
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

    /// The socket that takes no more just now, or [LinuxWaiter#NONE].
    private int sendQueued() {
        int patience = ANSWERS_OF_CLOSED_PORTS;
        while (!queue.isEmpty()) {
            int entry = queue.head();
            ConnectedSocket way = ways[entry];
            int socket = way == null ? fd : way.fd();
            // One by one where datagrams are numbered: of many, an error of one in the middle would not be told.
            int count = way == null ? alike(entry) : 1;
            int sent = count == 1
                    ? sendOne(socket, entry)
                    : Libc.sendmmsg(ownerState, socket, outgoing.header(entry), count, NO_SIGNAL);
            if (sent > 0) {
                queue.release(sent);
            } else if (sent == -Libc.EAGAIN) {
                return socket;
            } else if (sent == -Libc.ECONNREFUSED && way != null && patience-- > 0) {
                // What an earlier datagram met with; this one was not looked at.
                continue;
            } else if (sent != -Libc.EINTR) {
                // The error is the first entry's own (too long, no route, not permitted): the others may still go.
                onRefused(entry, -sent);
                queue.release(1);
            }
        }
        return LinuxWaiter.NONE;
    }

    /// How many entries from one on leave by the device's own socket.
    private int alike(int entry) {
        int entries = queue.entries();
        int count = 1;
        while (count < entries && ways[entry + count] == null) {
            count++;
        }
        return count;
    }

    /// A call for one datagram costs less than one for many, and without control data least.
    private int sendOne(int socket, int entry) {
        boolean named = ways[entry] == null;
        int result = outgoing.controlLength(entry) == 0
                ? Libc.sendto(
                        ownerState,
                        socket,
                        memoryAddress + queue.start(entry),
                        queue.length(entry),
                        NO_SIGNAL,
                        named ? outgoing.name(entry) : 0,
                        named ? addresses.bytes() : 0)
                : Libc.sendmsg(ownerState, socket, outgoing.header(entry), NO_SIGNAL);
        return result < 0 ? result : 1;
    }

    /// Where the way out cannot do with trains (no checksum offload, encryption) there are no more of them; what was in
    /// this one is sent again by those who promised to. A connected socket may have counted the datagram or not, so it
    /// cannot be used any more, and what waits for it is refused as well.
    private void onRefused(int entry, int error) {
        sendFailures += queue.count(entry); // one writer, the owner
        if (ways[entry] != null) {
            sockets.giveUp(ways[entry]);
        }
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
        if (sockets != null) {
            sockets.close();
        }
        Libc.close(ownerState, fd);
    }
}
