package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/// Memory that the peer exports. It is read and written by RDMA: the peer's program does not run for that. Any thread
/// may use it, and several at once.
///
/// ```java
/// RemoteMemory table = connection.remote("table");
/// table.write(64, MemorySegment.ofArray(bytes));
/// long before = table.fetchAdd(8, 1);
/// ```
///
/// Accesses of one thread are executed in order. Offsets of atomic operations are multiples of 8; the words have the
/// byte order of the peer's machine.
public final class RemoteMemory {
    /// What one request brings at most when the program's memory is not registered.
    private static final long CHUNK_BYTES = 4L << 20;

    private final ConnectionLink connection;
    private final String name;
    private final RemoteBuffer buffer;
    private final int rights;
    private final long number;

    /// Accesses under way; guarded by this, as is the next.
    private int underWay;

    /// What to do when none is under way any more; null unless the peer revoked the export.
    private Runnable whenQuiet;

    RemoteMemory(ConnectionLink connection, String name, RemoteBuffer buffer, int rights, long number) {
        this.connection = connection;
        this.name = name;
        this.buffer = buffer;
        this.rights = rights;
        this.number = number;
    }

    long number() {
        return number;
    }

    /// Whether both are the same export with the same rights.
    boolean isSame(RemoteMemory other) {
        return number == other.number && rights == other.rights && buffer.equals(other.buffer);
    }

    /// How many bytes it has.
    public long length() {
        return buffer.length();
    }

    /// What this side may do with it.
    public Set<Access> rights() {
        return Access.of(rights);
    }

    // ---- through memory of the library ----

    /// Reads bytes from `offset` on into all of `into`.
    public void read(long offset, MemorySegment into) {
        require("read", Access.REMOTE_READ, offset, into.byteSize());
        for (long done = 0; done < into.byteSize(); done += CHUNK_BYTES) {
            long at = done;
            long length = Math.min(into.byteSize() - at, CHUNK_BYTES);
            withBuffer(
                    length,
                    region -> reading(offset + at, region, 0, length),
                    region -> MemorySegment.copy(region.memory(), 0, into, at, length));
        }
    }

    /// Writes all of `from` to `offset`. Returns when the peer has the bytes.
    public void write(long offset, MemorySegment from) {
        require("write", Access.REMOTE_WRITE, offset, from.byteSize());
        for (long done = 0; done < from.byteSize(); done += CHUNK_BYTES) {
            long at = done;
            long length = Math.min(from.byteSize() - at, CHUNK_BYTES);
            withBuffer(
                    length,
                    region -> {
                        MemorySegment.copy(from, at, region.memory(), 0, length);
                        return writing(offset + at, region, 0, length);
                    },
                    region -> {});
        }
    }

    /// @param begin starts an access that uses a buffer
    /// @param end takes what came
    private void withBuffer(long length, Function<MemoryRegion, Pending> begin, Consumer<MemoryRegion> end) {
        LongBuffers buffers = connection.longBuffers();
        MemoryRegion region = buffers.take(length);
        Pending access;
        try {
            access = begin.apply(region);
        } catch (RuntimeException e) {
            buffers.give(region);
            throw e;
        }
        await(access, () -> buffers.give(region));
        end.accept(region);
        buffers.give(region);
    }

    /// Waits for an access. When the thread gives up, the memory goes back once the access has ended.
    private void await(Pending access, Runnable giveBack) {
        try {
            access.await();
        } catch (RuntimeException e) {
            connection.leave(() -> access.onEnded(problem -> giveBack.run()));
            throw e;
        }
    }

    /// Adds to the 8 bytes at `offset`, in one step that no other access comes between. Returns what was there before.
    public long fetchAdd(long offset, long add) {
        return word("add to", offset, request -> request.fetchAndAdd(buffer.address() + offset, buffer.rkey(), add));
    }

    /// Replaces the 8 bytes at `offset` by `update` if they equal `expected`. Returns what was there before.
    public long compareAndSwap(long offset, long expected, long update) {
        return word(
                "compare and swap",
                offset,
                request -> request.compareAndSwap(buffer.address() + offset, buffer.rkey(), expected, update));
    }

    private long word(String verb, long offset, Sender.AccessKind kind) {
        require(verb, Access.REMOTE_ATOMIC, offset, Long.BYTES);
        if ((buffer.address() + offset) % Long.BYTES != 0) {
            throw new RdmaException(
                    verb + " '" + name + "'", Errno.EINVAL, "the word at offset " + offset + " is at no multiple of 8");
        }
        SendBuffers.Buffer result = connection.resources().sendBuffers().take();
        Pending pending;
        try {
            pending = post(verb, kind, result.region(), result.offset(), Long.BYTES);
        } catch (RuntimeException e) {
            result.giveBack();
            throw e;
        }
        await(pending, result::giveBack);
        long before = result.region().memory().get(ValueLayout.JAVA_LONG_UNALIGNED, result.offset());
        result.giveBack();
        return before;
    }

    // ---- through registered memory ----

