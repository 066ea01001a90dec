package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The contents of completions, and when they are added.
public abstract class CompletionContract extends Contract {
    protected CompletionContract() {}

    @Test
    @Rule({"CQ-1", "CQ-3"})
    void shouldReportOnlySignaledSends() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(4096);
        MemoryRegion target = right().memory(4096);
        byte[] pattern = Bytes.pattern(1, 4096);
        Bytes.put(source, 0, pattern);
        for (int i = 0; i < 8; i++) {
            link.left()
                    .post(link.left()
                            .request(i)
                            .write(target.address() + 512L * i, target.rkey())
                            .from(source, 512L * i, 512)
                            .signaled(i == 7));
        }
        link.left().sent(7);
        link.left().expectNoCompletion();
        Bytes.assertAt(target, 0, pattern); // the last completion covers the unsignaled ones
    }

    @Test
    @Rule("CQ-1")
    void shouldReportEverySendWhenAllAreSignaled() {
        QueuePairLink link = link(LinkOptions.DEFAULT.signalAll(true));
        MemoryRegion target = right().memory(8);
        MemoryRegion source = left().memory(8);
        for (int i = 0; i < 8; i++) {
            link.left()
                    .post(link.left()
                            .request(i)
                            .write(target.remote())
                            .from(source, 0, 8)
                            .unsignaled());
        }
        for (int i = 0; i < 8; i++) {
            link.left().sent(i);
        }
    }

    @Test
    @Rule({"CQ-1", "ERR-3"})
    void shouldReportErrorsAndFlushesOfUnsignaledSends() {
        QueuePairLink link = link(LinkOptions.DEFAULT.rnr(1, 0));
        for (int i = 0; i < 4; i++) {
            link.left().post(link.left().request(i).send().empty().unsignaled());
        }
        link.left().sent(0, CompletionStatus.RNR_RETRY_EXCEEDED);
        for (int i = 1; i < 4; i++) {
            link.left().sent(i, CompletionStatus.WORK_REQUEST_FLUSHED);
        }
    }

    @Test
    @Rule("CQ-2")
    void shouldCompleteInPostingOrder() {
        QueuePairLink link = link();
        MemoryRegion local = left().memory(8192);
        MemoryRegion remote = right().memory(8192);
        var random = random();
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < 16; i++) {
                int length = random.nextInt(4000);
                var request = link.left().request(i);
                request = random.nextBoolean() ? request.write(remote.remote()) : request.read(remote.remote());
                link.left().post(request.from(local, 0, length));
            }
            for (int i = 0; i < 16; i++) {
                link.left().sent(i);
            }
        }
    }

    @Test
    @Rule({"CQ-5", "CQ-6", "CQ-7"})
    void shouldNameOperationLengthAndImmediate() {
        QueuePairLink link = link();
        MemoryRegion local = left().memory(4096);
        MemoryRegion remote = right().memory(4096);
        LinkEnd left = link.left();
        LinkEnd right = link.right();
        for (int id = 1; id <= 3; id++) {
            right.receive(id, remote, 0, 4096);
        }
        left.post(left.request(11).send().from(local, 0, 100));
        left.post(left.request(12).sendWithImmediate(0xDEADBEEF).from(local, 0, 2000));
        left.post(left.request(13)
                .writeWithImmediate(remote.address(), remote.rkey(), 7)
                .from(local, 0, 300));
        left.post(left.request(14).write(remote.remote()).from(local, 0, 10));
        left.post(left.request(15).read(remote.remote()).into(local, 0, 10));
        List<CompletionOpcode> sends = new ArrayList<>();
        for (int id = 11; id <= 15; id++) {
            sends.add(left.sent(id).opcode());
        }
        assertEquals(
                List.of(
                        CompletionOpcode.SEND,
                        CompletionOpcode.SEND,
                        CompletionOpcode.RDMA_WRITE,
                        CompletionOpcode.RDMA_WRITE,
                        CompletionOpcode.RDMA_READ),
                sends);
        expectReceive(right.received(1), CompletionOpcode.RECEIVE, 100, null);
        expectReceive(right.received(2), CompletionOpcode.RECEIVE, 2000, 0xDEADBEEF);
        expectReceive(right.received(3), CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE, 300, 7);
    }

    private static void expectReceive(
            WorkCompletion completion, CompletionOpcode opcode, long length, Integer immediate) {
        assertAll(
                () -> assertEquals(opcode, completion.opcode()),
                () -> assertEquals(length, completion.byteLength()),
                () -> assertEquals(immediate != null, completion.hasImmediate()),
                () -> assertFalse(completion.hasInvalidatedKey(), "immediate and invalidate never come together"));
        if (immediate != null) {
            assertEquals(immediate, completion.immediate());
        }
    }

    @Test
    @Rule("CQ-6")
    void shouldLeaveReceiveBufferAloneWhenWriteWithImmediateArrives() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(64);
        MemoryRegion buffer = right().memory(64);
        buffer.memory().fill((byte) 3);
        byte[] before = Bytes.all(buffer);
        byte[] pattern = Bytes.pattern(3, 64);
        Bytes.put(source, 0, pattern);
        link.right().receive(1, buffer, 0, 64);
        link.left()
                .post(link.left()
                        .request(2)
                        .writeWithImmediate(target.address(), target.rkey(), 9)
                        .from(source, 0, 64));
        link.left().sent(2);
        assertEquals(64, link.right().received(1).byteLength());
        Bytes.assertAt(target, 0, pattern);
        Bytes.assertUnchanged(before, buffer);
    }

    @Test
    @Rule("CQ-9")
    void shouldHandOverNoMoreThanAskedFor() {
        QueuePairLink link = link(LinkOptions.DEFAULT.signalAll(true));
        for (int i = 0; i < 5; i++) {
            link.right().receiveEmpty(i);
            link.left().post(link.left().request(i).send().empty());
        }
        List<Long> ids = new ArrayList<>();
        Deadline.await("five completions", () -> {
            int before = ids.size();
            int n = link.left().sendCq().poll(c -> ids.add(c.wrId()), 2);
            assertTrue(n <= 2, "never more than the limit");
            assertEquals(n, ids.size() - before, "the count is what was handed over");
            return ids.size() == 5;
        });
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L), ids);
        assertEquals(0, link.left().sendCq().poll(c -> ids.add(c.wrId()), 2));
        assertEquals(0, link.left().sendCq().poll(c -> ids.add(c.wrId()), 1, Duration.ofMillis(1)));
    }

    @Test
    @Rule("CQ-10")
    void shouldRaiseEventWhenCompletionQueueOverflows() {
        LinkEnd left =
                devices().unconnected(LinkOptions.DEFAULT.completionEntries(1)).left();
        int entries = left.receiveCq().capacity();
        assertTrue(entries >= 1);
        left.toInit();
        int receives = left.qp().capabilities().maxReceiveRequests();
        assumeTrue(entries < receives, "the smallest completion queue holds more than the receive queue");
        for (int i = 0; i <= entries; i++) {
            left.receiveEmpty(i);
        }
        left.to(QueuePairState.ERR);
        AsyncEvent event = left().context().asyncEvents().await(Deadline.PATIENCE);
        assertNotNull(event, "an event when a completion is lost");
        assertEquals(AsyncEventType.CQ_ERROR, event.type());
        assertSame(left.receiveCq(), event.source());
    }

    @Test
    @Rule("CQ-11")
    void shouldRefuseSizesThatMakeNoSense() {
        int most = left().context().attributes().maxCompletionEntries();
        for (int entries : new int[] {0, -1, most + 1}) {
            RefusedCall.with(Errno.EINVAL, entries + " entries", () -> left().completionQueue(entries));
        }
        assertTrue(left().completionQueue(100).capacity() >= 100);
    }

    @Test
    @Rule("CQ-11")
    void shouldResizeButNotBelowWhatIsUnpolled() {
        CompletionQueue cq = left().completionQueue(16);
        cq.resize(64);
        assertTrue(cq.capacity() >= 64);
        RefusedCall.with(Errno.EINVAL, "0 entries", () -> cq.resize(0));
    }

    @Test
    @Rule("CQ-13")
    void shouldTellQueuePairsOnOneQueueApart() {
        CompletionQueue shared = left().completionQueue(256);
        MemoryRegion target = right().memory(8);
        MemoryRegion source = left().memory(8);
        Map<Integer, Long> next = new HashMap<>();
        List<LinkEnd> ends = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LinkEnd left = LinkEnd.withQueues(left(), LinkOptions.DEFAULT, 10 + i, shared, shared);
            LinkEnd right = LinkEnd.withChannels(right(), LinkOptions.DEFAULT, 20 + i, null, null);
            new QueuePairLink(left, right, LinkOptions.DEFAULT).connect();
            ends.add(left);
            next.put(left.qp().number(), 0L);
        }
        for (int id = 0; id < 20; id++) {
            for (LinkEnd end : ends) {
                end.post(end.request(id).write(target.remote()).from(source, 0, 8));
            }
        }
        int[] seen = {0};
        Deadline.await("80 completions", () -> {
            seen[0] += shared.poll(
                    completion -> {
                        assertTrue(
                                completion.isSuccess(),
                                () -> completion.status().explain());
                        assertEquals(
                                next.get(completion.qpNumber()), completion.wrId(), "in order for each queue pair");
                        next.merge(completion.qpNumber(), 1L, Long::sum);
                    },
                    16);
            return seen[0] == 80;
        });
        assertEquals(4, next.size(), "no other queue pair reported");
    }

    @Test
    @Rule("CQ-4")
    void shouldNameRequestAndQueuePairOfAFailure() {
        QueuePairLink link = link(LinkOptions.DEFAULT.rnr(1, 0));
        QueuePair qp = link.left().qp();
        link.left().post(link.left().request(0x1234_5678_9ABC_DEF0L).send().empty());
        WorkCompletion completion = link.left().sent();
        assertEquals(0x1234_5678_9ABC_DEF0L, completion.wrId());
        assertEquals(qp.number(), completion.qpNumber());
        assertFalse(completion.isSuccess());
        assertEquals("RNR retry counter exceeded", completion.status().toString());
    }
}
