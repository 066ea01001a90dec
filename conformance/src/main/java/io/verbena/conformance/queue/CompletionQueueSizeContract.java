package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.QueuePairState;
import org.junit.jupiter.api.Test;

/// How many completions a queue holds, how that changes, and what happens when there is one more.
public abstract class CompletionQueueSizeContract extends Contract {
    protected CompletionQueueSizeContract() {}

    /// A link whose left side reports sends, and whose right side reports receives, to queues of that size.
    private QueuePairLink small(int entries) {
        LinkOptions options = LinkOptions.DEFAULT;
        LinkEnd left =
                LinkEnd.withQueues(left(), options, 1, left().completionQueue(entries), left().completionQueue(256));
        LinkEnd right =
                LinkEnd.withQueues(right(), options, 2, right().completionQueue(256), right().completionQueue(entries));
        QueuePairLink link = new QueuePairLink(left, right, options);
        link.connect();
        return link;
    }

    /// Another link, with the completion queue of each side that the given one does not fill. Where completion queues
    /// are served by different parts of a device, both links are served by the same.
    private QueuePairLink beside(QueuePairLink link) {
        CompletionQueue ofLeft = link.left().receiveCq();
        CompletionQueue ofRight = link.right().sendCq();
        QueuePairLink other = new QueuePairLink(
                LinkEnd.withQueues(left(), link.options(), 3, ofLeft, ofLeft),
                LinkEnd.withQueues(right(), link.options(), 4, ofRight, ofRight),
                link.options());
        other.connect();
        return other;
    }

    /// Sends empty messages; the right side's receives show when they are done.
    private static void send(QueuePairLink link, long from, long to) {
        for (long i = from; i < to; i++) {
            link.right().receiveEmpty(i);
            link.left().post(link.left().request(i).send().empty());
            link.right().received(i);
        }
    }

    private void expectOverflow(TestDevice side, CompletionQueue queue) {
        AsyncEvent event = side.context().asyncEvents().await(Deadline.PATIENCE);
        assertNotNull(event, "an event when a completion is lost");
        assertEquals(AsyncEventType.CQ_ERROR, event.type());
        assertSame(queue, event.source());
    }

    @Test
    @Rule("CQ-11")
    void shouldKeepWhatIsUnpolledWhenResized() {
        QueuePairLink link = small(32);
        CompletionQueue queue = link.left().sendCq();
        send(link, 0, 10);
        queue.resize(100);
        assertTrue(queue.capacity() >= 100, () -> "capacity " + queue.capacity());
        send(link, 10, 20);
        for (int i = 0; i < 5; i++) {
            link.left().sent(i);
        }
        queue.resize(15);
        assertTrue(queue.capacity() >= 15, () -> "capacity " + queue.capacity());
        for (int i = 5; i < 20; i++) {
            link.left().sent(i);
        }
        link.left().expectNoCompletion();
    }

    @Test
    @Rule("CQ-11")
    void shouldRefuseToShrinkBelowWhatIsUnpolled() {
        QueuePairLink link = small(64);
        CompletionQueue queue = link.left().sendCq();
        send(link, 0, 40);
        // A later answer on another connection shows that all answers have arrived.
        QueuePairLink other = beside(link);
        send(other, 0, 1);
        other.left().sent(0);
        int before = queue.capacity();
        for (int entries : new int[] {1, 10, 30}) {
            RefusedCall.with(Errno.EINVAL, entries + " entries for 40 completions", () -> queue.resize(entries));
        }
        assertEquals(before, queue.capacity());
        for (int i = 0; i < 40; i++) {
            link.left().sent(i);
        }
    }

    @Test
    @Rule("CQ-11")
    void shouldRefuseToGrowBeyondTheDevice() {
        CompletionQueue queue = left().completionQueue(16);
        int most = left().context().attributes().maxCompletionEntries();
        for (int entries : new int[] {-1, 0, most + 1}) {
            RefusedCall.with(Errno.EINVAL, entries + " entries", () -> queue.resize(entries));
        }
        queue.resize(most);
        assertEquals(most, queue.capacity(), "no more than the device says");
    }

    @Test
    @Rule("CQ-11")
    void shouldLoseNothingWhenResizedUnderTraffic() {
        QueuePairLink link = small(64);
        CompletionQueue queue = link.left().sendCq();
        int[] sizes = {200, 50, 128, 64, 1000, 60};
        long next = 0;
        for (int size : sizes) {
            for (int i = 0; i < 20; i++) {
                link.right().receiveEmpty(i);
                link.left().post(link.left().request(next + i).send().empty());
            }
            queue.resize(size);
            for (int i = 0; i < 20; i++) {
                link.left().sent(next + i);
                link.right().received(i);
            }
            next += 20;
        }
    }

    @Test
    @Rule({"CQ-10", "EV-9"})
    void shouldTellWhenASendFindsNoRoom() {
        QueuePairLink link = small(1);
        CompletionQueue queue = link.left().sendCq();
        int room = queue.capacity();
        for (int i = 0; i <= room; i++) {
            link.left().post(link.left().request(i).write(0, 0).empty());
        }
        expectOverflow(left(), queue);
    }

    @Test
    @Rule({"CQ-10", "CQ-14"})
    void shouldFailTheQueuePairWhenAReceiveFindsNoRoom() {
        QueuePairLink link = small(1);
        CompletionQueue queue = link.right().receiveCq();
        int room = queue.capacity();
        for (int i = 0; i <= room; i++) {
            link.right().receiveEmpty(i);
            link.left().post(link.left().request(i).send().empty().unsignaled());
        }
        expectOverflow(right(), queue);
        link.right().awaitState(QueuePairState.ERR);
    }

    @Test
    @Rule("CQ-10")
    void shouldNotDisturbOtherQueues() {
        QueuePairLink broken = small(1);
        QueuePairLink other = link();
        int room = broken.left().sendCq().capacity();
        for (int i = 0; i <= room; i++) {
            broken.left().post(broken.left().request(i).write(0, 0).empty());
        }
        expectOverflow(left(), broken.left().sendCq());
        for (int i = 0; i < 10; i++) {
            other.right().receiveEmpty(i);
            other.left().post(other.left().request(i).send().empty());
            other.left().sent(i);
            other.right().received(i);
        }
    }
}
