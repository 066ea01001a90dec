package io.verbena.soft.local;

import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftPath;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.os.AsymmetricFence;
import io.verbena.soft.os.Bell;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// A device's part of the local path: its device page, its neighbours, and its connections over the local path. Owned
/// by the engine unless a method says otherwise.
public final class LocalDevice {
    private static final Logger LOG = System.getLogger(LocalDevice.class.getName());
    /// How long closing a region waits for a neighbour that accesses it. A neighbour that takes longer is stopped, not
    /// slow, so the next close does not wait for it again.
    private static final long LONGEST_BUSY_NS = 5_000_000_000L;

    private static final long NOT_AGAIN_NS = 10_000_000_000L;

    /// How long the engine's owner waits for a peer that accesses this device's memory.
    private static final long LONGEST_OF_OWNER_NS = 200_000_000L;

    private static final long NAP_NS = 50_000;
    private static final int SPINS = 10_000;

    private final Neighbourhood neighbourhood;
    private final SoftPath option;
    private final Gid gid;
    private final Bell bell;
    private final DevicePage page;
    private final Runnable withdrawal;
    private final Neighbours neighbours;
    private final BitSet queueSlots = new BitSet();
    private SharedRegions regions = new SharedRegions();
    private volatile LocalConnection[] connections = {};
    private volatile LaneGroup[] groups = {};
    private volatile long messagesOfEnded;
    private volatile boolean asleep;
    private volatile long newsSeen;
    private String refusal = "";
    private volatile Runnable onNeighbourEnded = () -> {};

    LocalDevice(Neighbourhood neighbourhood, SoftPath option, Gid gid, Wire wire) {
        this.neighbourhood = neighbourhood;
        this.option = option;
        this.gid = gid;
        this.neighbours = new Neighbours(neighbourhood, peer -> wire.watch(peer, () -> onNeighbourEnded.run()));
        bell = Bell.create();
        SealedMemory memory = null;
        try {
            memory = neighbourhood.create(DeviceLayout.BYTES, false);
            page = new DevicePage(memory, bell.ringFd());
            withdrawal = neighbourhood.announce(gid, memory);
        } catch (RuntimeException e) {
            if (memory != null) {
                memory.close();
            }
            bell.close();
            throw e;
        }
        regions.add(page);
        wire.listenTo(bell);
    }

    // ---- queue pairs ----

    public void publishQueuePair(int qpNumber) {
        page.publishQueuePair(qpNumber);
    }

    public void withdrawQueuePair(int qpNumber) {
        page.withdrawQueuePair(qpNumber);
    }

    /// The queue pair is reset, and has no path.
    public void clearPath(int qpNumber) {
        page.publishPath(qpNumber, QueuePairPath.UNDECIDED);
    }

    /// The queue pair falls back to the network.
    public void publishNetworkPath(int qpNumber) {
        page.publishPath(qpNumber, QueuePairPath.NETWORK);
    }

    /// The lanes to a queue pair of a neighbour, or null when the connection takes the network. Both ends publish their
    /// path. An end on the local path falls back to the network when its peer takes the network.
    public LanePair connect(int qpNumber, Gid peerGid, int peerQp, int firstPsn, Supplier<QueueSlot> receiveQueue) {
        try {
            PeerDevice peer = neighbours.find(peerGid, peerQp);
            QueuePairPath path = peer == null ? QueuePairPath.GONE : peer.pathOf(peerQp);
            if (path == QueuePairPath.GONE || path == QueuePairPath.NETWORK) {
                throw unreachable(qpNumber, peerGid, peerQp, neighbours.unreachableReason(peerGid));
            }
            SealedMemory memory = neighbourhood.create(LaneLayout.BYTES, false);
            OwnLane own = new OwnLane(
                    memory,
                    peerGid.high(),
                    peerGid.low(),
                    peerQp,
                    firstPsn,
                    receiveQueue.get().index());
            neighbours.retain(peer);
            page.publishLane(qpNumber, memory);
            LanePair lanes = new LanePair(gid, qpNumber, own, peer, peerQp);
            lanes.newsSeen = page.newsOf(qpNumber);
            lanes.notifyPeer();
            return lanes;
        } catch (RdmaException e) {
            page.publishPath(qpNumber, QueuePairPath.NETWORK);
            refusal = e.getMessage();
            if (option == SoftPath.SHARED) {
                throw e;
            }
            LOG.log(Level.DEBUG, () -> "QP 0x%x goes over the network: %s".formatted(qpNumber, e.getMessage()));
            return null;
        }
    }

    /// Why the last [#connect] returned null.
    public String refusal() {
        return refusal;
    }

    /// Whether connections may fall back to the network.
    public boolean mayUseNetwork() {
        return option != SoftPath.SHARED;
    }

