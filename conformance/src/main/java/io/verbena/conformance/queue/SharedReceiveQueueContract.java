package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Receives that several queue pairs draw from; the right side has the queue.
public abstract class SharedReceiveQueueContract extends Contract {
    private static final LinkOptions OPTIONS = LinkOptions.DEFAULT;

    protected SharedReceiveQueueContract() {}

    private SharedReceiveQueue queue(int requests) {
        return right().keep(right().pd().createSharedReceiveQueue(SharedReceiveQueueOptions.of(requests)));
    }

    private QueuePairLink link(SharedReceiveQueue queue) {
        return link(queue, OPTIONS);
    }

    private QueuePairLink link(SharedReceiveQueue queue, LinkOptions options) {
        QueuePairLink plain = devices().unconnected(options);
        LinkEnd right = LinkEnd.withSharedReceiveQueue(right(), options, 0x12_3456, queue);
        QueuePairLink link = new QueuePairLink(plain.left(), right, options);
        link.connect();
        return link;
    }

    private static void receive(SharedReceiveQueue queue, long wrId, MemoryRegion region, long offset, long length) {
        assertTrue(
                queue.post(queue.newReceiveRequest().wrId(wrId).into(region, offset, length)),
                "shared receive queue full");
    }

    private static void send(QueuePairLink link, long wrId) {
        LinkEnd end = link.left();
        end.post(end.request(wrId).send().empty());
        end.sent(wrId);
    }

    @Test
    @Rule("SRQ-1")
    void shouldHandOutReceivesInOrderToWhoeverNeedsOne() {
        SharedReceiveQueue queue = queue(64);
        QueuePairLink[] links = {link(queue), link(queue)};
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(20 * 64);
        for (int i = 0; i < 20; i++) {
            receive(queue, i, target, 64L * i, 64);
        }
        for (int i = 0; i < 20; i++) {
            QueuePairLink link = links[i % 3 == 0 ? 0 : 1];
            byte[] pattern = Bytes.pattern(i, 64);
            Bytes.put(source, 0, pattern);
            link.left().post(link.left().request(i).send().from(source, 0, 64));
            link.left().sent(i);
            assertEquals(64, link.right().received(i).byteLength());
            Bytes.assertAt(target, 64L * i, pattern);
        }
    }

