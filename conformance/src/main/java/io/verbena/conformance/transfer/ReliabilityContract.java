package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Peers that are late, not ready or gone.
public abstract class ReliabilityContract extends Contract {
    /// Short timeouts for peers that never answer: 1 ms, two retries.
    private static final LinkOptions HASTY = LinkOptions.DEFAULT.retries(8, 2);

    protected ReliabilityContract() {}

    @TestFactory
    @Rule({"REL-1", "REL-3"})
    List<DynamicTest> shouldGiveUpWhenPeerHasNoReceive() {
        List<DynamicTest> tests = new ArrayList<>();
        for (int retries : new int[] {0, 1, 3, 6}) {
            tests.add(dynamicTest(retries + " retries", () -> {
                QueuePairLink link = link(LinkOptions.DEFAULT.rnr(1, retries));
                link.left().post(link.left().request(1).send().from(left().memory(64), 0, 64));
                link.left().sent(1, CompletionStatus.RNR_RETRY_EXCEEDED);
                link.left().awaitState(QueuePairState.ERR);
                assertEquals(QueuePairState.RTS, link.right().state(), "not being ready does not harm the responder");
                link.right().expectNoCompletion();
            }));
        }
        return tests;
    }

    @TestFactory
    @Rule({"REL-1", "REL-3"})
    List<DynamicTest> shouldDeliverWhenReceiveIsPostedLate() {
        List<DynamicTest> tests = new ArrayList<>();
        for (int timer : new int[] {0, 1, 5, 12, 15, 20}) {
            tests.add(dynamicTest("timer code " + timer, () -> {
                QueuePairLink link = link(LinkOptions.DEFAULT.rnr(timer, 7));
                MemoryRegion source = left().memory(5000);
                MemoryRegion target = right().memory(5000);
                byte[] pattern = Bytes.pattern(timer, 5000);
                Bytes.put(source, 0, pattern);
                link.left().post(link.left().request(1).send().from(source, 0, 5000));
                link.left().expectNoCompletion();
                link.right().receive(2, target, 0, 5000);
                link.left().sent(1);
                assertEquals(5000, link.right().received(2).byteLength());
                Bytes.assertAt(target, 0, pattern);
            }));
        }
        return tests;
    }

