package io.verbena.spark;

import io.verbena.verbs.MemoryRegion;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registered memory that the blocks of one peer are read into. It is kept for the next blocks, since registering
/// is slow on adapters. All peers of an executor share one limit. Safe from any thread.
final class FetchMemory {
    private static final Logger LOG = LoggerFactory.getLogger(FetchMemory.class);

    /// Smaller pieces are not worth an entry of their own.
    private static final long LEAST_BYTES = 64 << 10;

    private final LongFunction<MemoryRegion> allocator;
    private final AtomicLong allBytes;
    private final long mostBytes;
    private final Runnable makeRoom;
    private final Runnable onEmpty;

    /// Idle regions by their length. Guarded by this, as are the others.
    private final TreeMap<Long, ArrayDeque<MemoryRegion>> idle = new TreeMap<>();

    private int used;
    private boolean isClosed;

    /// @param allBytes what all peers have
    /// @param makeRoom gives back what no peer uses
    /// @param onEmpty called once after the close, when no memory is left
    FetchMemory(
            LongFunction<MemoryRegion> allocator,
            AtomicLong allBytes,
            long mostBytes,
            Runnable makeRoom,
            Runnable onEmpty) {
        this.allocator = allocator;
        this.allBytes = allBytes;
        this.mostBytes = mostBytes;
        this.makeRoom = makeRoom;
        this.onEmpty = onEmpty;
    }

    /// Memory of at least that many bytes; null when the limit is reached, or after the close.
    MemoryRegion take(long bytes) {
        MemoryRegion region = tryTake(bytes);
        if (region == null) {
            makeRoom.run();
            region = tryTake(bytes);
        }
        return region;
    }

    private synchronized MemoryRegion tryTake(long bytes) {
        if (isClosed) {
            return null;
        }
        Map.Entry<Long, ArrayDeque<MemoryRegion>> fitting = idle.ceilingEntry(bytes);
        if (fitting != null && fitting.getKey() <= 2 * Math.max(bytes, LEAST_BYTES)) {
            MemoryRegion region = fitting.getValue().pop();
            if (fitting.getValue().isEmpty()) {
                idle.remove(fitting.getKey());
            }
            used++;
            return region;
        }
        long rounded = rounded(bytes);
        if (allBytes.addAndGet(rounded) > mostBytes) {
            allBytes.addAndGet(-rounded);
            return null;
        }
        try {
            MemoryRegion region = allocator.apply(rounded);
            used++;
            return region;
        } catch (RuntimeException e) {
            allBytes.addAndGet(-rounded);
            throw e;
        }
    }

    /// To the next quarter of a power of two, so that regions fit again.
    static long rounded(long bytes) {
        long step = Math.max(LEAST_BYTES, Long.highestOneBit(bytes) / 4);
        return (bytes + step - 1) / step * step;
    }

    void give(MemoryRegion region) {
        boolean isEmpty;
        synchronized (this) {
            used--;
            idle.computeIfAbsent(region.memory().byteSize(), length -> new ArrayDeque<>())
                    .push(region);
            isEmpty = closeIfQuiet();
        }
        if (isEmpty) {
            onEmpty.run();
        }
    }

    /// Gives back what is not in use; the rest follows when it is.
    void close() {
        boolean isEmpty;
        synchronized (this) {
            isEmpty = !isClosed;
            isClosed = true;
            isEmpty &= closeIfQuiet();
        }
        if (isEmpty) {
            onEmpty.run();
        }
    }

    private boolean closeIfQuiet() {
        if (isClosed) {
            closeIdle();
        }
        return isClosed && used == 0;
    }

    /// Gives back what is not in use.
    synchronized void closeIdle() {
        Map.Entry<Long, ArrayDeque<MemoryRegion>> next;
        while ((next = idle.pollFirstEntry()) != null) {
            next.getValue().forEach(this::close);
        }
    }

    /// Nothing is thrown: whoever gives memory back, such as a task of Spark, cannot do anything about it.
    private void close(MemoryRegion region) {
        long bytes = region.memory().byteSize();
        try {
            region.close();
            allBytes.addAndGet(-bytes);
        } catch (RuntimeException e) { // still registered, so it still counts
            LOG.warn("{} bytes to fetch into cannot be given back, and count until the executor ends", bytes, e);
        }
    }
}
