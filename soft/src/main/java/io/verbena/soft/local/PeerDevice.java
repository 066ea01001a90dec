package io.verbena.soft.local;

import static io.verbena.soft.local.DeviceLayout.INT;
import static io.verbena.soft.local.DeviceLayout.LONG;

import io.verbena.soft.os.AsymmetricFence;
import io.verbena.soft.os.Bell;
import io.verbena.soft.os.HostMemory;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// What a neighbour shows: its queue pairs, its lanes, its regions and its bell. Any thread may look regions up and
/// ring; the rest belongs to the engine of the device that looks.
public final class PeerDevice {
    static final int SLEEPS = 1;
    private static final int BEING_WOKEN = 2;

    private final long pid;
    private final SealedMemory shared;
    private final MemorySegment memory;
    private final long base;
    private final Bell bell;
    private final boolean fenced;
    private final AtomicReferenceArray<PeerRegion> regions = new AtomicReferenceArray<>(DeviceLayout.REGIONS);
    /// Their slot names another region by now.
    private final List<PeerRegion> replaced = new ArrayList<>();

    private volatile boolean gone;
    /// Connections that use it.
    int users;

    PeerDevice(long pid, SealedMemory shared) {
        this.pid = pid;
        this.shared = shared;
        this.memory = shared.memory();
        this.base = memory.address();
        this.bell = Bell.open(pid, memory.get(ValueLayout.JAVA_INT, DeviceLayout.BELL_AT));
        this.fenced = AsymmetricFence.ON_HOST && memory.get(ValueLayout.JAVA_INT, DeviceLayout.FENCES_AT) == 1;
    }

    static boolean isOne(SealedMemory shared) {
        return DeviceLayout.load(shared.memory(), DeviceLayout.MAGIC_AT) == DeviceLayout.MAGIC;
    }

    /// Between a store that the neighbour looks at and a look at what it stored. Pairs with
    /// [AsymmetricFence#rareSideOnHost] in the neighbour's process.
    void fence() {
        if (fenced) {
            AsymmetricFence.frequentSide();
        } else {
            VarHandle.fullFence();
        }
    }

    /// Whether the device is still what it was: one that was closed and opened again shows another page.
    boolean isOpen() {
        return isOne(shared);
    }

    /// Whether its process has ended or closed the device, as far as is known.
    public boolean isGone() {
        return gone;
    }

    /// Looks whether it has by now.
    public boolean findGone() {
        gone = gone || !bell.isAlive();
        return gone;
    }

    // ---- queue pairs and lanes ----

    QueuePairPath pathOf(int qpNumber) {
        long at = DeviceLayout.queuePairAt(qpNumber);
        int path = (int) INT.getAcquire(memory, at + DeviceLayout.PATH);
        return DeviceLayout.load(memory, at + DeviceLayout.NUMBER) == qpNumber + 1L
                ? QueuePairPath.of(path)
                : QueuePairPath.GONE;
    }

    /// Names the lane of a queue pair whose path is local.
    long laneOf(int qpNumber) {
        return memory.get(ValueLayout.JAVA_LONG, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.LANE_NONCE);
    }

    /// The lane of that name, or null when it is not there any more.
    SealedMemory openLane(int qpNumber, long nonce) {
        long at = DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.LANE_DESCRIPTOR;
        return open(memory.get(ValueLayout.JAVA_INT, at), nonce, LaneLayout.BYTES);
    }

    private SealedMemory open(int descriptor, long nonce, long bytes) {
        try {
            return SealedMemory.open(pid, descriptor, nonce, bytes);
        } catch (RdmaException notThere) {
            // It was closed meanwhile, or this process can map no more: then the other side does the work.
            return null;
        }
    }

    // ---- regions ----

    /// The region of that key, or null when it cannot be reached from here.
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
        SealedMemory opened = open(descriptor, nonce, length);
        if (opened == null) {
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

    /// Forgets regions that are closed over there, or all of them. The caller closes what is returned, once no thread
    /// can be inside any more.
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

    /// Wakes whoever sleeps for the lanes of that completion queue. With a [#fence] after what shall be seen.
    void wake(int queueSlot) {
        wakeAt(DeviceLayout.queueAt(queueSlot));
    }

    private void wakeAt(long at) {
        if ((int) INT.getOpaque(HostMemory.ALL, base + at) == SLEEPS
                && INT.compareAndSet(memory, at, SLEEPS, BEING_WOKEN)) {
            bell.ring();
        }
    }

    /// Makes the neighbour look at the lanes that it does not look at each time.
    void countNews(int queueSlot) {
        LONG.getAndAdd(memory, DeviceLayout.queueAt(queueSlot) + DeviceLayout.NEWS, 1L);
    }

    /// As [#wake], after a store to this side's lane that the requester of the peer waits for.
    public void wakeRequester(int queueSlot) {
        fence();
        wake(queueSlot);
    }

    /// Makes the neighbour's engine look at the connection of that queue pair.
    void tellEngine(int qpNumber) {
        LONG.getAndAdd(memory, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.QUEUE_PAIR_NEWS, 1L);
        LONG.getAndAdd(memory, DeviceLayout.ENGINE_NEWS_AT, 1L);
        wakeAt(DeviceLayout.ENGINE_ASLEEP_AT);
    }

    /// Only when no thread can be inside.
    void close() {
        forget(true).forEach(PeerRegion::close);
        bell.close();
        shared.close();
    }
}
