package io.verbena.spark;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The memory that map outputs are copied into. It is used again: allocating and registering takes longer than
/// copying, and others have asked for its keys already. Safe from any thread.
final class ChunkPool {
    private static final Logger LOG = LoggerFactory.getLogger(ChunkPool.class);
    private static final long SLAB_BYTES = 64L << 20;

    private final Exporter exporter;
    private final Budget budget;
    private final Counters counters;

    /// Closes slabs, which waits for those who read them.
    private final Executor closer;

    /// Guarded by this, as are the others.
    private final List<Slab> slabs = new ArrayList<>();

    private final SplittableRandom uses = new SplittableRandom(new SecureRandom().nextLong());
    private int numbers;

    ChunkPool(Exporter exporter, Budget budget, Counters counters, Executor closer) {
        this.exporter = exporter;
        this.budget = budget;
        this.counters = counters;
        this.closer = closer;
    }

    /// A chunk for so many bytes and the header; null when the limit is reached. What is idle is given back then, so
    /// that there may be room later.
    synchronized Chunk take(int shuffle, long bytes) {
        long length = FetchMemory.rounded(bytes + Chunk.HEADER_BYTES);
        Chunk chunk = takeIdle(length);
        if (chunk == null) {
            Slab slab = allocate(length);
            chunk = slab == null ? null : slab.take(length);
        }
        return chunk == null ? null : begin(chunk, shuffle);
    }

    /// The same for an index, which is small, and needed for mapped files, too.
    synchronized Chunk takeBeyondLimit(int shuffle, long bytes) {
        long length = FetchMemory.rounded(bytes + Chunk.HEADER_BYTES);
        Chunk chunk = takeIdle(length);
        if (chunk == null) {
            budget.reserve(length);
            chunk = allocateReserved(length).take(length);
        }
        return begin(chunk, shuffle);
    }

    private Chunk takeIdle(long length) {
        for (Slab slab : slabs) {
            Chunk chunk = slab.take(length);
            if (chunk != null) {
                return chunk;
            }
        }
        return null;
    }

    private Chunk begin(Chunk chunk, int shuffle) {
        chunk.begin(shuffle, nextUse());
        counters.usedBytes.add(chunk.bytes());
        return chunk;
    }

    private long nextUse() {
        return uses.nextLong() | 1;
    }

    /// Of the usual length if the limit allows that; null when it does not allow this one either.
    private Slab allocate(long length) {
        long usual = Math.max(length, SLAB_BYTES);
        if (budget.tryReserve(usual)) {
            return allocateReserved(usual);
        }
        if (budget.tryReserve(length)) {
            return allocateReserved(length);
        }
        closeIdle();
        return null;
    }

    /// What was reserved is given back when that fails.
    private Slab allocateReserved(long length) {
        int number = numbers;
        try {
            Slab slab = new Slab(number, exporter.allocate(Slab.exportName(number), length));
            numbers++;
            slabs.add(slab);
            counters.registrations.increment();
            counters.registeredBytes.add(length);
            return slab;
        } catch (RuntimeException e) {
            budget.giveBack(length);
            throw e;
        }
    }

    /// Allocates the first slab ahead of the first shuffle, and touches its pages.
    synchronized void prepare() {
        if (slabs.isEmpty() && budget.tryReserve(SLAB_BYTES)) {
            allocateReserved(SLAB_BYTES).memory().fill((byte) 0);
        }
    }

    /// Its shuffle is over.
    synchronized void give(Chunk chunk) {
        chunk.end(nextUse());
        counters.usedBytes.add(-chunk.bytes());
        chunk.slab().give(chunk);
    }

    /// Makes room for slabs of other lengths. Others are told that the memory ends, which takes a while, so none are
    /// closed without need, and the task that commits a map output does not wait for it.
    private void closeIdle() {
        List<Slab> idle = slabs.stream().filter(Slab::isIdle).toList();
        slabs.removeAll(idle);
        idle.forEach(slab -> closer.execute(() -> close(slab)));
    }

    private void close(Slab slab) {
        long bytes = slab.bytes();
        try {
            slab.close();
        } catch (RuntimeException e) {
            LOG.warn("{} bytes for map outputs were not given back in good order", bytes, e);
        } finally {
            counters.registeredBytes.add(-bytes);
            budget.giveBack(bytes);
        }
    }
}
