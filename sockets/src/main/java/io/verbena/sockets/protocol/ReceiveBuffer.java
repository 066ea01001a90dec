package io.verbena.sockets.protocol;

import java.util.ArrayDeque;

/// Where the peer writes: two chunks of registered memory, of which each is announced again when the program has read
/// all of it. They grow when the peer fills them faster than the program reads.
final class ReceiveBuffer implements AutoCloseable {
    private static final int GROWTH = 4;

    /// Part of a memory that the peer fills.
    static final class Chunk {
        final RegisteredMemory memory;
        final long offset;
        final int length;
        private int arrived;
        private int consumed;

        Chunk(RegisteredMemory memory, long offset, int length) {
            this.memory = memory;
            this.offset = offset;
            this.length = length;
        }

        TargetEntry entry() {
            return new TargetEntry(memory.address() + offset, memory.rkey(), length);
        }
    }

    private final MemorySource source;
    private final RegisteredMemory first;

    /// How long a chunk may be: no longer than now once there was no memory for more.
    private int longest;

    /// The oldest first, as announced.
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>(2);

    /// To be announced.
    private final ArrayDeque<Chunk> waiting = new ArrayDeque<>(2);

    private int readable;

    /// Whether the peer filled a whole chunk while the program had not read the one before.
    private boolean isBehind;

    ReceiveBuffer(MemorySource source, int longest, RegisteredMemory first, long offset, int length) {
        this.source = source;
        this.first = first;
        this.longest = longest;
        chunks.add(new Chunk(first, offset, length));
        waiting.add(new Chunk(first, offset + length, length));
    }

    /// The first one, which is announced in the private data.
    Chunk firstChunk() {
        return chunks.peek();
    }

    boolean hasUnannounced() {
        return !waiting.isEmpty();
    }

    /// The next chunk to be announced, which counts as announced from now on.
    Chunk announce() {
        Chunk next = waiting.remove();
        chunks.add(next);
        return next;
    }

    /// The peer wrote so many bytes, so it says.
    void onArrived(int bytes) {
        for (Chunk chunk : chunks) {
            int left = chunk.length - chunk.arrived;
            if (left > 0) {
                if (bytes > left) {
                    throw new ProtocolException(
                            "the peer wrote %d bytes into a buffer that had room for %d".formatted(bytes, left));
                }
                chunk.arrived += bytes;
                readable += bytes;
                isBehind |= chunk.arrived == chunk.length && chunk.consumed == 0;
                return;
            }
        }
        throw new ProtocolException("the peer wrote %d bytes although no buffer was announced".formatted(bytes));
    }

    int readable() {
        return readable;
    }

    /// The chunk with the next bytes to read; only when [#readable] is not 0.
    Chunk chunk() {
        return chunks.peek();
    }

    static long readOffset(Chunk chunk) {
        return chunk.offset + chunk.consumed;
    }

    static int readableIn(Chunk chunk) {
        return chunk.arrived - chunk.consumed;
    }

    /// The program has read so many bytes of [#chunk].
    void consume(int bytes) {
        Chunk chunk = chunks.peek();
        chunk.consumed += bytes;
        readable -= bytes;
        if (chunk.consumed == chunk.length) {
            chunks.remove();
            waiting.add(next(chunk));
        }
    }

    private Chunk next(Chunk done) {
        if (isBehind && done.length < longest) {
            isBehind = false;
            int length = Math.min(done.length * GROWTH, longest);
            RegisteredMemory more = source.allocateMore(length);
            if (more != null) {
                release(done);
                return new Chunk(more, 0, length);
            }
            longest = done.length;
        }
        return new Chunk(done.memory, done.offset, done.length);
    }

    private void release(Chunk chunk) {
        if (chunk.memory != first) {
            chunk.memory.close();
        }
    }

    @Override
    public void close() {
        chunks.forEach(this::release);
        waiting.forEach(this::release);
        chunks.clear();
        waiting.clear();
        readable = 0;
    }
}
