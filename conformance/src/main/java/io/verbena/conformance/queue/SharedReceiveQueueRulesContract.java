package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import org.junit.jupiter.api.Test;

/// Sizes and limits of shared receive queues, their events, and how queue pairs of all types draw from them.
public abstract class SharedReceiveQueueRulesContract extends Contract {
    private static final int GRH = 40;
    private static final int QKEY = 0x1111_2222;

    protected SharedReceiveQueueRulesContract() {}

    private SharedReceiveQueue queue(int requests) {
        return right().keep(right().pd().createSharedReceiveQueue(SharedReceiveQueueOptions.of(requests)));
    }

    private QueuePairLink link(SharedReceiveQueue queue, LinkOptions options) {
        QueuePairLink plain = devices().unconnected(options);
        QueuePairLink link = new QueuePairLink(
                plain.left(), LinkEnd.withSharedReceiveQueue(right(), options, 0x12_3456, queue), options);
        link.connect();
        return link;
    }

    private QueuePairLink link(SharedReceiveQueue queue) {
        return link(queue, LinkOptions.DEFAULT);
    }

    private static void post(SharedReceiveQueue queue, long from, long to) {
        for (long i = from; i < to; i++) {
            assertTrue(queue.post(queue.newReceiveRequest().wrId(i).empty()), "shared receive queue full at " + i);
        }
    }

    private static void send(QueuePairLink link, long wrId) {
        link.left().post(link.left().request(wrId).send().empty());
        link.left().sent(wrId);
    }

    private void assumeResizable() {
        assumeTrue(
                right().context().attributes().capabilities().contains(DeviceCapability.SHARED_RECEIVE_QUEUE_RESIZE),
                "the device cannot resize shared receive queues");
    }

    @Test
    @Rule({"SRQ-1", "MSG-1"})
    void shouldGiveEachMessageAReceiveOfItsOwn() {
        SharedReceiveQueue queue = queue(64);
        QueuePairLink[] links = {link(queue), link(queue), link(queue)};
        int count = 12;
        int length = 5000;
        MemoryRegion target = right().memory((long) count * length);
        MemoryRegion source = left().memory((long) links.length * length);
        for (int i = 0; i < links.length; i++) {
            Bytes.put(source, (long) i * length, Bytes.pattern(i, length));
        }
        for (int i = 0; i < count; i++) {
            assertTrue(queue.post(queue.newReceiveRequest().wrId(i).into(target, (long) i * length, length)));
        }
        for (int i = 0; i < count; i++) { // many packets of several messages at a time
            int n = i % links.length;
            LinkEnd end = links[n].left();
            end.post(end.request(i).send().from(source, (long) n * length, length - n));
        }
        for (int n = 0; n < links.length; n++) {
            for (int i = 0; i < count / links.length; i++) {
                links[n].left().sent();
                WorkCompletion received = links[n].right().received();
                assertEquals(length - n, received.byteLength());
                Bytes.assertAt(target, received.wrId() * length, Bytes.pattern(n, length - n));
            }
        }
    }

    @Test
    @Rule("SRQ-5")
    void shouldKeepItsReceivesWhenMadeLarger() {
        assumeResizable();
        SharedReceiveQueue queue = queue(8);
        QueuePairLink link = link(queue);
        int size = queue.query().maxRequests();
        post(queue, 0, 8);
        queue.resize(4 * size);
        int now = queue.query().maxRequests();
        assertTrue(now >= 4 * size, () -> "asked for " + 4 * size + ", got " + now);
        post(queue, 8, 4L * size);
        for (int i = 0; i < 4 * size; i++) {
            send(link, i);
            link.right().received(i);
        }
    }

    @Test
    @Rule("SRQ-5")
    void shouldShrinkToWhatItHolds() {
        assumeResizable();
        SharedReceiveQueue queue = queue(64);
        QueuePairLink link = link(queue);
        post(queue, 0, 10);
        queue.resize(10);
        assertTrue(queue.query().maxRequests() >= 10);
        for (int i = 0; i < 10; i++) {
            send(link, i);
            link.right().received(i);
        }
    }

