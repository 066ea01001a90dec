package io.verbena.spark;

import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The map outputs that this executor lets others read, from their commit to the end of their shuffle. Safe from any
/// thread.
final class MapOutputs {
    private static final Logger LOG = LoggerFactory.getLogger(MapOutputs.class);

    /// Shuffle and map; a map that is tried again has another number.
    record Id(int shuffle, long map) {}

    private final Exporter exporter;
    private final Counters counters;
    private final ChunkPool pool;
    private final Directory directory;
    private final Budget files;

    /// Guarded by this, as is the next.
    private final Map<Integer, ShuffleMemory> shuffles = new HashMap<>();

    /// Shuffles that are over, to which a task that nobody waits for may still add.
    private final Set<Integer> released = new HashSet<>();

    /// @param node the number of this executor
    /// @param memory for map outputs that are copied
    /// @param files for those whose file is mapped
    /// @param closer closes memory, which waits for those who read it
    MapOutputs(Exporter exporter, long node, Counters counters, Budget memory, Budget files, Executor closer) {
        this.exporter = exporter;
        this.counters = counters;
        this.pool = new ChunkPool(exporter, memory, counters, closer);
        this.directory = new Directory(exporter, node);
        this.files = files;
    }

    /// Null when it is over.
    private synchronized ShuffleMemory find(int shuffle) {
        return released.contains(shuffle)
                ? null
                : shuffles.computeIfAbsent(
                        shuffle, number -> new ShuffleMemory(number, exporter, pool, directory, files, counters));
    }

    private synchronized ShuffleMemory remove(int shuffle) {
        released.add(shuffle);
        return shuffles.remove(shuffle);
    }

    /// Lets others read a file. Where that fails they fetch it in Spark's own way, so nothing is thrown.
    void add(Id id, File file, long[] lengths) {
        long[] offsets = OutputRecord.offsets(lengths);
        if (offsets[lengths.length] == 0) {
            return; // nobody asks for empty blocks
        }
        String problem;
        ShuffleEvents.Commit event = new ShuffleEvents.Commit();
        event.begin();
        try {
            ShuffleMemory shuffle = find(id.shuffle);
            problem = shuffle == null ? ShuffleMemory.IS_OVER : shuffle.add(id.map, file, offsets);
        } catch (IOException | RuntimeException e) {
            problem = "it cannot be registered: " + e.getMessage();
        }
        event.end(id, offsets[lengths.length], problem);
        if (problem != null) {
            counters.refusedOutputs.increment();
            LOG.warn("Map output {} of shuffle {} is fetched in Spark's own way: {}", id.map, id.shuffle, problem);
        }
    }

    /// Allocates ahead of the first shuffle.
    void prepare() {
        pool.prepare();
    }

    /// Gives back what a shuffle has. Waits for reads that are under way.
    void release(int shuffle) {
        ShuffleMemory removed = remove(shuffle);
        if (removed != null) {
            removed.release();
        }
    }
}
