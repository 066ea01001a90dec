package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.Violation;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Requests that the peer must refuse: how they end, what becomes of both queue pairs, and that no byte changes.
public abstract class ErrorStatusContract extends Contract {
    private static final int LENGTH = 4096;

    protected ErrorStatusContract() {}

    /// A wrong way to name the right side's memory; `length` bytes are asked for.
    private record WrongTarget(String name, int length, Function<MemoryRegion, RemoteBuffer> at) {}

    private static RemoteBuffer shifted(MemoryRegion region, long by) {
        return new RemoteBuffer(region.address() + by, region.length(), region.rkey());
    }

    private static RemoteBuffer keyed(MemoryRegion region, int rkey) {
        return new RemoteBuffer(region.address(), region.length(), rkey);
    }

    private List<WrongTarget> wrongTargets() {
        return List.of(
                new WrongTarget("another variant of the key", 64, r -> keyed(r, r.rkey() ^ 1)),
                new WrongTarget("a key nobody has", 64, r -> keyed(r, r.rkey() ^ 0x7F_FF00)),
                new WrongTarget("key 0", 64, r -> keyed(r, 0)),
                new WrongTarget("one byte beyond the end", 64, r -> shifted(r, LENGTH - 63)),
                new WrongTarget("one byte before the start", 64, r -> shifted(r, -1)),
                new WrongTarget("one byte too long, many packets", LENGTH + 1, r -> shifted(r, 0)),
                new WrongTarget("last packet out of range", LENGTH, r -> shifted(r, 64)),
                new WrongTarget("far beyond the end", 64, r -> shifted(r, 1L << 40)),
                new WrongTarget("an address that wraps around", 64, r -> new RemoteBuffer(-32, LENGTH, r.rkey())),
                new WrongTarget("address 0", 64, r -> new RemoteBuffer(0, LENGTH, r.rkey())),
                new WrongTarget("a region without the right", 64, r -> {
                    MemoryRegion closed = right().memory(LENGTH, Access.LOCAL_WRITE);
                    return new RemoteBuffer(closed.address(), LENGTH, closed.rkey());
                }),
                new WrongTarget("the local key of a region without the right", 64, r -> {
                    MemoryRegion closed = right().memory(LENGTH, Access.LOCAL_WRITE);
                    return new RemoteBuffer(closed.address(), LENGTH, closed.lkey());
                }),
                new WrongTarget(
                        "a region of another domain",
                        64,
                        r -> right().keep(right().otherPd()
                                        .allocate(LENGTH, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ))
                                .remote()),
                new WrongTarget("a closed region", 64, r -> {
                    MemoryRegion gone = right().memory(LENGTH);
                    RemoteBuffer remote = gone.remote();
                    gone.close();
                    return remote;
                }));
    }

    @TestFactory
    @Rule({"MR-2", "MR-3", "MR-4", "MR-5", "TAB-1", "ERR-1", "ERR-3"})
    List<DynamicTest> shouldRefuseAccessOutsideWhatTheKeyOpens() {
        List<DynamicTest> tests = new ArrayList<>();
        for (WrongTarget target : wrongTargets()) {
            for (Transfer transfer : Transfer.REMOTE) {
                tests.add(dynamicTest(transfer + " with " + target.name, () -> {
                    MemoryRegion region = right().memory(LENGTH);
                    expectRemoteFailure(
                            Violation.REMOTE_MEMORY, link(), transfer, region, target.at.apply(region), target.length);
                }));
            }
        }
        return tests;
    }