    @Test
    @Rule({"SRQ-3", "SRQ-5"})
    void shouldRefuseSizesThatMakeNoSense() {
        assumeResizable();
        SharedReceiveQueue queue = queue(64);
        int size = queue.query().maxRequests();
        post(queue, 0, 30);
        int most = right().context().attributes().maxSharedReceiveRequests();
        for (int wrong : new int[] {-1, 0, most + 1}) {
            RefusedCall.with(Errno.EINVAL, "resize to " + wrong, () -> queue.resize(wrong));
        }
        if (!right().quirks().has(Deviation.REFUSED_RESIZE_BREAKS_QUEUE)) {
            RefusedCall.with(Errno.EINVAL, "resize below what is queued", () -> queue.resize(8));
        }
        queue.limit(20);
        RefusedCall.with(Errno.EINVAL, "resize below the limit", () -> queue.resize(15));
        assertEquals(size, queue.query().maxRequests());
        assertEquals(20, queue.query().limit());
    }

    @Test
    @Rule("SRQ-2")
    void shouldTellAgainWhenArmedAgain() {
        SharedReceiveQueue queue = queue(16);
        QueuePairLink link = link(queue);
        for (int round = 0; round < 3; round++) {
            post(queue, 0, 2);
            queue.limit(2);
            send(link, 0);
            AsyncEvent event = right().context().asyncEvents().await(Deadline.PATIENCE);
            assertNotNull(event, "an event in round " + round);
            assertEquals(AsyncEventType.SRQ_LIMIT_REACHED, event.type());
            assertSame(queue, event.source());
            send(link, 1);
            link.right().received(0);
            link.right().received(1);
            assertNull(right().context().asyncEvents().tryTake(), "one event a round");
        }
    }

    @Test
    @Rule("SRQ-2")
    void shouldTellNothingWhenDisarmed() {
        SharedReceiveQueue queue = queue(16);
        QueuePairLink link = link(queue);
        post(queue, 0, 3);
        queue.limit(3);
        queue.limit(0);
        for (int i = 0; i < 3; i++) {
            send(link, i);
            link.right().received(i);
        }
        assertNull(right().context().asyncEvents().tryTake());
    }

    @Test
    @Rule({"ERR-6", "EV-9"})
    void shouldTellWhenAFailedQueuePairTakesNoMore() {
        SharedReceiveQueue queue = queue(16);
        QueuePairLink link = link(queue);
        post(queue, 0, 4);
        send(link, 0);
        link.right().received(0);
        link.right().to(QueuePairState.ERR);
        right().quirks().unlessKnown(Deviation.NO_LAST_REQUEST_EVENT, () -> {
            AsyncEvent event =
                    right().context().asyncEvents().await(right().quirks().patience(Deviation.NO_LAST_REQUEST_EVENT));
            assertNotNull(event, "an event that the last receive was taken");
            assertEquals(AsyncEventType.LAST_WORK_REQUEST_REACHED, event.type());
            assertSame(link.right().qp(), event.source());
            link.right().expectNoCompletion();
        });
    }

    @Test
    @Rule("QP-13")
    void shouldNotLookAtTheReceiveSizesOfAQueuePairWithASharedQueue() {
        SharedReceiveQueue queue = queue(16);
        int most = right().context().attributes().maxWorkRequests();
        int buffers = right().context().attributes().maxScatterGather();
        CompletionQueue cq = right().completionQueue(16);
        QueuePair qp = right().queuePair(QueuePairOptions.rc(cq)
                .capabilities(new QueuePairCapabilities(8, most + 1, 1, buffers + 1, 0))
                .sharedReceiveQueue(queue));
        assertEquals(QueuePairState.RESET, qp.state());
    }

