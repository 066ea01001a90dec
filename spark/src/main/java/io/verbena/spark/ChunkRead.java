package io.verbena.spark;

import io.verbena.endpoint.Pending;
import io.verbena.endpoint.RemoteMemory;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Blocks of a fetch that are in one chunk of the peer, or in one mapped file: a READ for each, all of them under way
/// at
/// once, and one of the chunk's header behind them. If the header shows another use, the shuffle is over there, and
/// what was read may be of another one.
final class ChunkRead {
    /// Who hears what became of the blocks, when all READs have ended. Called by the task's thread, or by that which
    /// handles completions.
    interface Listener {
        void onRead(ShuffleBlock block, FetchedBlock bytes);

        void onFailure(ShuffleBlock block, String reason);

        /// After all blocks.
        void onEnd();
    }

    /// A block and where it goes to.
    private static final class Part {
        private final ShuffleBlock block;
        private final Peer.Located from;
        private final long to;

        /// Why it could not be read. Written before the count of what is left, and read after it.
        private RuntimeException problem;

        Part(ShuffleBlock block, Peer.Located from, long to) {
            this.block = block;
            this.from = from;
            this.to = to;
        }
    }

    private final RemoteMemory memory;
    private final long start;
    private final long use;
    private final Listener listener;
    private final List<Part> parts = new ArrayList<>();
    private final AtomicInteger left = new AtomicInteger();
    private Lease lease;
    private long headerTo;
    private RuntimeException headerProblem;

    /// @param at any block there
    ChunkRead(Peer.Located at, Listener listener) {
        this.memory = at.memory();
        this.start = at.start();
        this.use = at.use();
        this.listener = listener;
    }

    void add(ShuffleBlock block, Peer.Located from, long to) {
        parts.add(new Part(block, from, to));
    }

    /// @param into the memory of all blocks, of which the caller has given this one a use
    /// @param header where its header goes to
    void start(Lease into, long header) {
        lease = into;
        headerTo = header;
        boolean isChecked = use != 0;
        left.set(parts.size() + 1);
        for (Part part : parts) {
            post(
                    () -> memory.readAsync(
                            part.block.offset(part.from), lease.region(), part.to, part.block.length(part.from)),
                    problem -> part.problem = problem);
        }
        if (isChecked) {
            post(
                    () -> memory.readLastAsync(start, lease.region(), headerTo, Chunk.CHECKED_BYTES),
                    problem -> headerProblem = problem);
        } else {
            onEnd();
        }
    }

    private interface Outcome {
        void set(RuntimeException problem);
    }

    private void post(Supplier<Pending> read, Outcome outcome) {
        Pending pending;
        try {
            pending = read.get();
        } catch (RuntimeException e) { // the connection is lost, or the memory was given back
            outcome.set(e);
            onEnd();
            return;
        }
        if (pending.isDone()) { // as through shared memory: no other thread has to wake up for it
            outcome.set(problemOf(pending));
            onEnd();
        } else {
            pending.onDone(problem -> {
                outcome.set(problem);
                onEnd();
            });
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

    private void onEnd() {
        if (left.decrementAndGet() == 0) {
            try {
                tell(chunkProblem());
            } finally {
                lease.release();
                listener.onEnd();
            }
        }
    }

    /// What is wrong with all blocks; null for nothing.
    private String chunkProblem() {
        if (headerProblem != null) {
            return String.valueOf(headerProblem.getMessage());
        }
        boolean isSame = use == 0
                || lease.region().memory().get(ValueLayout.JAVA_LONG_UNALIGNED, headerTo + Chunk.USE_AT) == use;
        return isSame ? null : "its executor has given the map output back";
    }

    private void tell(String chunkProblem) {
        for (Part part : parts) {
            if (part.problem != null) {
                listener.onFailure(part.block, part.problem.getMessage());
            } else if (chunkProblem != null) {
                listener.onFailure(part.block, chunkProblem);
            } else {
                lease.retain();
                FetchedBlock bytes = new FetchedBlock(lease, part.to, part.block.length(part.from));
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
}