    @Test
    @Rule({"REL-1", "REL-3"})
    void shouldDeliverEachMessageOnceWhenReceivesComeOneByOne() {
        QueuePairLink link = link(LinkOptions.DEFAULT.rnr(1, 7));
        MemoryRegion source = left().memory(16 * 2000);
        MemoryRegion target = right().memory(16 * 2000);
        byte[] pattern = Bytes.pattern(1, 16 * 2000);
        Bytes.put(source, 0, pattern);
        for (int i = 0; i < 16; i++) {
            link.left().post(link.left().request(i).send().from(source, 2000L * i, 2000));
        }
        for (int i = 0; i < 16; i++) {
            link.right().receive(i, target, 2000L * i, 2000);
            link.right().received(i);
            link.left().sent(i);
        }
        link.left().expectNoCompletion();
        link.right().expectNoCompletion();
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule({"REL-1", "REL-3"})
    void shouldUseUpNoTransportRetryWhileReceiverIsNotReady() {
        right().quirks().skipWhen(Deviation.SEQUENCE_NAK_AFTER_RNR);
        QueuePairLink link = link(LinkOptions.DEFAULT.retries(0, 0).rnr(1, 7));
        int count = 40;
        MemoryRegion source = left().memory(3000L * count);
        MemoryRegion target = right().memory(3000L * count);
        byte[] pattern = Bytes.pattern(3, 3000 * count);
        Bytes.put(source, 0, pattern);
        for (int i = 0; i < count; i++) {
            link.left().post(link.left().request(i).send().from(source, 3000L * i, 3000));
        }
        for (int i = 0; i < count; i++) {
            link.right().receive(i, target, 3000L * i, 3000);
            link.left().sent(i);
            link.right().received(i);
        }
        Bytes.assertUnchanged(pattern, target);
    }

    @Test
    @Rule({"REL-1", "ERR-3"})
    void shouldNameTheMissingReceiveWhenManySendsWait() {
        right().quirks().skipWhen(Deviation.SEQUENCE_NAK_AFTER_RNR);
        for (int round = 0; round < 20; round++) {
            QueuePairLink link = link(LinkOptions.DEFAULT.retries(0, 0).rnr(1, 1));
            MemoryRegion source = left().memory(64);
            for (int i = 0; i < 40; i++) {
                link.left().post(link.left().request(i).send().from(source, 0, 64));
            }
            link.left().sent(0, CompletionStatus.RNR_RETRY_EXCEEDED);
            for (int i = 1; i < 40; i++) {
                link.left().sent(i, CompletionStatus.WORK_REQUEST_FLUSHED);
            }
        }
    }

    @Test
    @Rule("REL-1")
    void shouldWaitForEverWhenRnrRetriesAreSeven() {
        QueuePairLink link = link(LinkOptions.DEFAULT.rnr(1, 7)); // tries again every 10 microseconds
        link.left().post(link.left().request(1).send().empty());
        for (int i = 0; i < 500; i++) { // far more round trips than seven
            link.left().receiveEmpty(i);
            link.right().post(link.right().request(i).send().empty());
            link.right().sent(i);
            link.left().received(i);
        }
        link.left().expectNoCompletion();
        link.right().receiveEmpty(2);
        link.left().sent(1);
        link.right().received(2);
    }

    @Test
    @Rule({"REL-1", "REL-3"})
    void shouldWaitWithImmediateWhenWrittenBytesAreThereAlready() {
        QueuePairLink link = link(LinkOptions.DEFAULT.rnr(1, 7));
        MemoryRegion source = left().memory(5000);
        MemoryRegion target = right().memory(5000);
        source.memory().fill((byte) 4);
        link.left()
                .post(link.left()
                        .request(1)
                        .writeWithImmediate(target.address(), target.rkey(), 42)
                        .from(source, 0, 5000));
        Deadline.await("first packet placed", () -> target.memory().get(ValueLayout.JAVA_BYTE, 0) == 4);
        link.left().expectNoCompletion();
        link.right().receiveEmpty(9);
        assertEquals(42, link.right().received(9).immediate());
        link.left().sent(1);
        Bytes.assertAt(target, 0, Bytes.all(source));
    }

    @TestFactory
    @Rule("REL-1")
    List<DynamicTest> shouldGiveUpWhenPeerDoesNotAnswer() {
        List<DynamicTest> tests = new ArrayList<>();
        for (QueuePairState state : List.of(QueuePairState.RESET, QueuePairState.INIT, QueuePairState.ERR)) {
            for (Transfer transfer : Transfer.values()) {
                tests.add(dynamicTest(transfer + " to a queue pair in " + state, () -> {
                    QueuePairLink link = devices().unconnected(HASTY);
                    MemoryRegion source = left().memory(64);
                    MemoryRegion target = right().memory(64);
                    byte[] before = Bytes.all(target);
                    source.memory().fill((byte) 1);
                    if (state != QueuePairState.RESET) {
                        link.right().toInit();
                    }
                    if (state == QueuePairState.ERR) {
                        link.right().to(QueuePairState.ERR);
                    }
                    link.left().connectTo(link.right());
                    link.left()
                            .post(transfer.apply(link.left().request(1), target.address(), target.rkey())
                                    .from(source, 0, 64));
                    link.left().post(link.left().request(2).send().empty());
                    link.left().sent(1, CompletionStatus.RETRY_EXCEEDED);
                    link.left().sent(2, CompletionStatus.WORK_REQUEST_FLUSHED);
                    link.left().awaitState(QueuePairState.ERR);
                    Bytes.assertUnchanged(before, target);
                }));
            }
        }
        return tests;
    }

    @Test
    @Rule("REL-1")
    void shouldGiveUpWhenPacketNumbersNeverMatch() {
        QueuePairLink link = devices().unconnected(HASTY);
        link.left().toInit();
        link.left().toRtr(link.right());
        link.left()
                .qp()
                .modify(QueuePairChange.toRts(500_000).timeout(8).retryCount(2).maxReadAtomic(1));
        link.right().connectTo(link.left()); // expects the PSN of the options
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(64);
        source.memory().fill((byte) 1);
        link.left().post(link.left().request(1).write(target.remote()).from(source, 0, 64));
        link.left().sent(1, CompletionStatus.RETRY_EXCEEDED);
        Bytes.assertUnchanged(new byte[64], target);
    }

    @Test
    @Rule({"REL-1", "REL-2"})
    void shouldDeliverWhenPeerBecomesReadyLate() {
        QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT.retries(17, 7)); // half a second, seven times
        link.right().toInit();
        link.left().connectTo(link.right());
        MemoryRegion source = left().memory(3000);
        MemoryRegion target = right().memory(3000);
        byte[] pattern = Bytes.pattern(2, 3000);
        Bytes.put(source, 0, pattern);
        link.left().post(link.left().request(1).write(target.remote()).from(source, 0, 3000));
        link.left().expectNoCompletion();
        link.right().toRtr(link.left());
        link.left().sent(1);
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("REL-2")
    void shouldNeedNoTimeoutWhenNothingIsLost() {
        QueuePairLink link = link(LinkOptions.DEFAULT.retries(0, 7)); // 0: never time out
        MemoryRegion source = left().memory(2000);
        MemoryRegion target = right().memory(2000);
        int rounds = Deadline.rounds(200); // few enough for a machine that is busy with other things
        long start = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            link.right().receive(i, target, 0, 2000);
            link.left().post(link.left().request(i).send().from(source, 0, 1 + 9 * i));
            link.right().received(i); // nobody polls on the right from here on
            link.left().sent(i);
            assertTrue(
                    System.nanoTime() - start < Deadline.PATIENCE.toNanos(),
                    () -> "acknowledgements are late: " + rounds
                            + " rounds were to take a fraction of a second, at most " + Deadline.PATIENCE.toSeconds()
                            + " s");
        }
    }

