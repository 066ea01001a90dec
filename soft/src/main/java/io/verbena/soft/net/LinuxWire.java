package io.verbena.soft.net;

import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.option.Offload;
import io.verbena.soft.os.Bell;
import io.verbena.soft.os.CLibrary;
import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.UseGate;
import io.verbena.soft.shard.ShardNumbers;
import io.verbena.soft.shard.SharedAddress;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.security.SecureRandom;

/// A UDP socket driven by Linux system calls: one call sends or receives many frames, and where the system can, one
/// datagram is many frames (`UDP_SEGMENT`, `UDP_GRO`).
final class LinuxWire extends QueuedWire {
    private static final int NO_SIGNAL = 0x4000;
    private static final int RECEIVE_SLOTS = 64;
    private static final int NO_SHARD = -1;

    private final SocketAddresses addresses;
    private final ControlData control;
    /// Not private, so that tests can set socket options.
    final int fd;

    /// Null when nobody else can have the address.
    private final SharedAddress sharedAddress;

    private final LinuxWaiter waiter;
    private final int receiveBufferBytes;
    private final UseGate gate;

    private final MemorySegment state = CLibrary.newState();
    private final MessageHeaders outgoing;
    private final long memoryAddress;
    private final LinuxReceiver incoming;

    /// Null until a first group is joined.
    private LinuxGroups memberships;

    /// Null until a first bell is watched.
    private WatchedBells watched;

    /// Whether the socket is full and frames wait; read by the sleeping thread.
    private volatile boolean blocked;

    /// Whether to send trains. Turned off when the system refuses one.
    private boolean trains;

    /// Whether [#identify] was called for the claimed frame.
    private boolean identified;

    /// The destination of the newest entry.
    private long lastHigh;

    private long lastLow;
    private long lastTraffic;
    private int lastShard;

    LinuxWire(InetAddress local, int maxPayload, Offload offload) {
        this(local, maxPayload, offload, share(local, new SocketAddresses(local)));
    }

    /// Another wire at the same address: another shard.
    ///
    /// @throws RdmaException when the address is not shared, or all its shards are held
    LinuxWire another(Offload offload) {
        if (sharedAddress == null) {
            throw new RdmaException("open another shard", Errno.EOPNOTSUPP, "the address cannot be shared");
        }
        return new LinuxWire(localAddress(), maxPayload(), offload, sharedAddress.another(new SecureRandom()));
    }

    private LinuxWire(InetAddress local, int maxPayload, Offload offload, SharedAddress sharedAddress) {
        super(local, maxPayload);
        this.sharedAddress = sharedAddress;
        addresses = new SocketAddresses(local);
        control = new ControlData(addresses);
        outgoing = new MessageHeaders(FrameQueue.ENTRIES, addresses, Wires.PORT);
        memoryAddress = queue.memory().address();
        fd = sharedAddress == null ? LinuxSocket.open(local, addresses) : sharedAddress.fd();
        try {
            trains = offload.sends() && LinuxSocket.cutsTrains(fd);
            incoming =
                    new LinuxReceiver(fd, RECEIVE_SLOTS, offload.receives(), addresses, Gid.of(local), sharedAddress);
            receiveBufferBytes = LinuxSocket.receiveBufferBytes(fd);
            waiter = new LinuxWaiter(local, fd);
        } catch (RuntimeException | Error e) {
            closeSocket();
            throw e;
        }
        gate = new UseGate(this::closeDescriptors);
    }

    private static SharedAddress share(InetAddress local, SocketAddresses addresses) {
        return SharedAddress.open(AddressText.of(local), LinuxSocket.shared(local, addresses), new SecureRandom());
    }

