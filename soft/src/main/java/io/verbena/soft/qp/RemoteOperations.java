package io.verbena.soft.qp;

import io.verbena.roce.header.Feth;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryKey;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.MemoryUser;
import io.verbena.soft.mem.RemoteWords;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;

/// What a peer asks for beside SENDs and WRITEs, at the memory: which rights it takes, whether they are there, and the
/// doing of atomics, ATOMIC_WRITEs and FLUSHes. It works on plain values, so that it is the same whether a packet or
/// something else brought the request; [RequestFields] takes them from a packet. How far a FLUSH goes and of how much
/// is given in the numbers of [Feth].
///
/// Keys are found without the engine. One thread at a time uses an object of this class, because it remembers what the
/// last atomic found.
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
    /// @param length a READ of 0 bytes names nothing; atomics and ATOMIC_WRITEs are of 8 bytes
    /// @param flushTypes of a FLUSH only, as `selectivity` is
    Verdict check(Operation operation, int rkey, long address, long length, int flushTypes, int selectivity) {
        if (operation == Operation.RDMA_READ && length == 0) {
            return Verdict.OK;
        }
        return check(memory.find(rkey), operation, address, length, flushTypes, selectivity);
    }

    /// @param key null when there is none
    private Verdict check(
            MemoryKey key, Operation operation, long address, long length, int flushTypes, int selectivity) {
        int rights = rights(operation, flushTypes);
        return switch (operation) {
            case RDMA_READ -> checkRange(key, address, length, rights);
            case FLUSH -> checkFlush(key, address, length, flushTypes, selectivity);
            default -> checkWord(key, address, length, rights);
        };
    }

    private static Verdict verdict(AccessCheck check) {
        return check == AccessCheck.OK ? Verdict.OK : Verdict.REMOTE_ACCESS;
    }

    private Verdict checkRange(MemoryKey key, long address, long length, int rights) {
        return key == null ? Verdict.REMOTE_ACCESS : verdict(key.check(user, address, length, rights));
    }

    private Verdict checkWord(MemoryKey key, long address, long length, int rights) {
        if (length != RemoteWords.BYTES) {
            return Verdict.INVALID_REQUEST;
        }
        Verdict verdict = checkRange(key, address, length, rights);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        return RemoteWords.isAligned(key, address) ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    private Verdict checkFlush(MemoryKey key, long address, long length, int types, int selectivity) {
        if (types == 0 || (types & ~KNOWN_FLUSH_TYPES) != 0) {
            return Verdict.INVALID_REQUEST;
        }
        int rights = rights(Operation.FLUSH, types);
        return switch (selectivity) {
            case Feth.RANGE -> checkRange(key, address, length, rights);
            case Feth.WHOLE_REGION ->
                key == null ? Verdict.REMOTE_ACCESS : verdict(RemoteWords.checkWhole(key, user, rights));
            default -> Verdict.INVALID_REQUEST;
        };
    }

    /// Carries out what passed the checks; never the same request twice. READs are not for here.
    ///
    /// The key is looked up and checked once more, and that very key is used: the one that was checked before may have
    /// been closed, or replaced by another one, since.
    ///
    /// @param operand what a FETCH_AND_ADD adds, or what a COMPARE_AND_SWAP compares with
    /// @param swap what a COMPARE_AND_SWAP puts in
    /// @param payload holds the word of an ATOMIC_WRITE from `payloadAt` on; null for others
    Verdict execute(
            Operation operation,
            int rkey,
            long address,
            long length,
            int flushTypes,
            int selectivity,
            long operand,
            long swap,
            MemorySegment payload,
            long payloadAt) {
        original = 0;
        MemoryKey key = memory.find(rkey);
        Verdict verdict = check(key, operation, address, length, flushTypes, selectivity);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        try {
            switch (operation) {
                case COMPARE_AND_SWAP -> original = RemoteWords.compareAndSwap(key, address, operand, swap);
                case FETCH_AND_ADD -> original = RemoteWords.fetchAndAdd(key, address, operand);
                case ATOMIC_WRITE -> RemoteWords.store(key, address, payload, payloadAt);
                case FLUSH -> {
                    return flush(key, address, length, flushTypes, selectivity);
                }
                default -> throw unserved(operation);
            }
            return Verdict.OK;
        } catch (IllegalStateException | InternalError gone) {
            // The caller freed registered memory, or cut the file that is mapped there: as if the region were closed.
            return Verdict.REMOTE_ACCESS;
        }
    }

    private static Verdict flush(MemoryKey key, long address, long length, int flushTypes, int selectivity) {
        RemoteWords.makeVisible();
        if ((flushTypes & Feth.PERSISTENCE) == 0) {
            return Verdict.OK;
        }
        boolean done = selectivity == Feth.WHOLE_REGION
                ? RemoteWords.persistWhole(key)
                : RemoteWords.persist(key, address, length);
        return done ? Verdict.OK : Verdict.OPERATION_FAILED;
    }

    /// What the last atomic found.
    long original() {
        return original;
    }
}