    @Test
    @Rule("REL-6")
    void shouldWaitForEverWhenTheTimeoutIsZero() {
        QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT.retries(0, 1));
        link.right().toInit(); // packets to it are dropped
        link.left().connectTo(link.right());
        QueuePairLink other = link(LinkOptions.DEFAULT.retries(8, 1));
        other.right().to(QueuePairState.RESET);
        link.left().post(link.left().request(1).send().empty());
        other.left().post(other.left().request(2).send().empty());
        other.left().sent(2, CompletionStatus.RETRY_EXCEEDED); // which takes some time
        link.left().expectNoCompletion();
        assertEquals(QueuePairState.RTS, link.left().state());
        link.left().to(QueuePairState.ERR);
        link.left().sent(1, CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    @Test
    @Rule("REL-2")
    void shouldServePeerWhenNobodyPolls() {
        QueuePairLink link = link(LinkOptions.DEFAULT.retries(0, 7));
        MemoryRegion near = left().memory(3000);
        MemoryRegion far = right().memory(3000);
        for (int i = 0; i < 200; i++) {
            link.left().post(link.left().request(2L * i).write(far.remote()).from(near, 0, 3000));
            link.left().post(link.left().request(2L * i + 1).read(far.remote()).into(near, 0, 3000));
            link.left().sent(2L * i);
            link.left().sent(2L * i + 1);
        }
    }

    @Test
    @Rule("REL-1")
    void shouldGiveUpAgainWhenResetAndConnectedAgain() {
        QueuePairLink link = devices().unconnected(HASTY);
        for (int round = 0; round < 3; round++) {
            link.left().connectTo(link.right());
            link.left().post(link.left().request(round).send().empty());
            link.left().sent(round, CompletionStatus.RETRY_EXCEEDED);
            link.left().to(QueuePairState.RESET);
        }
        link.right().connectTo(link.left());
        link.left().toInit();
        link.left().toRtr(link.right());
        link.left().toRts(LinkOptions.DEFAULT); // patient this time
        link.right().receiveEmpty(7);
        link.left().post(link.left().request(8).send().empty());
        link.left().sent(8);
        link.right().received(7);
    }
}
