package io.verbena.spark;

import io.verbena.endpoint.Pending;
import io.verbena.endpoint.RemoteMemory;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Blocks of a fetch that are in one chunk of the peer, or in one mapped file: a chain of READs, posted in one go, and
/// one of the chunk's header at its end. If the header shows another use, the shuffle is over there, and what was read
/// may be of another one.
final class ChunkRead {
    /// So that several chains have room in the send queue.
    private static final int MOST_IN_CHAIN = 32;

    /// Who hears what became of the blocks, when all READs have ended. Called by the task's thread, or by that which
    /// handles completions.
    interface Listener {
        void onRead(ShuffleBlock block, FetchedBlock bytes);

        void onFailure(ShuffleBlock block, String reason);

        /// After all blocks.
        void onEnd();
    }

    /// A block and where it goes to.
    private record Part(ShuffleBlock block, RemoteMemory.Range range) {}

    private final RemoteMemory memory;
    private final long start;
    private final long use;
    private final Listener listener;
    private final List<Part> parts = new ArrayList<>();

    /// Chains under way, and 1 while they are being posted.
    private final AtomicInteger left = new AtomicInteger(1);

    /// Why one of them failed.
    private volatile RuntimeException problem;

    private Lease lease;
    private long headerTo;

    /// @param at any block there
    ChunkRead(Peer.Located at, Listener listener) {
        this.memory = at.memory();
        this.start = at.start();
        this.use = at.use();
        this.listener = listener;
    }

    void add(ShuffleBlock block, Peer.Located from, long to) {
        parts.add(new Part(block, new RemoteMemory.Range(block.offset(from), to, block.length(from))));
    }

    /// @param into the memory of all blocks, of which the caller has given this one a use
    /// @param header where its header goes to
    void start(Lease into, long header) {
        lease = into;
        headerTo = header;
        List<RemoteMemory.Range> ranges = new ArrayList<>(parts.size() + 1);
        parts.forEach(part -> ranges.add(part.range));
        if (use != 0) {
            ranges.add(new RemoteMemory.Range(start, headerTo, Chunk.CHECKED_BYTES));
        }
        try {
            for (int at = 0; at < ranges.size(); at += MOST_IN_CHAIN) {
                post(ranges.subList(at, Math.min(ranges.size(), at + MOST_IN_CHAIN)), at);
            }
        } catch (RuntimeException e) { // the connection is lost, or the memory was given back
            problem = e;
        }
        onEnd();
    }

    private void post(List<RemoteMemory.Range> chain, int at) {
        boolean hasHeader = at + chain.size() > parts.size();
        Pending read = hasHeader
                ? memory.readAllInOrderAsync(chain, lease.region())
                : memory.readAllAsync(chain, lease.region());
        left.incrementAndGet();
        if (read.isDone()) { // as through shared memory: no other thread has to wake up for it
            onRead(problemOf(read));
        } else {
            read.onDone(this::onRead);
        }
    }

    /// Of what has ended; null for none.
    private static RuntimeException problemOf(Pending ended) {
        try {
            ended.await();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private void onRead(RuntimeException why) {
        if (why != null) {
            problem = why;
        }
        onEnd();
    }

    private void onEnd() {
        if (left.decrementAndGet() == 0) {
            try {
                tell(refusal());
            } finally {
                lease.release();
                listener.onEnd();
            }
        }
    }

    /// Why no block can be taken; null when all can.
    private String refusal() {
        if (problem != null) {
            return String.valueOf(problem.getMessage());
        }
        boolean isSame = use == 0
                || lease.region().memory().get(ValueLayout.JAVA_LONG_UNALIGNED, headerTo + Chunk.USE_AT) == use;
        return isSame ? null : "its executor has given the map output back";
    }

    private void tell(String refusal) {
        for (Part part : parts) {
            if (refusal != null) {
                listener.onFailure(part.block, refusal);
                continue;
            }
            lease.retain();
            FetchedBlock bytes = new FetchedBlock(lease, part.range.at(), part.range.length());
            try {
                listener.onRead(part.block, bytes);
            } catch (RuntimeException e) {
                listener.onFailure(part.block, String.valueOf(e.getMessage())); // the others must hear of theirs
            } finally {
                bytes.release();
            }
        }
    }
}