    @Test
    @Rule({"SRQ-1", "POST-3"})
    void shouldTakeAChainOfReceives() {
        SharedReceiveQueue queue = queue(64);
        QueuePairLink link = link(queue);
        List<ReceiveRequest> chain = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            chain.add(queue.newReceiveRequest().wrId(i).empty());
        }
        assertEquals(8, queue.postReceives(chain));
        for (int i = 0; i < 8; i++) {
            send(link, i);
            link.right().received(i);
        }
    }

    @Test
    @Rule({"SRQ-1", "POST-4"})
    void shouldDeclineWhenFull() {
        SharedReceiveQueue queue = queue(8);
        int size = queue.query().maxRequests();
        ReceiveRequest request = queue.newReceiveRequest().empty();
        int taken = 0;
        while (queue.post(request.wrId(taken))) {
            taken++;
            assertTrue(taken <= 100_000, "a queue of " + size + " takes receives without end");
        }
        assertTrue(taken >= 8, () -> "fewer than asked for fit");
        QueuePairLink link = link(queue);
        send(link, 1);
        link.right().received(0);
        Deadline.await("room for one more", () -> queue.post(request.wrId(1000)));
        assertFalse(queue.post(request), "room for one more only");
    }

    @Test
    @Rule("QP-10")
    void shouldRefuseReceivesOfTheQueuePairItself() {
        QueuePairLink link = link(queue(8));
        RefusedCall.with(
                Errno.EINVAL,
                "a receive posted to the queue pair",
                () -> link.right().receiveEmpty(1));
    }

    @Test
    @Rule({"SRQ-2", "EV-9"})
    void shouldTellOnceWhenFewerThanTheLimitAreLeft() {
        SharedReceiveQueue queue = queue(16);
        QueuePairLink link = link(queue);
        for (int i = 0; i < 6; i++) {
            assertTrue(queue.post(queue.newReceiveRequest().wrId(i).empty()));
        }
        queue.limit(4);
        assertEquals(4, queue.query().limit());
        send(link, 0);
        send(link, 1);
        link.right().received(0);
        link.right().received(1);
        assertNull(right().context().asyncEvents().tryTake(), "four are left, which is not fewer than four");
        send(link, 2);
        AsyncEvent event = right().context().asyncEvents().await(Deadline.PATIENCE);
        assertNotNull(event, "an event when three are left");
        assertEquals(AsyncEventType.SRQ_LIMIT_REACHED, event.type());
        assertSame(queue, event.source());
        assertEquals(0, queue.query().limit(), "the limit is used up");
        send(link, 3);
        link.right().received(2);
        link.right().received(3);
        assertNull(right().context().asyncEvents().tryTake(), "one event only");
    }

    @Test
    @Rule("SRQ-3")
    void shouldRefuseALimitAboveTheSize() {
        SharedReceiveQueue queue = queue(8);
        int size = queue.query().maxRequests();
        RefusedCall.with(Errno.EINVAL, "limit " + (size + 1) + " of " + size, () -> queue.limit(size + 1));
        assertEquals(0, queue.query().limit());
    }

    @Test
    @Rule("SRQ-8")
    void shouldMakeThePeerWaitWhenEmpty() {
        SharedReceiveQueue queue = queue(8);
        QueuePairLink link = link(queue, OPTIONS.rnr(12, 7));
        link.left().post(link.left().request(1).send().empty());
        link.left().expectNoCompletion();
        assertTrue(queue.post(queue.newReceiveRequest().wrId(5).empty()));
        link.right().received(5);
        link.left().sent(1);
    }

    @Test
    @Rule("SRQ-8")
    void shouldFailThePeerWhenEmptyForTooLong() {
        SharedReceiveQueue queue = queue(8);
        QueuePairLink link = link(queue, OPTIONS.rnr(1, 2));
        link.left().post(link.left().request(1).send().empty());
        link.left().sent(1, CompletionStatus.RNR_RETRY_EXCEEDED);
    }

    @Test
    @Rule("SRQ-4")
    void shouldShowItsSize() {
        SharedReceiveQueue queue = right().keep(right().pd()
                .createSharedReceiveQueue(SharedReceiveQueueOptions.of(30).withScatterGather(3)));
        SharedReceiveQueueOptions options = queue.query();
        assertTrue(options.maxRequests() >= 30, () -> "asked for 30 receives, got " + options);
        assertTrue(options.maxScatterGather() >= 3, () -> "asked for 3 buffers, got " + options);
        assertEquals(0, options.limit());
        assertEquals(right().pd(), queue.protectionDomain());
    }

    @Test
    @Rule("SRQ-4")
    void shouldRefuseSizesTheDeviceDoesNotHave() {
        int most = right().context().attributes().maxSharedReceiveRequests();
        RefusedCall.with(Errno.EINVAL, "a shared receive queue for " + (most + 1L), () -> queue(most + 1));
    }

    @Test
    @Rule("ERR-4")
    void shouldKeepReceivesWhenOneQueuePairFails() {
        SharedReceiveQueue queue = queue(16);
        QueuePairLink failing = link(queue);
        QueuePairLink other = link(queue);
        for (int i = 0; i < 4; i++) {
            assertTrue(queue.post(queue.newReceiveRequest().wrId(i).empty()));
        }
        failing.right().to(QueuePairState.ERR);
        failing.right().expectNoCompletion();
        for (int i = 0; i < 4; i++) {
            send(other, i);
            other.right().received(i);
        }
    }

    @Test
    @Rule("SRQ-7")
    void shouldNotCloseWhileAQueuePairUsesIt() {
        SharedReceiveQueue queue = queue(8);
        QueuePairLink link = link(queue);
        RefusedCall.with(Errno.EBUSY, "close a shared receive queue in use", queue::close);
        link.right().qp().close();
        queue.close();
        queue.close();
    }
}
