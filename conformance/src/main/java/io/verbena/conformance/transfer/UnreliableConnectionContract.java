package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Connections without acknowledgements: nothing that goes wrong at the peer comes back to the sender.
public abstract class UnreliableConnectionContract extends Contract {
    static final LinkOptions UC = LinkOptions.DEFAULT.type(QueuePairType.UC);
    private static final List<Transfer> OPERATIONS =
            List.of(Transfer.SEND, Transfer.SEND_WITH_IMMEDIATE, Transfer.WRITE, Transfer.WRITE_WITH_IMMEDIATE);

    protected UnreliableConnectionContract() {}

    @TestFactory
    @Rule({"UC-1", "MSG-1", "CQ-5", "CQ-6", "CQ-7"})
    List<DynamicTest> shouldMoveMessagesAroundPacketBoundaries() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Transfer transfer : OPERATIONS) {
            for (Mtu mtu : List.of(Mtu.MTU_256, Mtu.MTU_1024)) {
                tests.add(dynamicTest(transfer + " at MTU " + mtu.bytes(), () -> {
                    QueuePairLink link = link(UC.mtu(mtu));
                    MemoryRegion near = left().memory(8192);
                    MemoryRegion far = right().memory(8192);
                    int m = mtu.bytes();
                    for (int length : new int[] {0, 1, 3, 4, m - 1, m, m + 1, 2 * m, 2 * m + 1, 5 * m + 7}) {
                        moveAndAwait(transfer, link, near, far, length);
                    }
                }));
            }
        }
        return tests;
    }

    /// As [Transfer#move]; but the completion of an unreliable WRITE says nothing about its arrival, so that is
    /// waited for.
    private static void moveAndAwait(
            Transfer transfer, QueuePairLink link, MemoryRegion near, MemoryRegion far, int length) {
        if (transfer != Transfer.WRITE) {
            transfer.move(link, near, 5, far, 9, length, length);
            return;
        }
        byte[] pattern = Bytes.pattern(length, length);
        Bytes.put(near, 5, pattern);
        far.memory().fill((byte) 0x5A);
        byte[] before = Bytes.all(far);
        link.left()
                .post(link.left()
                        .request(1)
                        .write(far.address() + 9, far.rkey())
                        .from(near, 5, length));
        link.left().sent(1);
        pass(link);
        Bytes.assertOnlyChanged(before, far, 9, pattern);
    }

    /// Returns when the right side has dealt with all that the left side sent: an empty message went through.
    private static void pass(QueuePairLink link) {
        link.right().receiveEmpty(-7);
        link.left().post(link.left().request(-8).send().empty());
        link.left().sent(-8);
        link.right().received(-7);
    }

    @Test
    @Rule("UC-1")
    void shouldKeepTheOrderOfMessages() {
        QueuePairLink link = link(UC);
        MemoryRegion source = left().memory(4 * 64);
        MemoryRegion target = right().memory(32 * 64);
        for (int round = 0; round < 8; round++) {
            for (int i = 0; i < 4; i++) {
                link.right().receive(i, target, 64L * i, 64);
            }
            Bytes.put(source, 0, Bytes.pattern(round, 4 * 64));
            for (int i = 0; i < 4; i++) {
                link.left().post(link.left().request(i).send().from(source, 64L * i, 64));
            }
            for (int i = 0; i < 4; i++) {
                link.left().sent(i);
                link.right().received(i);
            }
            Bytes.assertAt(target, 0, Bytes.pattern(round, 4 * 64));
        }
    }

    @TestFactory
    @Rule({"UC-2", "TAB-17"})
    List<DynamicTest> shouldSucceedWhenThePeerIsNotThere() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Transfer transfer : OPERATIONS) {
            tests.add(dynamicTest(transfer.toString(), () -> {
                QueuePairLink link = link(UC);
                MemoryRegion source = left().memory(3000);
                MemoryRegion target = right().memory(3000);
                link.right().qp().close();
                for (int i = 0; i < 10; i++) {
                    link.left()
                            .post(transfer.apply(link.left().request(i), target.address(), target.rkey())
                                    .from(source, 0, 3000));
                    link.left().sent(i);
                }
                assertEquals(QueuePairState.RTS, link.left().state());
            }));
        }
        return tests;
    }

    @Test
    @Rule({"UC-3", "TAB-17"})
    void shouldDropAMessageThatFindsNoReceive() {
        QueuePairLink link = link(UC);
        MemoryRegion source = left().memory(3000);
        MemoryRegion target = right().memory(3000);
        MemoryRegion flag = right().memory(8);
        source.memory().fill((byte) 1);
        for (int length : new int[] {0, 100, 3000}) {
            link.left().post(link.left().request(1).send().from(source, 0, length));
            link.left().sent(1);
        }
        // A write behind them shows when they have been dealt with.
        link.left().post(link.left().request(2).write(flag.remote()).from(source, 0, 8));
        link.left().sent(2);
        Deadline.await("the write arrives", () -> flag.memory().getAtIndex(ValueLayout.JAVA_BYTE, 7) == 1);
        link.right().receive(5, target, 0, 3000);
        link.left().post(link.left().request(3).send().from(source, 0, 50));
        link.left().sent(3);
        assertEquals(50, link.right().received(5).byteLength(), "the messages before were dropped");
        link.right().expectNoCompletion();
        assertEquals(QueuePairState.RTS, link.right().state());
    }

    @TestFactory
    @Rule({"UC-3", "TAB-17", "MR-3", "MR-4"})
    List<DynamicTest> shouldDropWhatThePeerDoesNotAllow() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Transfer transfer : List.of(Transfer.WRITE, Transfer.WRITE_WITH_IMMEDIATE)) {
            tests.add(dynamicTest(transfer + " with another key", () -> {
                MemoryRegion region = right().memory(4096);
                expectDropped(link(UC), transfer, region, region.address(), region.rkey() ^ 1, 64);
            }));
            tests.add(dynamicTest(transfer + " one byte too far", () -> {
                MemoryRegion region = right().memory(4096);
                expectDropped(link(UC), transfer, region, region.address() + 1, region.rkey(), 4096);
            }));
            tests.add(dynamicTest(transfer + " without the region's right", () -> {
                MemoryRegion region = right().memory(4096, Access.LOCAL_WRITE, Access.REMOTE_READ);
                expectDropped(link(UC), transfer, region, region.address(), region.rkey(), 64);
            }));
            tests.add(dynamicTest(transfer + " without the queue pair's right", () -> {
                MemoryRegion region = right().memory(4096);
                QueuePairLink link = link(UC.access(Access.LOCAL_WRITE));
                expectDropped(link, transfer, region, region.address(), region.rkey(), 64);
            }));
        }
        return tests;
    }

    /// The sender sees success, the peer's memory stays, and later messages arrive on the same connection.
    private void expectDropped(
            QueuePairLink link, Transfer transfer, MemoryRegion region, long address, int rkey, int length) {
        MemoryRegion source = left().memory(4096);
        source.memory().fill((byte) 1);
        byte[] before = Bytes.all(region);
        link.left().post(transfer.apply(link.left().request(1), address, rkey).from(source, 0, length));
        link.left().sent(1);
        pass(link);
        Bytes.assertUnchanged(before, region);
        assertEquals(QueuePairState.RTS, link.left().state());
        assertEquals(QueuePairState.RTS, link.right().state());
        link.left().expectNoCompletion();
        link.right().expectNoCompletion();
    }

    @Test
    @Rule({"UC-3", "TAB-17"})
    void shouldTouchNothingBeyondAReceiveThatIsTooSmall() {
        QueuePairLink link = link(UC);
        MemoryRegion source = left().memory(3000);
        MemoryRegion target = right().memory(3000);
        source.memory().fill((byte) 1);
        link.right().receive(5, target, 100, 50);
        link.left().post(link.left().request(1).send().from(source, 0, 3000));
        link.left().sent(1);
        // A second connection shows when the message has been dealt with.
        pass(link(UC));
        byte[] now = Bytes.all(target);
        for (int i = 0; i < now.length; i++) {
            if (i < 100 || i >= 150) {
                assertEquals(0, now[i], "byte " + i + " is outside the receive");
            }
        }
        assertEquals(QueuePairState.RTS, link.left().state());
        link.left().expectNoCompletion();
    }

    @Test
    @Rule("UC-4")
    void shouldTakeUpAnotherPacketNumberWithTheNextMessage() {
        QueuePairLink link = devices().unconnected(UC.psns(1000, 2000));
        link.left().toInit();
        link.right().toInit();
        link.left().toRtr(link.right());
        link.right().toRtr(link.left(), 500);
        link.left().toRts();
        MemoryRegion source = left().memory(3000);
        MemoryRegion target = right().memory(3000);
        for (int length : new int[] {10, 3000, 0, 1024}) {
            byte[] pattern = Bytes.pattern(length, length);
            Bytes.put(source, 0, pattern);
            link.right().receive(length, target, 0, 3000);
            link.left().post(link.left().request(length).send().from(source, 0, length));
            link.left().sent(length);
            assertEquals(length, link.right().received(length).byteLength());
            Bytes.assertAt(target, 0, pattern);
        }
    }

    @Test
    @Rule("POST-5")
    void shouldRefuseOperationsThatNeedAnAnswer() {
        QueuePairLink link = link(UC);
        LinkEnd left = link.left();
        MemoryRegion local = left().memory(64);
        MemoryRegion remote = right().memory(64);
        RefusedCall.with(
                Errno.EINVAL,
                "READ",
                () -> left.qp().post(left.request(1).read(remote.remote()).into(local, 0, 64)));
        RefusedCall.with(
                Errno.EINVAL,
                "compare and swap",
                () -> left.qp()
                        .post(left.request(1)
                                .compareAndSwap(remote.address(), remote.rkey(), 0, 1)
                                .into(local, 0, 8)));
        RefusedCall.with(
                Errno.EINVAL,
                "fetch and add",
                () -> left.qp()
                        .post(left.request(1)
                                .fetchAndAdd(remote.address(), remote.rkey(), 1)
                                .into(local, 0, 8)));
        RefusedCall.with(
                Errno.EINVAL,
                "SEND with invalidate, which has no packet",
                () -> left.qp().post(left.request(1).sendWithInvalidate(1).empty()));
        left.expectNoCompletion();
        pass(link);
    }

    @Test
    @Rule({"UC-1", "CQ-1"})
    void shouldReportOnlySignaledSends() {
        QueuePairLink link = link(UC);
        for (int i = 0; i < 8; i++) {
            link.right().receiveEmpty(i);
            link.left().post(link.left().request(i).send().empty().signaled(i == 7));
        }
        link.left().sent(7);
        for (int i = 0; i < 8; i++) {
            link.right().received(i);
        }
        link.left().expectNoCompletion();
    }

    @Test
    @Rule({"ERR-1", "ERR-3"})
    void shouldFlushReceivesInOrderWhenMovedToError() {
        QueuePairLink link = link(UC);
        for (int i = 0; i < 5; i++) {
            link.right().receiveEmpty(i);
        }
        link.right().to(QueuePairState.ERR);
        for (int i = 0; i < 5; i++) {
            link.right().received(i, CompletionStatus.WORK_REQUEST_FLUSHED);
        }
        link.right().expectNoCompletion();
    }
}
