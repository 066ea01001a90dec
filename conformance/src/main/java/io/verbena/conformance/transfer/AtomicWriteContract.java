package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Test;

/// Atomic writes and flushes, which drivers want to know of when the queue pair is made.
public abstract class AtomicWriteContract extends Contract {
    private static final Access[] RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.FLUSH_GLOBAL
    };
    private static final LinkOptions ATOMIC_WRITE =
            LinkOptions.DEFAULT.operations(Operation.ATOMIC_WRITE, Operation.RDMA_WRITE, Operation.SEND);
    private static final LinkOptions FLUSH =
            LinkOptions.DEFAULT.access(RIGHTS).operations(Operation.FLUSH, Operation.RDMA_WRITE, Operation.SEND);

    protected AtomicWriteContract() {}

    /// Kernels that do not know FLUSH drop it in silence.
    private QueuePairLink flushLink() {
        assumeTrue(
                right().context().attributes().capabilities().contains(DeviceCapability.FLUSH_GLOBAL),
                "the peer's device does not have FLUSH");
        return link(FLUSH);
    }

    private QueuePairLink atomicWriteLink() {
        assumeTrue(
                right().context().attributes().capabilities().contains(DeviceCapability.ATOMIC_WRITE),
                "the peer's device has no atomic writes");
        return link(ATOMIC_WRITE);
    }

    @Test
    @Rule({"ATM-2", "CQ-5"})
    void shouldWriteEightBytesAsTheyAre() {
        QueuePairLink link = atomicWriteLink();
        MemoryRegion local = left().memory(64);
        MemoryRegion remote = right().memory(64);
        byte[] pattern = Bytes.pattern(1, 64);
        Bytes.put(local, 0, pattern);
        byte[] before = Bytes.all(remote);
        LinkEnd end = link.left();
        end.post(
                end.request(1).atomicWrite(remote.address() + 16, remote.rkey()).from(local, 8, 8));
        assertEquals(CompletionOpcode.ATOMIC_WRITE, end.sent(1).opcode());
        Bytes.assertOnlyChanged(before, remote, 16, Bytes.get(local, 8, 8));
    }

    @Test
    @Rule("ATM-2")
    void shouldBeSeenWhole() throws InterruptedException {
        QueuePairLink link = atomicWriteLink();
        MemoryRegion local = left().memory(8);
        MemoryRegion remote = right().memory(8);
        VarHandle word = ValueLayout.JAVA_LONG.varHandle();
        boolean[] torn = {false};
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                long seen = (long) word.getOpaque(remote.memory(), 0L);
                torn[0] |= (int) seen != (int) (seen >>> 32);
            }
        });
        try {
            LinkEnd end = link.left();
            for (int round = 1; round <= 200; round++) {
                local.memory().set(ValueLayout.JAVA_LONG, 0, (long) round << 32 | round);
                end.post(end.request(round)
                        .atomicWrite(remote.address(), remote.rkey())
                        .from(local, 0, 8));
                end.sent(round);
            }
        } finally {
            reader.interrupt();
            reader.join();
        }
        assertTrue(!torn[0], "half of a value was seen");
        assertEquals(200L << 32 | 200, remote.memory().get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    @Rule({"ATM-2", "ORD-1"})
    void shouldMixWithOtherRequestsInOrder() {
        QueuePairLink link = atomicWriteLink();
        MemoryRegion local = left().memory(64);
        MemoryRegion remote = right().memory(64);
        Bytes.put(local, 0, Bytes.pattern(2, 64));
        link.right().receive(9, remote, 32, 8);
        LinkEnd end = link.left();
        end.post(end.request(1).write(remote.address(), remote.rkey()).from(local, 0, 16));
        end.post(end.request(2).atomicWrite(remote.address(), remote.rkey()).from(local, 24, 8));
        end.post(end.request(3).send().from(local, 40, 8).fenced());
        end.sent(1);
        end.sent(2);
        end.sent(3);
        link.right().received(9);
        Bytes.assertAt(remote, 0, Bytes.get(local, 24, 8));
        Bytes.assertAt(remote, 8, Bytes.get(local, 8, 8));
        Bytes.assertAt(remote, 32, Bytes.get(local, 40, 8));
    }

    @Test
    @Rule("ATM-2")
    void shouldRefuseATargetThatIsNotAligned() {
        QueuePairLink link = atomicWriteLink();
        MemoryRegion local = left().memory(8);
        MemoryRegion remote = right().memory(64);
        local.memory().fill((byte) 1);
        LinkEnd end = link.left();
        try {
            end.post(end.request(1)
                    .atomicWrite(remote.address() + 4, remote.rkey())
                    .from(local, 0, 8));
            end.sent(1, CompletionStatus.REMOTE_INVALID_REQUEST);
        } catch (BadRequestException refusedAtOnce) {
            assertEquals(Errno.EINVAL, refusedAtOnce.errno());
        }
        Bytes.assertUnchanged(new byte[64], remote);
    }

    @Test
    @Rule({"ATM-3", "CQ-5"})
    void shouldFlushWhatWasWritten() {
        QueuePairLink link = flushLink();
        MemoryRegion local = left().memory(4096);
        MemoryRegion remote = right().memory(4096, RIGHTS);
        byte[] pattern = Bytes.pattern(3, 4096);
        Bytes.put(local, 0, pattern);
        LinkEnd end = link.left();
        end.post(end.request(1).write(remote.remote()).from(local, 0, 4096).unsignaled());
        end.post(end.request(2).flush(remote.address(), remote.rkey(), 4096, FlushType.GLOBAL_VISIBILITY));
        assertEquals(CompletionOpcode.FLUSH, end.sent(2).opcode());
        Bytes.assertAt(remote, 0, pattern);
    }

    @Test
    @Rule({"ATM-3", "TAB-1"})
    void shouldRefuseFlushThatTheRegionDoesNotAllow() {
        QueuePairLink link = flushLink();
        MemoryRegion remote = right().memory(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        LinkEnd end = link.left();
        end.post(end.request(1).flush(remote.address(), remote.rkey(), 4096, FlushType.GLOBAL_VISIBILITY));
        end.sent(1, CompletionStatus.REMOTE_ACCESS_ERROR);
    }
}
