package io.verbena.soft.local;

import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/// The neighbourhood of this host, which gives the test the memory of one device, as a hostile neighbour would have
/// mapped it. It can also refuse memory.
final class TestNeighbourhood extends Neighbourhood {
    /// The test's own mappings, as a neighbour has them: they stay when the device closes its own.
    private final List<SealedMemory> views = new ArrayList<>();
    private volatile LongPredicate refused = bytes -> false;

    /// Memory of these sizes cannot be had from now on.
    void refuse(LongPredicate bytes) {
        refused = bytes;
    }

    /// All lanes or pages, which have that size, so far; the oldest first.
    synchronized List<MemorySegment> created(long bytes) {
        return views.stream()
                .map(SealedMemory::memory)
                .filter(memory -> memory.byteSize() == bytes)
                .toList();
    }

    @Override
    public synchronized SealedMemory create(long bytes, boolean reserve) {
        if (refused.test(bytes)) {
            throw new RdmaException("create shared memory", Errno.ENOMEM, "as the test wants");
        }
        SealedMemory memory = super.create(bytes, reserve);
        if (bytes == LaneLayout.BYTES || bytes == DeviceLayout.BYTES) {
            long here = ProcessHandle.current().pid();
            views.add(SealedMemory.open(here, memory.fd(), memory.nonce(), bytes));
        }
        return memory;
    }

    /// Unmaps the test's own mappings.
    synchronized void forget() {
        views.forEach(SealedMemory::close);
        views.clear();
    }
}
