package io.verbena.soft.qp;

import io.verbena.roce.header.Feth;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryKey;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.MemoryUser;
import io.verbena.soft.mem.RemoteWords;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.spi.LateFaults;
import java.lang.foreign.MemorySegment;

/// Checks and executes a peer's requests other than SENDs and WRITEs: the access checks of all of them, and the
/// execution of atomics, ATOMIC_WRITEs and FLUSHes. It works on plain values, so that it serves both packets and ring
/// entries.
///
/// Keys are looked up without the engine's lock. One thread at a time uses an object of this class, because it keeps
/// the result of the last atomic.
final class RemoteOperations {
    private static final int KNOWN_FLUSH_TYPES = Feth.GLOBAL_VISIBILITY | Feth.PERSISTENCE;

    private final MemoryTable memory;
    private final MemoryUser user;
    private long original;

    RemoteOperations(MemoryTable memory, MemoryUser user) {
        this.memory = memory;
        this.user = user;
    }

    /// The rights that the queue pair and the region must both give.
    ///
    /// @param flushTypes of a FLUSH only
    static int rights(Operation operation, int flushTypes) {
        return switch (operation) {
            case RDMA_READ -> Access.REMOTE_READ.bit();
            case ATOMIC_WRITE -> Access.REMOTE_WRITE.bit();
            case FLUSH ->
                ((flushTypes & Feth.GLOBAL_VISIBILITY) != 0 ? Access.FLUSH_GLOBAL.bit() : 0)
                        | ((flushTypes & Feth.PERSISTENCE) != 0 ? Access.FLUSH_PERSISTENT.bit() : 0);
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> Access.REMOTE_ATOMIC.bit();
            default -> throw unserved(operation);
        };
    }

    private static IllegalArgumentException unserved(Operation operation) {
        return new IllegalArgumentException(operation + " is not served here");
    }

    /// The whole range must be open to the peer, and words must be aligned.
    ///
    /// A READ of 0 bytes names nothing; atomics and ATOMIC_WRITEs are of 8 bytes.
    Verdict check(Operation operation, RemoteRequest request) {
        if (operation == Operation.RDMA_READ && request.length == 0) {
            return Verdict.OK;
        }
        return check(memory.find(request.rkey), operation, request);
    }

    /// @param key null when there is none
    private Verdict check(MemoryKey key, Operation operation, RemoteRequest request) {
        int rights = rights(operation, request.flushTypes);
        return switch (operation) {
            case RDMA_READ -> checkRange(key, request, rights);
            case FLUSH -> checkFlush(key, request, rights);
            default -> checkWord(key, request, rights);
        };
    }

    private static Verdict verdict(AccessCheck check) {
        return check == AccessCheck.OK ? Verdict.OK : Verdict.REMOTE_ACCESS;
    }

    private Verdict checkRange(MemoryKey key, RemoteRequest request, int rights) {
        return key == null ? Verdict.REMOTE_ACCESS : verdict(key.check(user, request.address, request.length, rights));
    }

    private Verdict checkWord(MemoryKey key, RemoteRequest request, int rights) {
        if (request.length != RemoteWords.BYTES) {
            return Verdict.INVALID_REQUEST;
        }
        Verdict verdict = checkRange(key, request, rights);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        return RemoteWords.isAligned(key, request.address) ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    private Verdict checkFlush(MemoryKey key, RemoteRequest request, int rights) {
        if (request.flushTypes == 0 || (request.flushTypes & ~KNOWN_FLUSH_TYPES) != 0) {
            return Verdict.INVALID_REQUEST;
        }
        return switch (request.selectivity) {
            case Feth.RANGE -> checkRange(key, request, rights);
            case Feth.WHOLE_REGION ->
                key == null ? Verdict.REMOTE_ACCESS : verdict(RemoteWords.checkWhole(key, user, rights));
            default -> Verdict.INVALID_REQUEST;
        };
    }

    /// Executes a request that passed the checks, once. Not for READs.
    ///
    /// The key is looked up and checked again, because it may have been closed or replaced since the first check.
    ///
    /// @param payload holds the word of an ATOMIC_WRITE from `payloadAt` on; null for others
    Verdict execute(Operation operation, RemoteRequest request, MemorySegment payload, long payloadAt) {
        original = 0;
        MemoryKey key = memory.find(request.rkey);
        Verdict verdict = check(key, operation, request);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        long address = request.address;
        try {
            switch (operation) {
                case COMPARE_AND_SWAP ->
                    original = RemoteWords.compareAndSwap(key, address, request.operand, request.swap);
                case FETCH_AND_ADD -> original = RemoteWords.fetchAndAdd(key, address, request.operand);
                case ATOMIC_WRITE -> RemoteWords.store(key, address, payload, payloadAt);
                case FLUSH -> {
                    return flush(key, request);
                }
                default -> throw unserved(operation);
            }
            LateFaults.take(key.memory());
            return Verdict.OK;
        } catch (IllegalStateException | InternalError gone) {
            // The program freed registered memory, or truncated the mapped file. Treated like a closed region.
            return Verdict.REMOTE_ACCESS;
        }
    }

    private static Verdict flush(MemoryKey key, RemoteRequest request) {
        RemoteWords.makeVisible();
        if ((request.flushTypes & Feth.PERSISTENCE) == 0) {
            return Verdict.OK;
        }
        boolean done = request.selectivity == Feth.WHOLE_REGION
                ? RemoteWords.persistWhole(key)
                : RemoteWords.persist(key, request.address, request.length);
        return done ? Verdict.OK : Verdict.OPERATION_FAILED;
    }

    /// The value before the last atomic.
    long original() {
        return original;
    }
}
