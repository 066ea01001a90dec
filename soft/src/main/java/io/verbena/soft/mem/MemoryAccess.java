package io.verbena.soft.mem;

import static io.verbena.soft.os.HostMemory.ALL;

import io.verbena.soft.os.HostMemory;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.spi.LateFaults;
import java.lang.foreign.MemorySegment;

/// The access of one user to registered memory: looks keys up, and copies from and to the memory of keys or
/// scatter/gather lists. Each copy looks its key up once, so it never mixes two keys. From any thread.
public final class MemoryAccess {
    private final MemoryTable table;
    private final MemoryUser user;

    public MemoryAccess(MemoryTable table, MemoryUser user) {
        this.table = table;
        this.user = user;
    }

    public MemoryKey find(int key) {
        return table.find(key);
    }

    public AccessCheck check(int key, long address, long length, int rights) {
        return table.check(key, user, address, length, rights);
    }

    /// Whether every buffer of a list is covered by its key with the rights; buffers of length 0 are not checked (rule
    /// POST-7).
    public boolean allows(long[] words, int at, int count, int rights) {
        for (int i = at; i < at + count * ScatterGather.WORDS; i += ScatterGather.WORDS) {
            long length = ScatterGather.length(words[i + 1]);
            int key = ScatterGather.lkey(words[i + 1]);
            if (length != 0 && check(key, words[i], length, rights | MemoryKey.LOCAL_READ) != AccessCheck.OK) {
                return false;
            }
        }
        return true;
    }

    /// Copies `bytes` bytes that start `skip` bytes into the buffers; false when a buffer may not be read.
    public boolean gather(long[] words, int at, int count, long skip, MemorySegment to, long toAt, int bytes) {
        return walk(true, words, at, count, skip, to, toAt, bytes);
    }

    /// Places bytes into the buffers; false when a buffer may not be written or they are too short.
    public boolean scatter(long[] words, int at, int count, long skip, MemorySegment from, long fromAt, int bytes) {
        if (count == 1 && skip == 0 && bytes > 0 && bytes <= ScatterGather.length(words[at + 1])) {
            // Most messages.
            return write(ScatterGather.lkey(words[at + 1]), words[at], Access.LOCAL_WRITE.bit(), from, fromAt, bytes);
        }
        return walk(false, words, at, count, skip, from, fromAt, bytes);
    }

    private boolean walk(
            boolean gather, long[] words, int at, int count, long skip, MemorySegment other, long otherAt, int bytes) {
        for (int i = at; i < at + count * ScatterGather.WORDS && bytes > 0; i += ScatterGather.WORDS) {
            long length = ScatterGather.length(words[i + 1]);
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int n = (int) Math.min(bytes, length - skip);
            int key = ScatterGather.lkey(words[i + 1]);
            boolean copied = gather
                    ? read(key, words[i] + skip, MemoryKey.LOCAL_READ, other, otherAt, n)
                    : write(key, words[i] + skip, Access.LOCAL_WRITE.bit(), other, otherAt, n);
            if (!copied) {
                return false;
            }
            otherAt += n;
            bytes -= n;
            skip = 0;
        }
        return bytes == 0;
    }

    /// Copies from the memory of a key after checking key, range and rights. The usual case has a branch of its own:
    /// for a constant segment the compiler generates little code, which it can inline.
    public boolean read(int key, long address, int rights, MemorySegment to, long at, int bytes) {
        MemoryKey open = open(key, address, bytes, rights);
        if (open == null) {
            return false;
        }
        try {
            if (open.isOfHost()) {
                copyHost(ALL, open.offsetOf(address), to, at, bytes);
            } else {
                MemorySegment.copy(open.memory(), open.offsetOf(address), to, at, bytes);
                LateFaults.take(open.memory());
            }
            return true;
        } catch (IllegalStateException | InternalError gone) {
            // The program freed registered memory, or truncated the mapped file. Treated like a closed region.
            return false;
        }
    }

    /// Copies into the memory of a key after checking key, range and rights.
    public boolean write(int key, long address, int rights, MemorySegment from, long at, int bytes) {
        MemoryKey open = open(key, address, bytes, rights);
        if (open == null) {
            return false;
        }
        try {
            if (open.isOfHost()) {
                copyHost(from, at, ALL, open.offsetOf(address), bytes);
            } else {
                MemorySegment.copy(from, at, open.memory(), open.offsetOf(address), bytes);
                LateFaults.take(open.memory());
            }
            return true;
        } catch (IllegalStateException | InternalError gone) {
            return false;
        }
    }

    /// One of the two is [HostMemory#ALL].
    private static void copyHost(MemorySegment from, long fromAt, MemorySegment to, long toAt, int bytes) {
        if (bytes >= HostMemory.LARGE && from == to) {
            HostMemory.copyLarge(fromAt, toAt, bytes);
        } else {
            MemorySegment.copy(from, fromAt, to, toAt, bytes);
        }
    }

    private MemoryKey open(int key, long address, long bytes, int rights) {
        MemoryKey open = table.find(key);
        return open != null && open.check(user, address, bytes, rights) == AccessCheck.OK ? open : null;
    }
}
