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
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AtomicCapability;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Compare and swap, and fetch and add, on the peer's memory.
public abstract class AtomicContract extends Contract {
    private static final Access[] RIGHTS = {Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC};
    private static final LinkOptions ATOMIC = LinkOptions.DEFAULT.access(RIGHTS);

    protected AtomicContract() {}

    @BeforeEach
    void assumePeerHasAtomics() {
        assumeTrue(
                right().context().attributes().atomics() != AtomicCapability.NONE, "the peer's device has no atomics");
    }

    private static MemoryRegion words(TestDevice side, long... values) {
        MemoryRegion region = side.memory(64, RIGHTS);
        for (int i = 0; i < values.length; i++) {
            region.memory().setAtIndex(ValueLayout.JAVA_LONG, i, values[i]);
        }
        return region;
    }

    private static long word(MemoryRegion region, int index) {
        return region.memory().getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    private static void expectOpcode(WorkCompletion completion, CompletionOpcode opcode) {
        assertEquals(opcode, completion.opcode());
    }

    @Test
    @Rule({"ATM-1", "CQ-5"})
    void shouldAddAndBringTheOldValue() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left(), -1, -1, -1);
        MemoryRegion remote = words(right(), 1, 1000, 1);
        LinkEnd end = link.left();
        end.post(end.request(1)
                .fetchAndAdd(remote.address() + 8, remote.rkey(), 234)
                .into(local, 8, 8));
        expectOpcode(end.sent(1), CompletionOpcode.FETCH_AND_ADD);
        assertEquals(1000, word(local, 1));
        assertEquals(1234, word(remote, 1));
        end.post(end.request(2)
                .fetchAndAdd(remote.address() + 8, remote.rkey(), -1235)
                .into(local, 8, 8));
        end.sent(2);
        assertEquals(1234, word(local, 1));
        assertEquals(-1, word(remote, 1));
        for (int neighbour : new int[] {0, 2}) {
            assertEquals(-1, word(local, neighbour), "beside the local word");
            assertEquals(1, word(remote, neighbour), "beside the remote word");
        }
    }

    @Test
    @Rule({"ATM-1", "CQ-5"})
    void shouldSwapWhenTheWordIsAsExpected() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left(), 0);
        MemoryRegion remote = words(right(), 0x0102_0304_0506_0708L);
        LinkEnd end = link.left();
        end.post(end.request(1)
                .compareAndSwap(remote.address(), remote.rkey(), 0x0102_0304_0506_0708L, 0x1112_1314_1516_1718L)
                .into(local, 0, 8));
        expectOpcode(end.sent(1), CompletionOpcode.COMPARE_AND_SWAP);
        assertEquals(0x0102_0304_0506_0708L, word(local, 0));
        assertEquals(0x1112_1314_1516_1718L, word(remote, 0));
    }

    @Test
    @Rule("ATM-1")
    void shouldLeaveTheWordWhenItIsNotAsExpected() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left(), 0);
        MemoryRegion remote = words(right(), 77);
        LinkEnd end = link.left();
        end.post(end.request(1)
                .compareAndSwap(remote.address(), remote.rkey(), 78, 79)
                .into(local, 0, 8));
        end.sent(1);
        assertEquals(77, word(local, 0));
        assertEquals(77, word(remote, 0));
    }

    @Test
    @Rule("ATM-1")
    void shouldCountEveryAddOfSeveralQueuePairsOnce() {
        int rounds = 50;
        QueuePairLink[] links = {link(ATOMIC), link(ATOMIC), link(ATOMIC)};
        MemoryRegion remote = words(right(), 0);
        MemoryRegion local = left().memory(8L * rounds * links.length, RIGHTS);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < links.length; i++) {
                LinkEnd end = links[i].left();
                end.post(end.request(round)
                        .fetchAndAdd(remote.address(), remote.rkey(), 1)
                        .into(local, 8L * (round * links.length + i), 8));
            }
        }
        for (QueuePairLink link : links) {
            for (int round = 0; round < rounds; round++) {
                link.left().sent(round);
            }
        }
        int adds = rounds * links.length;
        assertEquals(adds, word(remote, 0));
        boolean[] seen = new boolean[adds];
        for (int i = 0; i < adds; i++) {
            int old = Math.toIntExact(word(local, i));
            assertTrue(!seen[old], "two requests saw " + old);
            seen[old] = true;
        }
    }

    @Test
    @Rule({"ATM-1", "ORD-4"})
    void shouldCarryOutMoreAtomicsThanMayBeInFlight() {
        QueuePairLink link = link(ATOMIC.reads(1, 1));
        MemoryRegion local = left().memory(8 * 32, RIGHTS);
        MemoryRegion remote = words(right(), 0);
        LinkEnd end = link.left();
        for (int i = 0; i < 32; i++) {
            end.post(end.request(i)
                    .compareAndSwap(remote.address(), remote.rkey(), i, i + 1)
                    .into(local, 8L * i, 8));
        }
        for (int i = 0; i < 32; i++) {
            end.sent(i);
            assertEquals(i, word(local, i), "in posting order");
        }
        assertEquals(32, word(remote, 0));
    }

    @Test
    @Rule("ORD-3")
    void shouldSendWhatAnAtomicBroughtWhenFenced() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left(), 0);
        MemoryRegion remote = words(right(), 4711, 0);
        link.right().receive(1, remote, 8, 8);
        LinkEnd end = link.left();
        end.post(end.request(1).fetchAndAdd(remote.address(), remote.rkey(), 1).into(local, 0, 8));
        end.post(end.request(2).send().from(local, 0, 8).fenced());
        end.sent(1);
        end.sent(2);
        link.right().received(1);
        assertEquals(4711, word(remote, 1));
    }

    @Test
    @Rule("ATM-1")
    void shouldRefuseAWordThatIsNotAligned() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left(), 5);
        MemoryRegion remote = words(right(), 1, 2);
        byte[] before = Bytes.all(remote);
        SendRequest add = link.left()
                .request(1)
                .fetchAndAdd(remote.address() + 4, remote.rkey(), 1)
                .into(local, 0, 8);
        try {
            link.left().post(add);
            link.left().sent(1, CompletionStatus.REMOTE_INVALID_REQUEST);
        } catch (BadRequestException refusedAtOnce) {
            assertEquals(Errno.EINVAL, refusedAtOnce.errno());
        }
        Bytes.assertUnchanged(before, remote);
        assertEquals(5, word(local, 0));
    }

    @Test
    @Rule({"ATM-1", "TAB-1"})
    void shouldRefuseAtomicWhenTheRegionDoesNotAllowIt() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left(), 5);
        MemoryRegion remote = right().memory(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        LinkEnd end = link.left();
        end.post(end.request(1).fetchAndAdd(remote.address(), remote.rkey(), 1).into(local, 0, 8));
        end.sent(1, CompletionStatus.REMOTE_ACCESS_ERROR);
        end.awaitState(QueuePairState.ERR);
        link.right().awaitState(QueuePairState.ERR);
        Bytes.assertUnchanged(new byte[64], remote);
        assertEquals(5, word(local, 0));
    }

    @Test
    @Rule({"ATM-1", "TAB-2"})
    void shouldRefuseAtomicWhenTheQueuePairDoesNotAllowIt() {
        QueuePairLink link =
                link(LinkOptions.DEFAULT.access(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
        MemoryRegion local = words(left(), 5);
        MemoryRegion remote = words(right(), 1);
        LinkEnd end = link.left();
        end.post(end.request(1).fetchAndAdd(remote.address(), remote.rkey(), 1).into(local, 0, 8));
        end.sent(1, CompletionStatus.REMOTE_INVALID_REQUEST);
        assertEquals(1, word(remote, 0));
        assertEquals(5, word(local, 0));
    }
}