    @TestFactory
    @Rule({"MR-3", "TAB-1"})
    List<DynamicTest> shouldRefuseAccessThatTheRegionDoesNotGrant() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Transfer transfer : Transfer.REMOTE) {
            tests.add(dynamicTest(transfer.toString(), () -> {
                Access other = transfer.brings() ? Access.REMOTE_WRITE : Access.REMOTE_READ;
                MemoryRegion region = right().memory(LENGTH, Access.LOCAL_WRITE, other);
                expectRemoteFailure(Violation.REMOTE_MEMORY, link(), transfer, region, region.remote(), 64);
            }));
        }
        return tests;
    }

    @TestFactory
    @Rule({"MR-3", "TAB-2"})
    List<DynamicTest> shouldRefuseAccessThatTheQueuePairDoesNotGrant() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Transfer transfer : Transfer.REMOTE) {
            tests.add(dynamicTest(transfer.toString(), () -> {
                Access other = transfer.brings() ? Access.REMOTE_WRITE : Access.REMOTE_READ;
                QueuePairLink link = link(LinkOptions.DEFAULT.access(Access.LOCAL_WRITE, other));
                MemoryRegion region = right().memory(LENGTH);
                expectRemoteFailure(Violation.REMOTE_QUEUE_PAIR_RIGHT, link, transfer, region, region.remote(), 64);
            }));
        }
        return tests;
    }

    @Test
    @Rule("TAB-3")
    void shouldRefuseReadWhenResponderServesNone() {
        QueuePairLink link = link(LinkOptions.DEFAULT.reads(1, 0));
        MemoryRegion region = right().memory(LENGTH);
        expectRemoteFailure(Violation.NO_READ_RESOURCES, link, Transfer.READ, region, region.remote(), 64);
    }

    @Test
    @Rule({"TAB-1", "EV-9"})
    void shouldRaiseEventWhenPeerViolatesProtection() {
        right().quirks().unlessKnown(Deviation.NO_ACCESS_EVENT, () -> {
            QueuePairLink link = link();
            link.left().post(link.left().request(1).write(0, 0x12345).from(left().memory(64), 0, 64));
            link.left().sent(1, CompletionStatus.REMOTE_ACCESS_ERROR);
            AsyncEvent event =
                    right().context().asyncEvents().await(right().quirks().patience(Deviation.NO_ACCESS_EVENT));
            assertNotNull(event, "an asynchronous event at the responder");
            assertEquals(AsyncEventType.QP_ACCESS_ERROR, event.type());
            assertSame(link.right().qp(), event.source());
            assertEquals(0, event.port());
        });
    }

    @TestFactory
    @Rule({"POST-7", "TAB-1"})
    List<DynamicTest> shouldNotLookAtTheKeyOfAnEmptyMessage() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Transfer transfer : Transfer.REMOTE) {
            tests.add(dynamicTest(transfer.toString(), () -> {
                QueuePairLink link = link();
                link.right().receiveEmpty(1);
                link.left()
                        .post(transfer.apply(link.left().request(2), 0xDEAD_BEEFL, 0x7777)
                                .empty());
                link.left().sent(2);
                assertEquals(QueuePairState.RTS, link.right().state());
            }));
        }
        return tests;
    }

    /// A good write, the bad request, two more: success, the error, two flushes; both queue pairs in ERR, the
    /// receives of the right flushed in order, and no byte changed but those of the good write.
    private void expectRemoteFailure(
            Violation violation,
            QueuePairLink link,
            Transfer transfer,
            MemoryRegion region,
            RemoteBuffer remote,
            int length) {
        MemoryRegion local = left().memory(2L * LENGTH);
        byte[] pattern = Bytes.pattern(length, 2 * LENGTH);
        Bytes.put(local, 0, pattern);
        byte[] before = Bytes.all(region);
        link.right().receiveEmpty(1);
        link.right().receiveEmpty(2);
        link.right().receiveEmpty(3);
        link.left().post(link.left().request(10).send().empty());
        link.left()
                .post(transfer.apply(link.left().request(11), remote.address(), remote.rkey())
                        .from(local, 0, length));
        link.left().post(link.left().request(12).send().empty());
        link.left().post(link.left().request(13).send().empty().unsignaled());

        link.left().sent(10);
        CompletionStatus status = link.left().sent().status();
        assertTrue(
                right().quirks().acceptsRequester(violation, status),
                () -> transfer + " ended with " + status.explain() + "; expected " + violation.requester());
        link.left().sent(12, CompletionStatus.WORK_REQUEST_FLUSHED);
        link.left().sent(13, CompletionStatus.WORK_REQUEST_FLUSHED);
        link.left().awaitState(QueuePairState.ERR);
        link.right().awaitState(QueuePairState.ERR);
        link.right().received(1);
        CompletionStatus next = link.right().received().status();
        if (transfer != Transfer.WRITE_WITH_IMMEDIATE) { // which may have taken the receive it was for with it
            assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, next);
        }
        assertNotEquals(CompletionStatus.SUCCESS, next);
        link.right().received(3, CompletionStatus.WORK_REQUEST_FLUSHED);
        link.left().expectNoCompletion();
        link.right().expectNoCompletion();
        Bytes.assertUnchanged(before, region);
        Bytes.assertUnchanged(pattern, local);
    }
}
