package io.verbena.spark;

import io.verbena.endpoint.Pending;
import io.verbena.endpoint.RemoteMemory;
import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What is known of the index that a peer has of a shuffle. It is read by RDMA, from where the last reading ended.
/// Guarded by its peer.
final class PeerIndex {
    private final int shuffle;
    private final Peer peer;

    /// By map.
    private final Map<Long, OutputRecord> records = new HashMap<>();

    /// Maps that the index does not have. It never will: Spark tells of a map output after it was added.
    private final Set<Long> missing = new HashSet<>();

    /// The slab that the next record is in; null until the directory of the peer has the shuffle.
    private RemoteMemory slab;

    /// Where the chunk begins and ends in the slab.
    private long start;

    private long end;
    private long use;

    /// Where the next record is in the slab.
    private long position;

    PeerIndex(int shuffle, Peer peer) {
        this.shuffle = shuffle;
        this.peer = peer;
    }

    /// Null when the peer does not offer the map output, or it was not looked for.
    OutputRecord get(long map) {
        return records.get(map);
    }

    /// Reads what is new in the index, once for all these maps, and not at all if nothing is to be learnt.
    void lookFor(Collection<Long> maps) {
        if (maps.stream().allMatch(this::isClear)) {
            return;
        }
        readNew();
        maps.stream().filter(map -> !records.containsKey(map)).forEach(missing::add);
    }

    private boolean isClear(long map) {
        return records.containsKey(map) || missing.contains(map);
    }

    private void readNew() {
        if (slab == null) {
            findFirstChunk();
        }
        boolean hasMore = slab != null;
        while (hasMore) {
            hasMore = readChunk();
        }
    }

    private void findFirstChunk() {
        try (Scratch scratch = new Scratch(Directory.SLOT_BYTES)) {
            scratch.await(
                    peer.directory().readAsync(Directory.slotAt(shuffle), scratch.region, 0, Directory.SLOT_BYTES));
            Directory.Slot slot = Directory.Slot.decode(scratch.region.memory(), shuffle);
            if (slot != null) {
                goTo(slot.slab(), slot.start(), slot.use(), slot.length());
            }
        }
    }

    private void goTo(int number, long at, long ofUse, long length) {
        slab = peer.slab(number);
        start = at;
        end = at + length;
        use = ofUse;
        position = at + Chunk.HEADER_BYTES;
    }

    /// Reads a chunk to its end, then its header. Whether the index goes on in another one.
    private boolean readChunk() {
        long length = end - position;
        try (Scratch scratch = new Scratch(length + Chunk.CHECKED_BYTES)) {
            scratch.await(slab.readAllInOrderAsync(
                    List.of(
                            new RemoteMemory.Range(position, Chunk.CHECKED_BYTES, length),
                            new RemoteMemory.Range(start, 0, Chunk.CHECKED_BYTES)),
                    scratch.region));
            MemorySegment memory = scratch.region.memory();
            if (memory.get(ValueLayout.JAVA_LONG, Chunk.USE_AT) != use
                    || memory.get(ValueLayout.JAVA_INT, Chunk.SHUFFLE_AT) != shuffle) {
                slab = null; // the shuffle is over there, or the directory was being changed
                return false;
            }
            return take(memory.asSlice(Chunk.CHECKED_BYTES, length).asByteBuffer());
        }
    }

    private boolean take(ByteBuffer bytes) {
        OutputRecord next;
        while ((next = OutputRecord.decode(bytes)) != null) {
            if (next.map() == OutputRecord.NEXT) {
                goTo(next.slab(), next.start(), next.use(), next.base());
                return slab != null;
            }
            records.put(next.map(), next);
        }
        position += bytes.position();
        return false;
    }

    /// Registered memory for a moment. It goes back when no READ writes into it any more.
    private final class Scratch implements AutoCloseable {
        private final MemoryRegion region;
        private Pending read;

        Scratch(long bytes) {
            region = peer.fetchMemory().take(bytes);
            if (region == null) {
                throw new IllegalStateException(Settings.FETCH_MEMORY + " is used up");
            }
        }

        void await(Pending posted) {
            read = posted;
            read.await();
        }

        @Override
        public void close() {
            if (read == null || read.isDone()) {
                peer.fetchMemory().give(region);
            } else { // the thread was interrupted, or the time is over
                read.onDone(problem -> peer.fetchMemory().give(region));
            }
        }
    }
}