    /// Reads into memory of [Connection#allocate], without a copy.
    public Pending readAsync(long offset, MemoryRegion into, long at, long length) {
        require("read", Access.REMOTE_READ, offset, length);
        return reading(offset, into, at, length);
    }

    /// A part of the peer's memory, and where it goes.
    ///
    /// @param offset where it begins in the peer's memory
    /// @param at where it goes to in the program's memory
    public record Range(long offset, long at, long length) {}

    /// Reads several ranges into memory of [Connection#allocate], without a copy. They are posted in one go, which
    /// takes less time than one by one, and end together. There may be as many as [EndpointOptions#sendRequests].
    public Pending readAllAsync(List<Range> ranges, MemoryRegion into) {
        return readingAll(ranges, false, into);
    }

    /// The same, but the last range is read after all earlier reads of this connection have ended, those of the other
    /// ranges, too. So it sees what was there later than what they saw: read a version by it to learn whether that was
    /// changed or reused meanwhile.
    public Pending readAllInOrderAsync(List<Range> ranges, MemoryRegion into) {
        return readingAll(ranges, true, into);
    }

    private Pending readingAll(List<Range> ranges, boolean isLastFenced, MemoryRegion into) {
        int most = connection.options().sendRequests();
        if (ranges.isEmpty() || ranges.size() > most) {
            throw new IllegalArgumentException(
                    "%d ranges; read 1 to %d at once (EndpointOptions.sendRequests)".formatted(ranges.size(), most));
        }
        for (Range range : ranges) { // before any of them is posted
            require("read", Access.REMOTE_READ, range.offset, range.length);
            Objects.checkFromIndexSize(range.at, range.length, into.length());
            if (range.length > LongMessages.MOST_READ_BYTES) {
                throw new RdmaException(
                        "read '" + name + "'",
                        Errno.EMSGSIZE,
                        "a range of %d bytes; one READ brings %d at most"
                                .formatted(range.length, LongMessages.MOST_READ_BYTES));
            }
        }
        return post(
                "read",
                ranges.size(),
                access -> connection.sender().tryReads(buffer, ranges, isLastFenced, into, access));
    }

    /// Writes from memory of [Connection#allocate], without a copy. The memory must stay as it is until the end.
    public Pending writeAsync(long offset, MemoryRegion from, long at, long length) {
        require("write", Access.REMOTE_WRITE, offset, length);
        return writing(offset, from, at, length);
    }

    private Pending reading(long offset, MemoryRegion into, long at, long length) {
        return post("read", request -> request.read(buffer.address() + offset, buffer.rkey()), into, at, length);
    }

    private Pending writing(long offset, MemoryRegion from, long at, long length) {
        return post("write", request -> request.write(buffer.address() + offset, buffer.rkey()), from, at, length);
    }

    // ---- all of them ----

    private void require(String verb, Access right, long offset, long length) {
        if (!right.in(rights)) {
            throw new RdmaException(
                    verb + " '" + name + "'",
                    Errno.EACCES,
                    "%s exports it without %s; name that right there".formatted(connection.peer(), right));
        }
        if (offset < 0 || length < 0 || offset > buffer.length() - length) {
            throw new IndexOutOfBoundsException(
                    "bytes %d to %d of '%s', which has %d".formatted(offset, offset + length, name, buffer.length()));
        }
    }

    private Pending post(String verb, Sender.AccessKind kind, MemoryRegion region, long at, long length) {
        return post(verb, 1, access -> connection.sender().tryAccess(kind, region, at, length, access));
    }

    private interface Attempt {
        /// False when there is no room.
        boolean post(Pending access);
    }

    /// Waits while the send queue has no room.
    private Pending post(String verb, int requests, Attempt attempt) {
        Pending access =
                new Pending(connection, () -> verb + " '" + name + "' of " + connection.peer()).releasing(_ -> onEnd());
        connection.progress(); // the peer may have revoked it
        begin(verb);
        try {
            connection.loss().requireOpen();
            while (!attempt.post(access)) {
                connection.waits().awaitRoom(() -> connection.sender().hasQueueRoom(requests), access);
            }
        } catch (RuntimeException e) {
            access.finish(e);
            throw e;
        }
        connection.traffic().onAccesses(requests);
        return access;
    }

    private synchronized void begin(String verb) {
        if (whenQuiet != null) {
            throw new RdmaException(
                    verb + " '" + name + "'",
                    Errno.EACCES,
                    connection.peer() + " has revoked it; ask for it again with Connection.remote");
        }
        underWay++;
    }

    private void onEnd() {
        Runnable quiet;
        synchronized (this) {
            underWay--;
            quiet = underWay == 0 ? whenQuiet : null;
        }
        if (quiet != null) {
            quiet.run();
        }
    }

    /// From now on it is not used any more.
    void revoke(Runnable quiet) {
        boolean isQuiet;
        synchronized (this) {
            whenQuiet = quiet;
            isQuiet = underWay == 0;
        }
        if (isQuiet) {
            quiet.run();
        }
    }

    @Override
    public String toString() {
        return "'%s' of %s, %d bytes".formatted(name, connection.peer(), buffer.length());
    }
}