    @Override
    public SharedAddress sharedAddress() {
        return sharedAddress;
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

    /// A train is delivered to one socket, so all of it must be for one shard of the receiver. Which one a message of
    /// the connection manager is for, its queue pair does not tell.
    private int destinationShard(int offset) {
        int qpNumber = Bth.destinationQp(queue.memory(), offset);
        return qpNumber == RoceConstants.GSI_QP ? NO_SHARD : ShardNumbers.shardOf(qpNumber);
    }

    /// Whether a frame joins the train of the newest one. There are no trains to groups: each member is sent its own
    /// copy.
    private boolean joins(int length, long destinationHigh, long destinationLow, long traffic) {
        return trains
                && queue.joins(length)
                && lastShard != NO_SHARD
                && destinationShard(queue.claimed()) == lastShard
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
            sendFailures++;
            return;
        }
        if (mayJoin && joins(length, destinationHigh, destinationLow, traffic)) {
            extend(queue.join(offset, length), traffic);
            return;
        }
        int entry = queue.commit(offset, length);
        outgoing.buffer(entry, memoryAddress + offset, length);
        address(entry, destinationHigh, destinationLow, traffic);
        lastHigh = destinationHigh;
        lastLow = destinationLow;
        lastTraffic = traffic;
        lastShard = destinationShard(offset);
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
            boolean full = !sendQueued();
            if (full != blocked) {
                blocked = full;
            }
            return !full;
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

    /// Whether GRO is on.
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
        gate.use(() -> waiter.listenTo(bell));
    }

    @Override
    public boolean watch(Bell bell, Runnable onBroken) {
        if (!gate.enter()) {
            return false;
        }
        try {
            if (watched == null) {
                watched = new WatchedBells(local);
                waiter.watch(watched);
            }
            return watched.add(bell, onBroken);
        } catch (RdmaException tooManyDescriptors) {
            return false;
        } finally {
            gate.leave();
        }
    }

    @Override
    public void revealTraffic() {
        gate.use(() -> {
            LinuxSocket.revealTraffic(fd, addresses);
            incoming.revealTraffic();
        });
    }

    @Override
    void enter(Gid group) {
        gate.use(() -> {
            if (memberships == null) {
                memberships = new LinuxGroups(local, addresses);
                waiter.alsoWaitFor(memberships.epollFd());
            }
            memberships.join(group);
        });
    }

    @Override
    void exit(Gid group) {
        gate.use(() -> memberships.leave(group));
    }

    @Override
    public void check() {
        gate.use(() -> LinuxSocket.requireAlive(fd, local));
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

    /// False when the socket is full.
    private boolean sendQueued() {
        while (!queue.isEmpty()) {
            int entry = queue.head();
            int count = queue.entries();
            long first = outgoing.header(entry);
            int sent = count == 1 ? sendOne(entry) : LinuxWireCalls.sendmmsg(fd, first, count, NO_SIGNAL);
            if (sent < 0) {
                sent = LinuxWireCalls.sendAgain(state, fd, first, count, NO_SIGNAL);
            }
            if (sent > 0) {
                queue.release(sent);
            } else if (sent == -LinuxWireCalls.EAGAIN) {
                return false;
            } else {
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
                ? LinuxWireCalls.sendto(
                        fd,
                        memoryAddress + queue.start(entry),
                        queue.length(entry),
                        NO_SIGNAL,
                        outgoing.name(entry),
                        addresses.bytes())
                : LinuxWireCalls.sendmsg(fd, outgoing.header(entry), NO_SIGNAL);
        return result < 0 ? result : 1;
    }

    /// The route does not support trains (no checksum offload, encryption), so no more are sent. The frames of this one
    /// are lost, and reliable queue pairs retransmit them.
    private void onRefused(int entry, int error) {
        sendFailures += queue.count(entry);
        if (queue.count(entry) > 1 && (error == LinuxWireCalls.EIO || error == LinuxWireCalls.EINVAL)) {
            trains = false;
            Wires.LOG.log(
                    System.Logger.Level.DEBUG,
                    () -> AddressText.of(local) + ": segmentation offload failed with error " + error
                            + "; from now on each packet is sent alone");
        }
    }

    private void closeDescriptors() {
        waiter.close();
        if (memberships != null) {
            memberships.close();
        }
        if (watched != null) {
            watched.close();
        }
        closeSocket();
    }

    private void closeSocket() {
        if (sharedAddress == null) {
            DescriptorCalls.close(fd);
        } else {
            sharedAddress.close();
        }
    }
}
