package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;
import org.junit.jupiter.api.Test;

/// The rights that atomic writes and flushes need, and how they fail.
public abstract class FlushContract extends Contract {
    private static final Access[] FLUSHABLE = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.FLUSH_GLOBAL
    };
    private static final LinkOptions ATOMIC_WRITE =
            LinkOptions.DEFAULT.operations(Operation.ATOMIC_WRITE, Operation.RDMA_WRITE, Operation.SEND);
    private static final LinkOptions FLUSH =
            LinkOptions.DEFAULT.access(FLUSHABLE).operations(Operation.FLUSH, Operation.RDMA_WRITE, Operation.SEND);

    protected FlushContract() {}

    private QueuePairLink link(LinkOptions options, DeviceCapability needed) {
        assumeTrue(
                right().context().attributes().capabilities().contains(needed),
                "the peer's device does not have " + needed);
        return link(options);
    }

    private QueuePairLink atomicWrites(LinkOptions options) {
        return link(options, DeviceCapability.ATOMIC_WRITE);
    }

    private QueuePairLink flushes() {
        return link(FLUSH, DeviceCapability.FLUSH_GLOBAL);
    }

    private MemoryRegion eight() {
        MemoryRegion local = left().memory(64);
        local.memory().fill((byte) 9);
        return local;
    }

    private void expectFailure(QueuePairLink link, CompletionStatus status, MemoryRegion remote) {
        link.left().sent(1, status);
        link.left().awaitState(QueuePairState.ERR);
        link.right().awaitState(QueuePairState.ERR);
        Bytes.assertUnchanged(new byte[Math.toIntExact(remote.length())], remote);
    }

    @Test
    @Rule({"ATM-2", "TAB-1", "MR-3"})
    void shouldRefuseAnAtomicWriteThatTheRegionDoesNotGrant() {
        QueuePairLink link = atomicWrites(ATOMIC_WRITE);
        MemoryRegion remote = right().memory(64, Access.LOCAL_WRITE, Access.REMOTE_READ);
        LinkEnd end = link.left();
        end.post(end.request(1).atomicWrite(remote.address(), remote.rkey()).from(eight(), 0, 8));
        expectFailure(link, CompletionStatus.REMOTE_ACCESS_ERROR, remote);
    }

    @Test
    @Rule({"ATM-2", "TAB-2", "MR-3"})
    void shouldRefuseAnAtomicWriteThatTheQueuePairDoesNotGrant() {
        QueuePairLink link = atomicWrites(ATOMIC_WRITE.access(Access.LOCAL_WRITE, Access.REMOTE_READ));
        MemoryRegion remote = right().memory(64);
        LinkEnd end = link.left();
        end.post(end.request(1).atomicWrite(remote.address(), remote.rkey()).from(eight(), 0, 8));
        expectFailure(link, CompletionStatus.REMOTE_INVALID_REQUEST, remote);
    }

    @Test
    @Rule({"ATM-2", "TAB-1", "MR-4"})
    void shouldRefuseAnAtomicWriteOutsideTheRegion() {
        QueuePairLink link = atomicWrites(ATOMIC_WRITE);
        MemoryRegion remote = right().memory(64);
        LinkEnd end = link.left();
        end.post(
                end.request(1).atomicWrite(remote.address() + 64, remote.rkey()).from(eight(), 0, 8));
        expectFailure(link, CompletionStatus.REMOTE_ACCESS_ERROR, remote);
    }

    @Test
    @Rule("ATM-2")
    void shouldRefuseAnAtomicWriteOfOtherThanEightBytes() {
        QueuePairLink link = atomicWrites(ATOMIC_WRITE);
        MemoryRegion remote = right().memory(64);
        MemoryRegion local = eight();
        LinkEnd end = link.left();
        for (int length : new int[] {0, 4, 16}) {
            RefusedCall.with(
                    Errno.EINVAL,
                    "an atomic write of " + length + " bytes",
                    () -> end.qp()
                            .post(end.request(1)
                                    .atomicWrite(remote.address(), remote.rkey())
                                    .from(local, 0, length)));
        }
        end.expectNoCompletion();
    }

    @Test
    @Rule({"ATM-2", "ORD-4"})
    void shouldCarryOutMoreAtomicWritesThanMayBeInFlight() {
        QueuePairLink link = atomicWrites(ATOMIC_WRITE.reads(1, 1));
        MemoryRegion remote = right().memory(8 * 16);
        MemoryRegion local = left().memory(8 * 16);
        Bytes.put(local, 0, Bytes.pattern(1, 8 * 16));
        LinkEnd end = link.left();
        for (int i = 0; i < 16; i++) {
            end.post(end.request(i)
                    .atomicWrite(remote.address() + 8L * i, remote.rkey())
                    .from(local, 8L * i, 8));
        }
        for (int i = 0; i < 16; i++) {
            end.sent(i);
        }
        Bytes.assertAt(remote, 0, Bytes.all(local));
    }

    @Test
    @Rule({"ATM-3", "CQ-5"})
    void shouldFlushAWholeRegion() {
        QueuePairLink link = flushes();
        MemoryRegion remote = right().memory(4096, FLUSHABLE);
        MemoryRegion local = left().memory(4096);
        Bytes.put(local, 0, Bytes.pattern(2, 4096));
        LinkEnd end = link.left();
        end.post(end.request(1).write(remote.remote()).from(local, 0, 4096).unsignaled());
        end.post(end.request(2).flushRegion(remote.rkey(), FlushType.GLOBAL_VISIBILITY));
        assertEquals(CompletionOpcode.FLUSH, end.sent(2).opcode());
        Bytes.assertAt(remote, 0, Bytes.all(local));
    }

    @Test
    @Rule({"ATM-3", "TAB-1"})
    void shouldRefuseAFlushOfATypeThatTheRegionDoesNotGrant() {
        QueuePairLink link = link(
                FLUSH.access(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT),
                DeviceCapability.FLUSH_PERSISTENT);
        MemoryRegion remote = right().memory(4096, FLUSHABLE);
        LinkEnd end = link.left();
        end.post(end.request(1).flush(remote.address(), remote.rkey(), 4096, FlushType.PERSISTENCE));
        expectFailure(link, CompletionStatus.REMOTE_ACCESS_ERROR, remote);
    }

    @Test
    @Rule({"ATM-3", "MR-4"})
    void shouldRefuseAFlushOfBytesOutsideTheRegion() {
        QueuePairLink link = flushes();
        MemoryRegion remote = right().memory(4096, FLUSHABLE);
        LinkEnd end = link.left();
        end.post(end.request(1).flush(remote.address(), remote.rkey(), 4097, FlushType.GLOBAL_VISIBILITY));
        expectFailure(link, CompletionStatus.REMOTE_ACCESS_ERROR, remote);
    }

    @Test
    @Rule({"ATM-3", "MR-3"})
    void shouldRefuseAFlushThatTheQueuePairDoesNotGrant() {
        QueuePairLink link = link(FLUSH.access(Access.LOCAL_WRITE, Access.REMOTE_WRITE), DeviceCapability.FLUSH_GLOBAL);
        MemoryRegion remote = right().memory(4096, FLUSHABLE);
        LinkEnd end = link.left();
        end.post(end.request(1).flush(remote.address(), remote.rkey(), 64, FlushType.GLOBAL_VISIBILITY));
        expectFailure(link, CompletionStatus.REMOTE_INVALID_REQUEST, remote);
    }
}
