package io.verbena.soft.os;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.HexFormat;

/// Memory that other processes of the same user can map, that no process can shrink, and that vanishes with its
/// processes.
///
/// Touching memory beyond the end of a file kills the process or throws; a seal on the size makes that impossible. The
/// memory has no name in any file system: a neighbour reaches it as `/proc/PID/fd/N`, as long as its creator keeps the
/// descriptor open. A nonce in its name shows the neighbour whether it opened the right memory, because process ids and
/// descriptors are reused.
///
/// All methods may be called by any thread.
public final class SealedMemory implements AutoCloseable {
    private static final String NAME = "verbena-";
    private static final int CLOSED = -1;
    private static final int SEALS = MemoryCalls.F_SEAL_SHRINK | MemoryCalls.F_SEAL_GROW | MemoryCalls.F_SEAL_SEAL;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final long address;
    private final long bytes;
    private final long nonce;
    private final MemorySegment memory;
    private int fd;
    private boolean mapped = true;

    @SuppressWarnings("restricted")
    private SealedMemory(long address, long bytes, long nonce, int fd) {
        this.address = address;
        this.bytes = bytes;
        this.nonce = nonce;
        this.fd = fd;
        memory = MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /// New memory, all zeros.
    ///
    /// @param reserve whether to allocate all pages now, so that touching them cannot fail later; otherwise each page
    ///     is allocated when it is first touched
    /// @throws RdmaException `ENOMEM` when there is too little memory or a limit is reached
    public static SealedMemory create(long bytes, boolean reserve) {
        String verb = "create shared memory of " + bytes + " bytes";
        if (bytes <= 0) {
            throw new RdmaException(verb, Errno.EINVAL, "that is no size; ask for 1 byte or more");
        }
        if (reserve) {
            AvailableMemory.require(verb, bytes);
        }
        long nonce = newNonce();
        int fd = Errors.require(verb, "memfd_create", MemoryCalls.create(name(nonce)));
        try {
            Errors.require(verb, "ftruncate", MemoryCalls.resize(fd, bytes));
            if (reserve) {
                Errors.require(verb, "posix_fallocate", MemoryCalls.reserve(fd, bytes));
            }
            Errors.require(verb, "fcntl", MemoryCalls.addSeals(fd, SEALS));
            return new SealedMemory(map(verb, fd, bytes), bytes, nonce, fd);
        } catch (RuntimeException e) {
            DescriptorCalls.close(fd);
            throw e;
        }
    }

    /// Maps memory that another process, or this one, has created.
    ///
    /// @param fd its descriptor in that process, see [#fd]
    /// @param leastBytes how large it must be; bytes beyond that are not mapped
    /// @throws RdmaException `ENOENT` when the process or the descriptor is gone, `EACCES` when the system does not
    ///     permit it, `EINVAL` when something else is there
    public static SealedMemory open(long pid, int fd, long nonce, long leastBytes) {
        String verb = "open shared memory of process " + pid;
        String link = "/memfd:" + name(nonce) + " (deleted)";
        int opened = NeighbourDescriptor.open(verb, pid, fd, DescriptorCalls.O_RDWR, link::equals);
        try {
            int seals = MemoryCalls.seals(opened);
            if (seals < 0 || (seals & MemoryCalls.F_SEAL_SHRINK) == 0) {
                throw Errors.wrongFile(verb, "memory that can be shrunk");
            }
            long wanted = Math.max(1, leastBytes);
            long bytes = MemoryCalls.size(opened); // after the seal is seen, it cannot become less
            if (bytes < wanted) {
                throw Errors.wrongFile(verb, "memory of " + bytes + " bytes instead of " + leastBytes);
            }
            return new SealedMemory(map(verb, opened, wanted), wanted, nonce, CLOSED);
        } finally {
            DescriptorCalls.close(opened);
        }
    }

    /// Maps memory whose descriptor another process has handed over. The descriptor becomes the object's.
    ///
    /// @throws RdmaException `EINVAL` when it is of something else
    public static SealedMemory ofDescriptor(int fd, long bytes) {
        String verb = "map shared memory";
        try {
            int seals = MemoryCalls.seals(fd);
            if (seals < 0 || (seals & MemoryCalls.F_SEAL_SHRINK) == 0 || MemoryCalls.size(fd) < bytes) {
                throw Errors.wrongFile(verb, "memory that can be shrunk, or is too small");
            }
            return new SealedMemory(map(verb, fd, bytes), bytes, newNonce(), fd);
        } catch (RuntimeException e) {
            DescriptorCalls.close(fd);
            throw e;
        }
    }

    /// The segment has no scope that ends, so an access never throws. After [#close] no thread may touch it.
    public MemorySegment memory() {
        return memory;
    }

    public long address() {
        return address;
    }

    public long bytes() {
        return bytes;
    }

    /// The descriptor by which neighbours open the memory; -1 once it is closed, and in memory that was opened.
    public synchronized int fd() {
        return fd;
    }

    /// The random number, never 0, that distinguishes this memory from any other.
    public long nonce() {
        return nonce;
    }

    /// Closes the descriptor, so that no other process can open the memory. Processes that have mapped it keep it. May
    /// be called twice.
    public synchronized void closeDescriptor() {
        if (fd != CLOSED) {
            DescriptorCalls.close(fd);
            fd = CLOSED;
        }
    }

    /// Unmaps the memory and closes the descriptor. Only when no thread can access the memory: touching it afterwards
    /// kills the process, or hits other memory. May be called twice.
    @Override
    public synchronized void close() {
        closeDescriptor();
        if (mapped) {
            mapped = false;
            MemoryCalls.unmap(address, bytes);
        }
    }

    @Override
    public String toString() {
        return "shared memory " + name(nonce) + ", " + bytes + " bytes";
    }

    private static String name(long nonce) {
        return NAME + HexFormat.of().toHexDigits(nonce);
    }

    private static long newNonce() {
        long nonce;
        do {
            nonce = RANDOM.nextLong();
        } while (nonce == 0);
        return nonce;
    }

    private static long map(String verb, int fd, long bytes) {
        long address = MemoryCalls.map(fd, bytes);
        if (address == -Errors.ENOMEM) {
            throw Errors.noRoom(
                    verb, "no address space is left; ask for less, or raise ulimit -v or sysctl vm.max_map_count");
        }
        if (address < 0) {
            throw Errors.make(verb, "mmap", (int) -address);
        }
        return address;
    }
}
