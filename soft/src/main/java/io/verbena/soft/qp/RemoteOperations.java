package io.verbena.soft.qp;

import io.verbena.roce.header.Feth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.MemoryUser;
import io.verbena.soft.mem.RemoteWords;
import io.verbena.verbs.attr.Access;

/// What a peer asks for beside SENDs and WRITEs, at the memory: which rights it takes, whether they are there, and the
/// doing of atomics, ATOMIC_WRITEs and FLUSHes. Owned by the engine.
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
    static int rights(PacketView packet) {
        return switch (packet.opcode()) {
            case RC_RDMA_READ_REQUEST -> Access.REMOTE_READ.bit();
            case RC_ATOMIC_WRITE -> Access.REMOTE_WRITE.bit();
            case RC_FLUSH ->
                ((packet.flushTypes() & Feth.GLOBAL_VISIBILITY) != 0 ? Access.FLUSH_GLOBAL.bit() : 0)
                        | ((packet.flushTypes() & Feth.PERSISTENCE) != 0 ? Access.FLUSH_PERSISTENT.bit() : 0);
            default -> Access.REMOTE_ATOMIC.bit();
        };
    }

    static long address(PacketView packet) {
        return packet.opcode().has(Header.ATOMICETH) ? packet.atomicAddress() : packet.remoteAddress();
    }

    static int key(PacketView packet) {
        return packet.opcode().has(Header.ATOMICETH) ? packet.atomicKey() : packet.rkey();
    }

    /// The whole range must be open to the peer, and words must be aligned.
    Verdict check(PacketView packet) {
        return switch (packet.opcode()) {
            case RC_RDMA_READ_REQUEST -> checkRead(packet);
            case RC_FLUSH -> checkFlush(packet);
            default -> checkWord(packet);
        };
    }

    private static Verdict verdict(AccessCheck check) {
        return check == AccessCheck.OK ? Verdict.OK : Verdict.REMOTE_ACCESS;
    }

    /// A length of 0 names nothing.
    private Verdict checkRead(PacketView packet) {
        long length = packet.dmaLength();
        return length == 0
                ? Verdict.OK
                : verdict(memory.check(packet.rkey(), user, packet.remoteAddress(), length, Access.REMOTE_READ.bit()));
    }

    private Verdict checkWord(PacketView packet) {
        if (packet.opcode() == Opcode.RC_ATOMIC_WRITE && packet.dmaLength() != RemoteWords.BYTES) {
            return Verdict.INVALID_REQUEST;
        }
        int key = key(packet);
        long address = address(packet);
        AccessCheck check = memory.check(key, user, address, RemoteWords.BYTES, rights(packet));
        if (check != AccessCheck.OK) {
            return Verdict.REMOTE_ACCESS;
        }
        return RemoteWords.isAligned(memory, key, address) ? Verdict.OK : Verdict.INVALID_REQUEST;
    }

    private Verdict checkFlush(PacketView packet) {
        int types = packet.flushTypes();
        if (types == 0 || (types & ~KNOWN_FLUSH_TYPES) != 0) {
            return Verdict.INVALID_REQUEST;
        }
        int rights = rights(packet);
        return switch (packet.flushSelectivity()) {
            case Feth.RANGE ->
                verdict(memory.check(packet.rkey(), user, packet.remoteAddress(), packet.dmaLength(), rights));
            case Feth.WHOLE_REGION -> verdict(RemoteWords.checkWhole(memory, packet.rkey(), user, rights));
            default -> Verdict.INVALID_REQUEST;
        };
    }

    /// Carries out what passed the checks; never the same request twice.
    Verdict execute(PacketView packet) {
        original = 0;
        try {
            switch (packet.opcode()) {
                case RC_COMPARE_SWAP ->
                    original = RemoteWords.compareAndSwap(
                            memory, packet.atomicKey(), packet.atomicAddress(), packet.compare(), packet.swapOrAdd());
                case RC_FETCH_ADD ->
                    original = RemoteWords.fetchAndAdd(
                            memory, packet.atomicKey(), packet.atomicAddress(), packet.swapOrAdd());
                case RC_ATOMIC_WRITE ->
                    RemoteWords.store(
                            memory, packet.rkey(), packet.remoteAddress(), packet.payloadMemory(), packet.payloadAt());
                default -> {
                    return flush(packet);
                }
            }
            return Verdict.OK;
        } catch (IllegalStateException | InternalError gone) {
            // The caller freed registered memory, or cut the file that is mapped there: as if the region were closed.
            return Verdict.REMOTE_ACCESS;
        }
    }

    private Verdict flush(PacketView packet) {
        RemoteWords.makeVisible();
        if ((packet.flushTypes() & Feth.PERSISTENCE) == 0) {
            return Verdict.OK;
        }
        boolean done = packet.flushSelectivity() == Feth.WHOLE_REGION
                ? RemoteWords.persistWhole(memory, packet.rkey())
                : RemoteWords.persist(memory, packet.rkey(), packet.remoteAddress(), packet.dmaLength());
        return done ? Verdict.OK : Verdict.OPERATION_FAILED;
    }

    /// What the last atomic found.
    long original() {
        return original;
    }
}
