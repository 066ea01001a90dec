package io.verbena.sockets.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Bytes that the program has written and the peer has not confirmed. They lie in chunks of registered memory: two
/// small ones to begin with, and long ones once the program writes more than these hold.
///
/// Small writes that cannot be sent at once follow each other in a chunk, and leave together.
final class SendBuffer implements AutoCloseable {
    static final int LONG_CHUNK = 64 * 1024;

    /// A write that has more bytes than fit leaves a rest of a chunk unused that is shorter than this.
    private static final int SHORT_REST = 2048;

    private final MemorySource source;

    /// How many bytes the long chunks may have together.
    private final int most;

    private final int shortLength;
    private final List<RegisteredMemory> allocated = new ArrayList<>(0);
    private final ArrayDeque<SendChunk> free = new ArrayDeque<>(2);
    private final ArrayDeque<SendChunk> freeLong = new ArrayDeque<>(0);

    /// The oldest first; the last one is being filled.
    private final ArrayDeque<SendChunk> used = new ArrayDeque<>(4);

    private long written;
    private long posted;
    private long completed;
    private int longBytes;

    /// Whether there was no memory for another long chunk. Forgotten when all has arrived.
    private boolean isMemoryMissing;

    /// Whether a writer is putting bytes into the last chunk.
    private boolean isFilling;

    /// Whether a writer found no room, and there was not enough again since.
    private boolean isFull;

    /// @param most how many bytes the long chunks may have together
    SendBuffer(MemorySource source, int most, RegisteredMemory first, long offset, int shortLength) {
        this.source = source;
        this.most = Math.max(most, LONG_CHUNK);
        this.shortLength = shortLength;
        free.add(new SendChunk(first, offset, shortLength));
        free.add(new SendChunk(first, offset + shortLength, shortLength));
    }

    /// The chunk that the next bytes go to, with room for at least one of them; null when all chunks are in use.
    SendChunk chunk(int wanted) {
        SendChunk last = used.peekLast();
        if (last != null) {
            int left = last.length - last.filled;
            if (left > 0 && (left >= wanted || left >= SHORT_REST)) {
                isFilling = true;
                return last;
            }
        }
        SendChunk next = take(wanted);
        if (next != null) {
            next.start = written;
            next.filled = 0;
            used.add(next);
            isFilling = true;
        }
        isFull = next == null;
        return next;
    }

    private SendChunk take(int wanted) {
        if (wanted <= shortLength && !free.isEmpty()) {
            return free.pop();
        }
        if (freeLong.isEmpty() && mayGrow()) {
            RegisteredMemory memory = source.allocateMore(LONG_CHUNK);
            if (memory != null) {
                allocated.add(memory);
                longBytes += LONG_CHUNK;
                return new SendChunk(memory, 0, LONG_CHUNK);
            }
            isMemoryMissing = true;
        }
        return freeLong.isEmpty() ? free.poll() : freeLong.pop();
    }

    private boolean mayGrow() {
        return !isMemoryMissing && longBytes + LONG_CHUNK <= most;
    }

    /// Whether [#chunk] has room. A writer that found none waits until half of the buffer is free, as with TCP: else it
    /// would be woken for each chunk.
    boolean hasRoom() {
        if (isFull && 2L * freeLong.size() * LONG_CHUNK < longBytes) {
            return false;
        }
        SendChunk last = used.peekLast();
        return !free.isEmpty()
                || !freeLong.isEmpty()
                || mayGrow()
                || last != null && last.length - last.filled >= SHORT_REST;
    }

    /// That many bytes were put into the chunk.
    void fill(SendChunk chunk, int bytes) {
        isFilling = false;
        chunk.filled += bytes;
        written += bytes;
    }

    boolean hasUnposted() {
        return posted < written;
    }

    /// The chunk with the first bytes that are not posted.
    SendChunk unposted() {
        for (SendChunk chunk : used) {
            if (posted < chunk.end()) {
                return chunk;
            }
        }
        throw new IllegalStateException("nothing is to be posted");
    }

    long posted() {
        return posted;
    }

    /// How many bytes of the chunk are to be posted.
    int unpostedIn(SendChunk chunk) {
        return (int) (chunk.end() - posted);
    }

    /// Returns whether that was all that the chunk can hold.
    boolean post(SendChunk chunk, int bytes) {
        posted += bytes;
        return posted == chunk.end() && (chunk != used.peekLast() || chunk.filled == chunk.length);
    }

    /// All before that position has arrived.
    void complete(long position) {
        completed = Math.max(completed, position);
        while (!used.isEmpty() && used.peek().end() <= completed && (used.size() > 1 || !isFilling)) {
            SendChunk done = used.pop();
            (done.length == LONG_CHUNK ? freeLong : free).push(done);
        }
        isMemoryMissing &= !isEmpty();
    }

    long completed() {
        return completed;
    }

    long written() {
        return written;
    }

    /// Whether all that was written has arrived.
    boolean isEmpty() {
        return completed == written;
    }

    @Override
    public void close() {
        allocated.forEach(RegisteredMemory::close);
        allocated.clear();
    }
}
