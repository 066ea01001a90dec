package io.verbena.soft.local;

import static io.verbena.soft.local.DeviceLayout.INT;
import static io.verbena.soft.local.DeviceLayout.LONG;

import io.verbena.soft.os.AsymmetricFence;
import io.verbena.soft.os.HostMemory;
import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/// The memory in which this device publishes its queue pairs, completion queues and regions. The engine's owner writes
/// it, except for the regions ([SharedRegions]) and the words of sleeping threads.
final class DevicePage {
    private final SealedMemory shared;
    private final MemorySegment memory;
    private final long base;

    @SuppressWarnings("restricted")
    DevicePage(SealedMemory shared, int bell) {
        this.shared = shared;
        // Threads that poll or wait may read the page while the device closes, so it is unmapped only when it is
        // unreachable.
        this.memory = shared.memory().reinterpret(Arena.ofAuto(), unreachable -> shared.close());
        this.base = memory.address();
        memory.set(ValueLayout.JAVA_INT, DeviceLayout.FENCES_AT, AsymmetricFence.ON_HOST ? 1 : 0);
        memory.set(ValueLayout.JAVA_INT, DeviceLayout.BELL_AT, bell);
        LONG.setRelease(memory, DeviceLayout.MAGIC_AT, DeviceLayout.MAGIC);
    }

    // ---- queue pairs ----

    void publishQueuePair(int qpNumber) {
        LONG.setRelease(memory, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.NUMBER, qpNumber + 1L);
    }

    void withdrawQueuePair(int qpNumber) {
        publishPath(qpNumber, QueuePairPath.UNDECIDED);
        LONG.setVolatile(memory, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.NUMBER, 0L);
    }

    void publishPath(int qpNumber, QueuePairPath path) {
        INT.setVolatile(memory, DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.PATH, path.ordinal());
    }

    void publishLane(int qpNumber, SealedMemory lane) {
        long at = DeviceLayout.queuePairAt(qpNumber);
        memory.set(ValueLayout.JAVA_INT, at + DeviceLayout.LANE_DESCRIPTOR, lane.fd());
        memory.set(ValueLayout.JAVA_LONG, at + DeviceLayout.LANE_NONCE, lane.nonce());
        publishPath(qpNumber, QueuePairPath.LOCAL);
    }

    /// Changes when the peer of a queue pair has published something for the engine.
    long newsOf(int qpNumber) {
        return news(DeviceLayout.queuePairAt(qpNumber) + DeviceLayout.QUEUE_PAIR_NEWS);
    }

    // ---- regions ----

    /// The slot of the key must be free.
    void publishRegion(
            long registration, int key, int access, long address, long length, SealedMemory region, int domain) {
        long at = DeviceLayout.regionAt(DeviceLayout.regionSlot(key));
        memory.set(ValueLayout.JAVA_INT, at + DeviceLayout.KEY, key);
        memory.set(ValueLayout.JAVA_INT, at + DeviceLayout.ACCESS, access);
        memory.set(ValueLayout.JAVA_LONG, at + DeviceLayout.ADDRESS, address);
        memory.set(ValueLayout.JAVA_LONG, at + DeviceLayout.LENGTH, length);
        memory.set(ValueLayout.JAVA_LONG, at + DeviceLayout.REGION_NONCE, region.nonce());
        memory.set(ValueLayout.JAVA_INT, at + DeviceLayout.REGION_DESCRIPTOR, region.fd());
        memory.set(ValueLayout.JAVA_INT, at + DeviceLayout.DOMAIN, domain);
        LONG.setRelease(memory, at, registration);
    }

    /// From now on no neighbour begins a direct access to the region. Accesses under way continue.
    void withdrawRegion(int key) {
        LONG.setVolatile(memory, DeviceLayout.regionAt(DeviceLayout.regionSlot(key)), 0L);
    }

    // ---- sleeping and waking; from any thread ----

    void asleep(long at, boolean sleeps) {
        INT.setVolatile(memory, at, sleeps ? PeerDevice.SLEEPS : 0);
    }

    long news(long at) {
        long news = (long) LONG.getOpaque(HostMemory.ALL, base + at);
        Reference.reachabilityFence(memory);
        return news;
    }

    void close() {
        LONG.setRelease(memory, DeviceLayout.MAGIC_AT, 0L);
        shared.closeDescriptor();
    }
}
