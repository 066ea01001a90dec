package io.verbena.endpoint;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.Access;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/// Registered memory for long messages. Registering takes long, so buffers that are given back are kept for the next
/// message, up to a limit. Safe from any thread.
final class LongBuffers implements AutoCloseable {
    private static final int SHORTEST_SHIFT = 16;
    private static final int SHIFTS = Long.SIZE - SHORTEST_SHIFT;
    private static final long MOST_KEPT_BYTES = 64L << 20;

    private final ProtectionDomain pd;
    /// Null until a buffer is kept.
    private ArrayDeque<MemoryRegion>[] kept;

    private final Set<MemoryRegion> all = new HashSet<>();
    private long keptBytes;
    private boolean closed;

    LongBuffers(ProtectionDomain pd) {
        this.pd = pd;
    }

    /// The buffers of class `i` have 2^(16 + i) bytes.
    private static int sizeClass(long bytes) {
        return Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1) - SHORTEST_SHIFT);
    }

    /// A buffer of at least so many bytes.
    synchronized MemoryRegion take(long bytes) {
        int size = sizeClass(bytes);
        ArrayDeque<MemoryRegion> ready = kept == null ? null : kept[size];
        MemoryRegion region = ready == null ? null : ready.pollLast();
        if (region != null) {
            keptBytes -= region.length();
            return region;
        }
        region = pd.allocate(1L << size + SHORTEST_SHIFT, Access.LOCAL_WRITE, Access.REMOTE_READ);
        all.add(region);
        return region;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    synchronized void give(MemoryRegion region) {
        if (closed || keptBytes + region.length() > MOST_KEPT_BYTES) {
            all.remove(region);
            region.close();
            return;
        }
        int size = sizeClass(region.length());
        if (kept == null) {
            kept = new ArrayDeque[SHIFTS];
        }
        if (kept[size] == null) {
            kept[size] = new ArrayDeque<>();
        }
        kept[size].add(region);
        keptBytes += region.length();
    }

    @Override
    public synchronized void close() {
        closed = true;
        all.forEach(MemoryRegion::close);
        all.clear();
    }
}
