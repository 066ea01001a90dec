package io.verbena.spark;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What an executor lets others read of one shuffle: its map outputs, and the index that says where they are. Map
/// outputs are copied into chunks of allocated memory, one after the other. Those beyond the limit are mapped files.
/// Safe from any thread.
final class ShuffleMemory {
    static final String IS_OVER = "its shuffle is over";

    private static final Logger LOG = LoggerFactory.getLogger(ShuffleMemory.class);

    /// Chunks double from the least to the most, so that small shuffles take little and large ones have few of them.
    private static final long LEAST_CHUNK_BYTES = 256 << 10;

    private static final long MOST_CHUNK_BYTES = 16 << 20;
    private static final long LONGEST_TRANSFER_BYTES = 64 << 20;

    /// A part of a chunk.
    private record Place(Chunk chunk, long offset, long length) {
        MemorySegment memory() {
            return chunk.memory().asSlice(offset, length);
        }

        OutputRecord of(long map, long[] offsets) {
            return new OutputRecord(
                    map, chunk.slab().number(), chunk.start(), chunk.use(), chunk.start() + offset, offsets);
        }
    }

    /// What to do at the end, newest first.
    private interface End {
        void run();
    }

    private final int shuffle;
    private final Exporter exporter;
    private final ChunkPool pool;
    private final Budget files;
    private final Counters counters;

    /// Guarded by this, as are the others.
    private final Deque<End> ends = new ArrayDeque<>();

    private final ShuffleIndex index;

    /// The one that is being filled; null before the first.
    private Chunk chunk;

    private long chunkUsed;
    private int users;
    private boolean isReleased;

    ShuffleMemory(
            int shuffle, Exporter exporter, ChunkPool pool, Directory directory, Budget files, Counters counters) {
        this.shuffle = shuffle;
        this.exporter = exporter;
        this.pool = pool;
        this.files = files;
        this.counters = counters;
        this.index = new ShuffleIndex(shuffle, pool, directory);
    }

    /// The name of a map output that is a mapped file.
    static String fileName(int shuffle, long map) {
        return "file/" + shuffle + "/" + map;
    }

    // ---- adding ----

    /// Lets others read a map output. Returns why not; null when they can.
    String add(long map, File file, long[] offsets) throws IOException {
        if (!enter()) {
            return IS_OVER;
        }
        try {
            long length = offsets[offsets.length - 1];
            Place place = reserve(length);
            if (place != null) {
                copy(file, place.memory());
                publish(place.of(map, offsets));
                counters.copiedBytes.add(length);
                return null;
            }
            if (!map(map, file, length)) {
                return files.refusal(length);
            }
            publish(new OutputRecord(map, OutputRecord.FILE, 0, 0, 0, offsets));
            return null;
        } finally {
            leave();
        }
    }

    /// Room in a chunk; null when the limit is reached, or the system has no memory.
    private synchronized Place reserve(long length) {
        if ((chunk == null || chunk.bytes() - chunkUsed < length) && !takeChunk(length)) {
            return null;
        }
        Place place = new Place(chunk, chunkUsed, length);
        chunkUsed += length;
        return place;
    }

    private boolean takeChunk(long length) {
        long doubled = Math.clamp(chunk == null ? 0 : 2 * chunk.bytes(), LEAST_CHUNK_BYTES, MOST_CHUNK_BYTES);
        Chunk taken;
        try {
            taken = pool.take(shuffle, Math.max(length, doubled));
            if (taken == null && doubled > length) {
                taken = pool.take(shuffle, length);
            }
        } catch (RuntimeException e) {
            LOG.warn("No memory for {} bytes of map outputs, so their file is mapped: {}", length, e.getMessage());
            return false;
        }
        if (taken == null) {
            return false;
        }
        giveBackAtEnd(taken);
        chunk = taken;
        chunkUsed = Chunk.HEADER_BYTES;
        return true;
    }

    private void giveBackAtEnd(Chunk taken) {
        ends.push(() -> pool.give(taken));
    }

    private static void copy(File file, MemorySegment to) throws IOException {
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ)) {
            long done = 0;
            while (done < to.byteSize()) {
                long piece = Math.min(LONGEST_TRANSFER_BYTES, to.byteSize() - done);
                int read = channel.read(to.asSlice(done, piece).asByteBuffer(), done);
                if (read < 0) {
                    throw new EOFException(
                            "%s has %d bytes, and its partitions %d".formatted(file, done, to.byteSize()));
                }
                done += read;
            }
        }
    }

    /// False when the limit is reached.
    private boolean map(long map, File file, long length) throws IOException {
        if (!files.tryReserve(length)) {
            return false;
        }
        Arena arena = Arena.ofShared();
        Exporter.Exported exported;
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, length, arena);
            exported = exporter.export(fileName(shuffle, map), mapped);
        } catch (IOException | RuntimeException e) {
            arena.close();
            files.giveBack(length);
            throw e;
        }
        counters.registrations.increment();
        counters.registeredBytes.add(length);
        synchronized (this) {
            ends.push(() -> {
                try {
                    exported.close();
                } finally {
                    counters.registeredBytes.add(-length);
                    files.giveBack(length);
                    arena.close();
                }
            });
        }
        return true;
    }

    private synchronized void publish(OutputRecord output) {
        Chunk taken = index.add(output);
        if (taken != null) {
            giveBackAtEnd(taken);
        }
    }

    // ---- the end ----

    private synchronized boolean enter() {
        if (isReleased) {
            return false;
        }
        users++;
        return true;
    }

    private void leave() {
        boolean isLast;
        synchronized (this) {
            users--;
            isLast = isReleased && users == 0;
        }
        if (isLast) {
            end();
        }
    }

    /// Gives all back, when no map output is being added any more. Waits for reads that are under way.
    void release() {
        boolean isLast;
        synchronized (this) {
            isLast = !isReleased && users == 0;
            isReleased = true;
        }
        if (isLast) {
            end();
        }
    }

    /// Nothing is thrown, since what follows has to be given back, too.
    private void end() {
        removeIndex();
        End next;
        while ((next = pollEnd()) != null) {
            try {
                next.run();
            } catch (RuntimeException e) {
                LOG.warn("Memory of shuffle {} was not given back in good order", shuffle, e);
            }
        }
    }

    private synchronized void removeIndex() {
        index.remove();
    }

    private synchronized End pollEnd() {
        return ends.poll();
    }
}
