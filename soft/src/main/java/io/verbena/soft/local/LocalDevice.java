package io.verbena.soft.local;

import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.Wire;
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

/// A device's part of the memory that the processes of one user on one host share: what it shows, which neighbours it
/// knows, and which of its connections take the local path. Belongs to the engine unless said.
public final class LocalDevice {
    private static final Logger LOG = System.getLogger(LocalDevice.class.getName());
    /// How long closing a region waits for a neighbour that is in it. One that takes longer is stopped, not slow.
    private static final long LONGEST_BUSY_NS = 5_000_000_000L;

    /// How long the engine's owner waits for a peer that is in this device's memory.
    private static final long LONGEST_OF_OWNER_NS = 200_000_000L;

    private static final long NAP_NS = 50_000;
    private static final int SPINS = 10_000;

    private final Neighbourhood neighbourhood;
    private final PathOption option;
    private final Gid gid;
    private final Bell bell;
    private final DevicePage page;
    private final AutoCloseable announcement;
    private final Neighbours neighbours;
    private final BitSet queueSlots = new BitSet();
    private volatile LocalEnd[] ends = {};
    private volatile LaneGroup[] groups = {};
    private volatile long messagesOfEnded;
    private volatile boolean asleep;
    private volatile long newsSeen;

    LocalDevice(Neighbourhood neighbourhood, PathOption option, Gid gid, Wire wire) {
        this.neighbourhood = neighbourhood;
        this.option = option;
        this.gid = gid;
        this.neighbours = new Neighbours(neighbourhood);
        bell = Bell.create();
        SealedMemory memory = null;
        try {
            memory = neighbourhood.create(DeviceLayout.BYTES, false);
            page = new DevicePage(memory, bell.ringFd());
            announcement = neighbourhood.announce(gid, memory);
        } catch (RuntimeException e) {
            if (memory != null) {
                memory.close();
            }
            bell.close();
            throw e;
        }
        wire.listenTo(bell);
    }

    // ---- queue pairs ----

    public void show(int qpNumber) {
        page.show(qpNumber);
    }

    public void hide(int qpNumber) {
        page.hide(qpNumber);
    }

    /// The queue pair is reset: what it decided for is forgotten.
    public void undecide(int qpNumber) {
        page.decide(qpNumber, QueuePairPath.UNDECIDED);
    }

    /// The queue pair takes the network after all.
    public void decideForNetwork(int qpNumber) {
        page.decide(qpNumber, QueuePairPath.NETWORK);
    }

