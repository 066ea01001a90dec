package io.verbena.spark;

import io.verbena.endpoint.RemoteMemory;
import io.verbena.verbs.MemoryRegion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.spark.network.shuffle.BlockFetchingListener;

/// Blocks that a task asks one peer for, read by RDMA into one piece of memory. Those that cannot be read are passed on
/// together when all others are there.
final class Fetch implements ChunkRead.Listener {
    private record ChunkPlace(RemoteMemory slab, long start) {}

    private final Peer peer;
    private final Counters counters;
    private final BlockFetchingListener listener;
    private final BiConsumer<List<String>, String> otherWay;

    /// Chunks under way, and 1 while blocks are being posted.
    private final AtomicInteger underWay = new AtomicInteger(1);

    /// Guarded by itself, as is the reason.
    private final List<String> failed = new ArrayList<>();

    private String reason;

    private final AtomicLong readBytes = new AtomicLong();
    private final ShuffleEvents.Fetch event = new ShuffleEvents.Fetch();
    private int asked;

    /// @param otherWay takes blocks that cannot be read, and why
    Fetch(Peer peer, Counters counters, BlockFetchingListener listener, BiConsumer<List<String>, String> otherWay) {
        this.peer = peer;
        this.counters = counters;
        this.listener = listener;
        this.otherWay = otherWay;
    }

    void start(String[] names) {
        asked = names.length;
        event.begin();
        List<ShuffleBlock> blocks = new ArrayList<>();
        Set<MapOutputs.Id> outputs = new LinkedHashSet<>();
        for (String name : names) {
            ShuffleBlock block = ShuffleBlock.of(name);
            if (block.output() == null) {
                onFailure(block, "it is no block of a map output");
            } else {
                blocks.add(block);
                outputs.add(block.output());
            }
        }
        peer.locate(outputs);
        read(blocks);
        onEnd();
    }

    private void read(List<ShuffleBlock> blocks) {
        Map<ChunkPlace, ChunkRead> reads = new LinkedHashMap<>();
        List<ShuffleBlock> found = new ArrayList<>();
        long bytes = 0;
        for (ShuffleBlock block : blocks) {
            Peer.Located at = peer.located(block.output());
            if (at == null) {
                onFailure(block, "its executor does not offer the map output");
            } else {
                reads.computeIfAbsent(new ChunkPlace(at.memory(), at.start()), place -> new ChunkRead(at, this))
                        .add(block, at, bytes);
                found.add(block);
                bytes += block.length(at);
            }
        }
        if (found.isEmpty()) {
            return;
        }
        MemoryRegion region = peer.fetchMemory().take(bytes + (long) reads.size() * Chunk.CHECKED_BYTES);
        if (region == null) {
            found.forEach(block -> onFailure(block, Settings.FETCH_MEMORY + " is used up"));
            return;
        }
        Lease lease = new Lease(peer.fetchMemory(), region, reads.size());
        underWay.addAndGet(reads.size());
        for (ChunkRead read : reads.values()) {
            read.start(lease, bytes);
            bytes += Chunk.CHECKED_BYTES;
        }
    }

    // ---- of the task's thread, or of that which handles completions ----

    @Override
    public void onRead(ShuffleBlock block, FetchedBlock bytes) {
        counters.readBlocks.increment();
        counters.readBytes.add(bytes.size());
        readBytes.addAndGet(bytes.size());
        listener.onBlockFetchSuccess(block.name(), bytes);
    }

    @Override
    public void onFailure(ShuffleBlock block, String why) {
        synchronized (failed) {
            failed.add(block.name());
            reason = why;
        }
    }

    /// A chunk was read, or all were posted.
    @Override
    public void onEnd() {
        if (underWay.decrementAndGet() == 0) {
            event.end(peer.executor(), asked, readBytes.get());
            synchronized (failed) {
                if (!failed.isEmpty()) {
                    otherWay.accept(List.copyOf(failed), reason);
                }
            }
        }
    }
}
