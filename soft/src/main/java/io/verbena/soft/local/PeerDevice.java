package io.verbena.soft.local;

import static io.verbena.soft.local.DeviceLayout.INT;
import static io.verbena.soft.local.DeviceLayout.LONG;

import io.verbena.soft.os.AsymmetricFence;
import io.verbena.soft.os.Bell;
import io.verbena.soft.os.HostMemory;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// A neighbour's device page: its queue pairs, lanes, regions and bell. Any thread may look up regions and ring the
/// bell. All else is owned by the engine of this side's device.
public final class PeerDevice {
    static final int SLEEPS = 1;
    private static final int BEING_WOKEN = 2;

    private final Gid gid;
    private final long pid;
    private final SealedMemory shared;
    private final MemorySegment memory;
    private final long base;
    private final Bell bell;
    private final boolean fenced;
    private final AtomicReferenceArray<PeerRegion> regions = new AtomicReferenceArray<>(DeviceLayout.REGIONS);
    /// Mapped regions whose slot names another region now.
    private final List<PeerRegion> replaced = new ArrayList<>();

    private volatile boolean gone;
    /// Whether the page named memory whose descriptor was closed already, as in a process that is being killed.
    private volatile boolean ending;
    /// Until when closing memory does not wait for this neighbour.
    private volatile long stuckUntilNs = NanoClock.SYSTEM.nowNs();
    /// Connections that use it.
    int users;
    /// Whether a sleeping thread is woken when its process ends.
    boolean isWatched;

    PeerDevice(Gid gid, long pid, SealedMemory shared) {
        this.gid = gid;
        this.pid = pid;
        this.shared = shared;
        this.memory = shared.memory();
        this.base = memory.address();
        this.bell = Bell.open(pid, memory.get(ValueLayout.JAVA_INT, DeviceLayout.BELL_AT));
        this.fenced = AsymmetricFence.ON_HOST && memory.get(ValueLayout.JAVA_INT, DeviceLayout.FENCES_AT) == 1;
    }

    static boolean isDevicePage(SealedMemory shared) {
        return DeviceLayout.load(shared.memory(), DeviceLayout.MAGIC_AT) == DeviceLayout.MAGIC;
    }

    /// The fence between a store that the neighbour reads and a load of what it stored. Pairs with
    /// [AsymmetricFence#rareSideOnHost] in the neighbour's process, in [LocalDevice#fallAsleep],
    /// [LocalDevice#awaitNeighbours], [LocalDevice#remove] and [LocalDevice#checkPeers].
    void fence() {
        if (fenced) {
            AsymmetricFence.frequentSide();
        } else {
            VarHandle.fullFence();
        }
    }

    Gid gid() {
        return gid;
    }

    /// Of its page, see [SealedMemory#nonce].
    long nonce() {
        return shared.nonce();
    }

    /// Whether the device is still open, and has that queue pair.
    boolean shows(int qpNumber) {
        return isDevicePage(shared) && pathOf(qpNumber) != QueuePairPath.GONE;
    }

    /// Whether its process has ended or closed the device, as far as is known.
    public boolean isGone() {
        return gone;
    }

    /// Like [#isGone], but checks.
    public boolean checkGone() {
        gone = gone || !bell.isAlive();
        return gone;
    }

    Bell bell() {
        return bell;
    }

    /// Whether its process is about to end, or has ended: a process that is killed loses its descriptors for others to
    /// open first, and its bell when its last thread is gone.
    public boolean isEnding() {
        return ending || checkGone();
    }

    /// Whether a wait for this neighbour to leave memory recently timed out.
    boolean isStuck(long nowNs) {
        return stuckUntilNs - nowNs > 0;
    }

    void stuckUntil(long untilNs) {
        stuckUntilNs = untilNs;
    }

    // ---- queue pairs and lanes ----

    QueuePairPath pathOf(int qpNumber) {
        long at = DeviceLayout.queuePairAt(qpNumber);
        int path = (int) INT.getAcquire(memory, at + DeviceLayout.PATH);
        return DeviceLayout.load(memory, at + DeviceLayout.NUMBER) == qpNumber + 1L
                ? QueuePairPath.of(path)
                : QueuePairPath.GONE;
    }

    /// The nonce of the lane of a queue pair whose path is local.
    long laneOf(int qpNumber) {
        return memory.get(ValueLayout.JAVA_LONG, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.LANE_NONCE);
    }

    /// The lane with that nonce, or null when it no longer exists.
    SealedMemory openLane(int qpNumber, long nonce) {
        long at = DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.LANE_DESCRIPTOR;
        try {
            return SealedMemory.open(pid, memory.get(ValueLayout.JAVA_INT, at), nonce, LaneLayout.BYTES);
        } catch (RdmaException notThere) {
            return null;
        }
    }