    /// For a queue pair that cannot take the local path.
    ///
    /// @throws RdmaException when the options demand it
    public void requireNetwork(int qpNumber) {
        if (!mayUseNetwork()) {
            throw new RdmaException(
                    "connect QP 0x%x".formatted(qpNumber),
                    Errno.EOPNOTSUPP,
                    "its completion queues belong to different shards, so it cannot use shared memory; make it with one"
                            + " completion queue, or open the device with one shard (" + SoftProperties.SHARDS + ")");
        }
    }

    private RdmaException unreachable(int qpNumber, Gid peerGid, int peerQp, String reason) {
        return new RdmaException(
                "connect QP 0x%x".formatted(qpNumber),
                Errno.EHOSTUNREACH,
                ("QP 0x%x of %s cannot be reached through shared memory: %s; set %s to auto (--path auto)")
                        .formatted(
                                peerQp,
                                AddressText.of(peerGid.address()),
                                reason == null
                                        ? "it is of another host or user, not of a software device, or goes over UDP"
                                        : reason,
                                SoftProperties.PATH));
    }

    public void add(LocalConnection connection) {
        LocalConnection[] more = Arrays.copyOf(connections, connections.length + 1);
        more[connections.length] = connection;
        connections = more;
    }

    /// The connection has ended, and no thread can access its lanes any more.
    public void remove(LocalConnection connection) {
        connections =
                Arrays.stream(connections).filter(other -> other != connection).toArray(LocalConnection[]::new);
        messagesOfEnded += connection.messages();
        connection.lanes().ownLane().refuseAccess();
        AsymmetricFence.rareSideOnHost();
        awaitPeer(connection.lanes(), NanoClock.SYSTEM.nowNs() + LONGEST_OF_OWNER_NS);
        connection.lanes().close();
        neighbours.release(connection.lanes().peer());
    }

    /// How many connections take the local path.
    public int count() {
        return connections.length;
    }

    /// Messages sent over the local path so far. From any thread; the number may be slightly out of date.
    public long messages() {
        long sum = messagesOfEnded;
        for (LocalConnection connection : connections) {
            sum += connection.messages();
        }
        return sum;
    }

    /// Changes when this device did something that a neighbour may have to react to. For simulations.
    public long activity() {
        long sum = newsSeen;
        for (LocalConnection connection : connections) {
            sum += connection.lanes().activity() + connection.fetchedBytes();
        }
        return sum;
    }

    /// The addresses of neighbours that cannot be reached, with the reasons. From any thread.
    public Map<Gid, String> unreachableNeighbours() {
        return neighbours.unreachableReasons();
    }

    // ---- completion queues ----

    /// A slot for a completion queue that gets its first lane.
    public QueueSlot newSlot() {
        int free = queueSlots.nextClearBit(0);
        queueSlots.set(free);
        return new QueueSlot(page, free);
    }

    public void add(LaneGroup group) {
        LaneGroup[] more = Arrays.copyOf(groups, groups.length + 1);
        more[groups.length] = group;
        groups = more;
    }

    public void remove(LaneGroup group) {
        groups = Arrays.stream(groups).filter(other -> other != group).toArray(LaneGroup[]::new);
        group.slot().wakeUp();
        queueSlots.clear(group.slot().index());
    }

    /// Handles the news for the engine, and executes the entries in lanes of completion queues that no program polls.
    public int progress(boolean acknowledge) {
        int work = takeNews();
        for (LaneGroup group : groups) {
            group.resumePolling();
            if (!group.wasPolled()) {
                work += group.progress(acknowledge);
            } else if (acknowledge) {
                group.publishExecuted();
            }
        }
        return work;
    }

    private int takeNews() {
        long news = page.news(DeviceLayout.ENGINE_NEWS_AT);
        if (news == newsSeen) {
            return 0;
        }
        newsSeen = news;
        for (LocalConnection connection : connections) {
            LanePair lanes = connection.lanes();
            long fresh = page.newsOf(lanes.qpNumber());
            if (fresh != lanes.newsSeen) {
                lanes.newsSeen = fresh;
                connection.onNews();
            }
        }
        return 1;
    }

    // ---- regions ----

    /// Memory that neighbours can map; null when there is too little. From any thread.
    public SharedRegion allocate(long bytes) {
        try {
            return new SharedRegion(neighbourhood.create(bytes, true));
        } catch (RdmaException noRoom) {
            LOG.log(Level.DEBUG, () -> "a region without direct access for neighbours: " + noRoom.getMessage());
            return null;
        }
    }

    /// The regions that neighbours can map, of all shards of the device. From any thread.
    public SharedRegions regions() {
        return regions;
    }