    @Test
    @Rule("SRQ-1")
    void shouldServeUnreliableConnections() {
        SharedReceiveQueue queue = queue(16);
        QueuePairLink link = link(queue, LinkOptions.DEFAULT.type(QueuePairType.UC));
        MemoryRegion source = left().memory(3000);
        MemoryRegion target = right().memory(3000);
        byte[] pattern = Bytes.pattern(1, 3000);
        Bytes.put(source, 0, pattern);
        assertTrue(queue.post(queue.newReceiveRequest().wrId(7).into(target, 0, 3000)));
        link.left().post(link.left().request(1).send().from(source, 0, 3000));
        link.left().sent(1);
        link.right().received(7);
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("SRQ-1")
    void shouldServeDatagrams() {
        SharedReceiveQueue queue = queue(16);
        LinkEnd left = LinkEnd.datagram(left(), LinkOptions.DEFAULT, QKEY);
        LinkEnd[] right = {
            LinkEnd.datagram(right(), LinkOptions.DEFAULT, QKEY, queue),
            LinkEnd.datagram(right(), LinkOptions.DEFAULT, QKEY, queue)
        };
        AddressHandle handle = left().keep(left().pd().createAddressHandle(left().pathTo(right())));
        MemoryRegion target = right().memory(4L * 128);
        MemoryRegion source = left().memory(64);
        for (int i = 0; i < 4; i++) {
            assertTrue(queue.post(queue.newReceiveRequest().wrId(i).into(target, 128L * i, 128)));
        }
        for (int i = 0; i < 4; i++) {
            LinkEnd to = right[i % 2];
            Bytes.put(source, 0, Bytes.pattern(i, 50));
            left.post(left.request(i)
                    .send()
                    .from(source, 0, 50)
                    .to(handle, to.qp().number(), QKEY));
            left.sent(i);
            assertEquals(GRH + 50, to.received(i).byteLength());
            Bytes.assertAt(target, 128L * i + GRH, Bytes.pattern(i, 50));
        }
    }

    @Test
    @Rule("SRQ-6")
    void shouldDropUnreliableMessagesWhenEmpty() {
        SharedReceiveQueue queue = queue(16);
        QueuePairLink link = link(queue, LinkOptions.DEFAULT.type(QueuePairType.UC));
        MemoryRegion source = left().memory(64);
        MemoryRegion flag = right().memory(8);
        source.memory().fill((byte) 1);
        link.left().post(link.left().request(1).send().from(source, 0, 64));
        link.left().sent(1);
        link.left().post(link.left().request(2).write(flag.remote()).from(source, 0, 8));
        link.left().sent(2);
        Deadline.await("the write behind it arrives", () -> Bytes.get(flag, 7, 1)[0] == 1);
        assertTrue(queue.post(queue.newReceiveRequest().wrId(7).into(right().memory(64), 0, 64)));
        link.left().post(link.left().request(3).send().from(source, 0, 32));
        link.left().sent(3);
        assertEquals(32, link.right().received(7).byteLength(), "the first message was dropped");
    }

    @Test
    @Rule("SRQ-6")
    void shouldDropDatagramsWhenEmpty() {
        SharedReceiveQueue queue = queue(16);
        LinkEnd left = LinkEnd.datagram(left(), LinkOptions.DEFAULT, QKEY);
        LinkEnd right = LinkEnd.datagram(right(), LinkOptions.DEFAULT, QKEY, queue);
        LinkEnd witness = right.beside(QKEY); // shows when the first has been dealt with
        AddressHandle handle = left().keep(left().pd().createAddressHandle(left().pathTo(right())));
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(256);
        witness.receive(1, target, 0, 128);
        LinkEnd[] to = {right, witness, right};
        for (int i = 0; i < to.length; i++) {
            left.post(left.request(i)
                    .send()
                    .from(source, 0, 10 + i)
                    .to(handle, to[i].qp().number(), QKEY));
            left.sent(i);
            if (i == 1) {
                witness.received(1);
                assertTrue(queue.post(queue.newReceiveRequest().wrId(7).into(target, 128, 128)));
            }
        }
        assertEquals(GRH + 12, right.received(7).byteLength(), "the first datagram was dropped");
    }

    @Test
    @Rule("MR-7")
    void shouldKeepItsDomainOpen() {
        var pd = right().otherPd();
        SharedReceiveQueue queue = pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(8));
        RefusedCall.with(Errno.EBUSY, "close a domain with a shared receive queue", pd::close);
        queue.close();
        pd.close();
    }
}