    // ---- regions ----

    /// The region of that key, or null when this process cannot map it.
    public PeerRegion region(int key) {
        int slot = DeviceLayout.regionSlot(key);
        PeerRegion region = regionIn(slot, DeviceLayout.load(memory, DeviceLayout.regionAt(slot)));
        return region != null && region.key == key ? region : null;
    }

    /// The region of that registration, or null when it is closed.
    public PeerRegion regionIn(int slot, long registration) {
        if (slot < 0 || slot >= DeviceLayout.REGIONS || registration == 0) {
            return null;
        }
        PeerRegion known = regions.getAcquire(slot);
        return known != null && known.registration == registration ? known : openRegion(slot, registration);
    }

    private synchronized PeerRegion openRegion(int slot, long registration) {
        PeerRegion known = regions.get(slot);
        if (known != null && known.registration == registration) {
            return known;
        }
        long at = DeviceLayout.regionAt(slot);
        int key = memory.get(ValueLayout.JAVA_INT, at + DeviceLayout.KEY);
        int access = memory.get(ValueLayout.JAVA_INT, at + DeviceLayout.ACCESS);
        int domain = memory.get(ValueLayout.JAVA_INT, at + DeviceLayout.DOMAIN);
        long address = memory.get(ValueLayout.JAVA_LONG, at + DeviceLayout.ADDRESS);
        long length = memory.get(ValueLayout.JAVA_LONG, at + DeviceLayout.LENGTH);
        long nonce = memory.get(ValueLayout.JAVA_LONG, at + DeviceLayout.REGION_NONCE);
        int descriptor = memory.get(ValueLayout.JAVA_INT, at + DeviceLayout.REGION_DESCRIPTOR);
        if (DeviceLayout.load(memory, at) != registration || length < 0) {
            return null;
        }
        SealedMemory opened;
        try {
            opened = SealedMemory.open(pid, descriptor, nonce, length);
        } catch (RdmaException notThere) {
            // The region was closed meanwhile, or this process can map no more; then the neighbour must execute the
            // request. A region's slot is cleared before its descriptor is closed.
            ending |= notThere.errno() == Errno.ENOENT && DeviceLayout.load(memory, at) == registration;
            return null;
        }
        PeerRegion region = new PeerRegion(memory, at, opened, registration, key, access, domain, address, length);
        if (known != null) {
            known.forget();
            replaced.add(known);
        }
        regions.setRelease(slot, region);
        return region;
    }

    /// Forgets regions that the neighbour has closed, or all regions. The caller closes the returned ones when no
    /// thread can access them any more.
    synchronized List<PeerRegion> forget(boolean all) {
        List<PeerRegion> forgotten = new ArrayList<>(replaced);
        replaced.clear();
        for (int slot = 0; slot < DeviceLayout.REGIONS; slot++) {
            PeerRegion region = regions.get(slot);
            if (region != null && (all || !region.isOpen())) {
                region.forget();
                regions.set(slot, null);
                forgotten.add(region);
            }
        }
        return forgotten;
    }

    // ---- waking; from any thread ----

    /// Wakes a thread that sleeps for the lanes of that completion queue. The caller has called [#fence] after its
    /// store.
    void wake(int queueSlot) {
        wakeAt(DeviceLayout.queueAt(queueSlot));
    }

    private void wakeAt(long at) {
        if ((int) INT.getOpaque(HostMemory.ALL, base + at) == SLEEPS
                && INT.compareAndSet(memory, at, SLEEPS, BEING_WOKEN)) {
            bell.ring();
        }
    }

    /// Makes the neighbour poll the quiet lanes of that completion queue.
    void countNews(int queueSlot) {
        LONG.getAndAdd(memory, DeviceLayout.queueAt(queueSlot) + DeviceLayout.NEWS, 1L);
    }

    /// Like [#wake], with the fence. For a store to this side's lane that the peer's requester waits for.
    public void wakeRequester(int queueSlot) {
        fence();
        wake(queueSlot);
    }

    /// Makes the neighbour's engine check the connection of that queue pair.
    void notifyEngine(int qpNumber) {
        LONG.getAndAdd(memory, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.QUEUE_PAIR_NEWS, 1L);
        LONG.getAndAdd(memory, DeviceLayout.ENGINE_NEWS_AT, 1L);
        wakeAt(DeviceLayout.ENGINE_ASLEEP_AT);
    }

    /// Only when no thread can access the page.
    void close() {
        forget(true).forEach(PeerRegion::close);
        bell.close();
        shared.close();
    }
}