    /// For a further shard of a device: shows the same regions as its first one.
    public void showRegionsOf(LocalDevice first) {
        regions = first.regions;
        regions.add(page);
    }

    /// Waits until no neighbour accesses this device's memory. From any thread but the engine's owner: it may take as
    /// long as a large copy.
    public void awaitNeighbours() {
        AsymmetricFence.rareSideOnHost();
        long endNs = NanoClock.SYSTEM.nowNs() + LONGEST_BUSY_NS;
        for (LocalConnection connection : connections) {
            awaitPeer(connection.lanes(), endNs);
        }
    }

    /// After waiting for a device in vain, this does not wait for it again for a while: it may have many connections,
    /// and this side many regions.
    private static void awaitPeer(LanePair lanes, long endNs) {
        PeerDevice peer = lanes.peer();
        int turn = 0;
        while (lanes.ownLane().isPeerBusy() && !peer.isGone()) {
            if (turn++ < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            long nowNs = NanoClock.SYSTEM.nowNs();
            if (peer.checkGone() || peer.isStuck(nowNs)) {
                return;
            }
            LockSupport.parkNanos(NAP_NS);
            if (nowNs - endNs > 0) {
                peer.stuckUntil(nowNs + NOT_AGAIN_NS);
                LOG.log(
                        Level.WARNING,
                        ("the peer of QP 0x%x still accesses memory that is being closed; continue its process if it is"
                                        + " stopped, or end it")
                                .formatted(lanes.qpNumber()));
                return;
            }
        }
    }

    /// Waits until all copies that are under way in this process have ended. Afterwards no thread uses keys that were
    /// removed before the call. From any thread that is not inside a copy.
    public void awaitCopies() {
        AsymmetricFence.rareSideInProcess();
        for (LocalConnection connection : connections) {
            connection.copyLocks().forEach(BiasedLock::awaitFree);
        }
    }

    // ---- sleeping and waking; from any thread ----

    /// From now on no thread of this device reads the lanes of queues that no program polls, so neighbours must ring
    /// the bell. False when an entry arrived meanwhile. The rare side here pairs with [PeerDevice#fence] in a
    /// neighbour's process: either the neighbour sees ASLEEP, or this thread sees its entry.
    public boolean fallAsleep() {
        asleep = true;
        page.asleep(DeviceLayout.ENGINE_ASLEEP_AT, true);
        for (LaneGroup group : groups) {
            if (!group.isPolled()) {
                group.slot().fallAsleep();
            }
        }
        AsymmetricFence.rareSideOnHost();
        if (hasNews()) {
            wakeUp();
            return false;
        }
        return true;
    }

    /// Whether a program polls lanes at present, and may stop at any moment. From any thread.
    public boolean isPolled() {
        for (LaneGroup group : groups) {
            if (group.isPolled()) {
                return true;
            }
        }
        return false;
    }

    private boolean hasNews() {
        if (page.news(DeviceLayout.ENGINE_NEWS_AT) != newsSeen) {
            return true;
        }
        for (LaneGroup group : groups) {
            if (group.slot().isAsleep() && group.hasNews()) {
                return true;
            }
        }
        return false;
    }

    public void wakeUp() {
        if (!asleep) {
            return;
        }
        asleep = false;
        page.asleep(DeviceLayout.ENGINE_ASLEEP_AT, false);
        for (LaneGroup group : groups) {
            group.slot().wakeUp();
        }
    }

    // ---- now and then ----

    /// @param task run by a thread that sleeps on the wire when a neighbour's process ends
    public void onNeighbourEnded(Runnable task) {
        onNeighbourEnded = task;
    }

    /// Whether a sleeping thread is woken when the process of any neighbour ends.
    public boolean areNeighboursWatched() {
        return neighbours.areWatched();
    }

    /// Finds neighbours that have ended, unmaps regions that they closed, and stops polling quiet lanes.
    public void checkPeers() {
        stopPollingQuietLanes();
        if (neighbours.checkGone()) {
            for (LocalConnection connection : connections) {
                if (connection.lanes().peer().isGone()) {
                    connection.onPeerGone();
                }
            }
        }
        List<PeerRegion> closed = neighbours.forgetClosedRegions();
        if (!closed.isEmpty()) {
            awaitCopies();
            closed.forEach(PeerRegion::close);
        }
    }

    private void stopPollingQuietLanes() {
        boolean any = false;
        for (LaneGroup group : groups) {
            any |= group.askForNews();
        }
        if (any) {
            AsymmetricFence.rareSideOnHost();
            for (LaneGroup group : groups) {
                group.fallQuiet();
            }
        }
    }

    public void close() {
        withdrawal.run();
        regions.remove(page);
        neighbours.close();
        page.close();
        bell.close();
    }
}