    /// The link to a queue pair of a neighbour, or null when it goes over the network. Both ends say what they decided
    /// for, and one that decided for the local path takes to the network when the other did.
    public LocalLink connect(int qpNumber, Gid peerGid, int peerQp, int firstPsn, Supplier<QueueSlot> receiveQueue) {
        try {
            PeerDevice peer = neighbours.find(peerGid);
            QueuePairPath path = peer == null ? QueuePairPath.GONE : peer.pathOf(peerQp);
            if (path == QueuePairPath.GONE || path == QueuePairPath.NETWORK) {
                throw unreachable(qpNumber, peerGid, peerQp, neighbours.obstacle(peerGid));
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
            page.decideFor(qpNumber, memory);
            LocalLink link = new LocalLink(gid, qpNumber, own, peer, peerQp);
            link.newsSeen = page.newsOf(qpNumber);
            link.tellPeer();
            return link;
        } catch (RdmaException e) {
            page.decide(qpNumber, QueuePairPath.NETWORK);
            if (option == PathOption.SHARED) {
                throw e;
            }
            LOG.log(Level.DEBUG, () -> "QP 0x%x goes over the network: %s".formatted(qpNumber, e.getMessage()));
            return null;
        }
    }

    /// Whether connections may fall back to the network.
    public boolean mayUseNetwork() {
        return option != PathOption.SHARED;
    }

    private RdmaException unreachable(int qpNumber, Gid peerGid, int peerQp, String obstacle) {
        return new RdmaException(
                "connect QP 0x%x".formatted(qpNumber),
                Errno.EHOSTUNREACH,
                ("QP 0x%x of %s cannot be reached through shared memory: %s; set %s to auto (--path auto)")
                        .formatted(
                                peerQp,
                                AddressText.of(peerGid.address()),
                                obstacle == null
                                        ? "it is of another host or user, not of a software device, or goes over UDP"
                                        : obstacle,
                                PathOption.PROPERTY));
    }

    public void add(LocalEnd end) {
        LocalEnd[] more = Arrays.copyOf(ends, ends.length + 1);
        more[ends.length] = end;
        ends = more;
    }

    /// The connection has ended, and none of its threads can be inside its lanes.
    public void remove(LocalEnd end) {
        ends = Arrays.stream(ends).filter(other -> other != end).toArray(LocalEnd[]::new);
        messagesOfEnded += end.messages();
        end.link().own().refuse();
        AsymmetricFence.rareSideOnHost();
        awaitPeer(end.link(), NanoClock.SYSTEM.nowNs() + LONGEST_OF_OWNER_NS);
        end.link().close();
        neighbours.release(end.link().peer());
    }

    /// How many connections take the local path.
    public int count() {
        return ends.length;
    }

    /// Messages that went over the local path. From any thread, which may see a number of a moment ago.
    public long messages() {
        long sum = messagesOfEnded;
        for (LocalEnd end : ends) {
            sum += end.messages();
        }
        return sum;
    }

    /// Changes when this device did something that a neighbour may have to see to. For a world that is stepped.
    public long motion() {
        long sum = newsSeen;
        for (LocalEnd end : ends) {
            sum += end.link().motion();
        }
        return sum;
    }

    /// The addresses of neighbours that could not be reached, and why not. From any thread.
    public Map<Gid, String> obstacles() {
        return neighbours.obstacles();
    }

    // ---- completion queues ----

    /// The place of a completion queue that gets its first lane.
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

    /// Takes what lies in the lanes of completion queues that nobody polls, and what is for the engine.
    public int progress(boolean acknowledge) {
        int work = takeNews();
        for (LaneGroup group : groups) {
            group.listenToNews();
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
        for (LocalEnd end : ends) {
            LocalLink link = end.link();
            long fresh = page.newsOf(link.qpNumber());
            if (fresh != link.newsSeen) {
                link.newsSeen = fresh;
                end.onNews();
            }
        }
        return 1;
    }

    // ---- regions ----

    /// Memory that neighbours can reach; null when there is none. From any thread.
    public SharedRegion allocate(long bytes) {
        try {
            return new SharedRegion(neighbourhood.create(bytes, true));
        } catch (RdmaException noRoom) {
            LOG.log(Level.DEBUG, () -> "a region that neighbours cannot reach by themselves: " + noRoom.getMessage());
            return null;
        }
    }

    /// Neighbours may reach it from now on.
    public void show(SharedRegion region, int key, int access, long address, long length, int domain) {
        region.onShown(key, page.show(key, access, address, length, region.shared(), domain));
    }

    /// Neighbours do not begin to use it any more; [#awaitNeighbours] for those that have.
    public void hide(SharedRegion region) {
        if (region.registration() != 0) {
            page.hideRegion(region.key(), region.registration());
            region.onShown(region.key(), 0);
        }
    }

    /// Waits until no neighbour is in this device's memory. From any thread, not as owner of the engine: it may take as
    /// long as a large copy takes.
    public void awaitNeighbours() {
        AsymmetricFence.rareSideOnHost();
        long endNs = NanoClock.SYSTEM.nowNs() + LONGEST_BUSY_NS;
        for (LocalEnd end : ends) {
            awaitPeer(end.link(), endNs);
        }
    }

    private static void awaitPeer(LocalLink link, long endNs) {
        for (int turn = 0; link.own().isPeerBusy() && !link.peer().isGone(); turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            link.peer().findGone();
            LockSupport.parkNanos(NAP_NS);
            if (NanoClock.SYSTEM.nowNs() - endNs > 0) {
                LOG.log(
                        Level.WARNING,
                        "the peer of QP 0x%x does not leave memory that is being closed; is it stopped? Let it go on, or end it"
                                .formatted(link.qpNumber()));
                return;
            }
        }
    }

    /// Waits until every thread has left the copies that it was in when this was called: keys that were removed before
    /// are not used any more. From any thread that is in none itself.
    public void awaitCopies() {
        AsymmetricFence.rareSideInProcess();
        for (LocalEnd end : ends) {
            end.copyLocks().forEach(BiasedLock::awaitFree);
        }
    }

    // ---- sleeping and waking; from any thread ----

    /// Nobody looks at the lanes of queues that are not polled from now on, so peers must ring. False when something
    /// came meanwhile. Pairs with [PeerDevice#fence] of neighbours, which store first and look here afterwards.
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

    /// Whether a program polls lanes by itself, and may stop doing it at any moment. From any thread.
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

    /// Finds neighbours that have ended, unmaps regions that they closed, and leaves quiet lanes alone.
    public void checkPeers() {
        leaveOutQuiet();
        if (neighbours.findGone()) {
            for (LocalEnd end : ends) {
                if (end.link().peer().isGone()) {
                    end.onPeerGone();
                }
            }
        }
        List<PeerRegion> closed = neighbours.forgetClosedRegions();
        if (!closed.isEmpty()) {
            awaitCopies();
            closed.forEach(PeerRegion::close);
        }
    }

    private void leaveOutQuiet() {
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
        try {
            announcement.close();
        } catch (Exception e) {
            LOG.log(Level.DEBUG, () -> "the announcement of " + gid + " stays: " + e.getMessage());
        }
        neighbours.close();
        page.close();
        bell.close();
    }
}
