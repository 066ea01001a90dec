package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Events of armed completion queues. That no event comes is seen after the completion was polled: from then on one
/// could only come late, and the queue stays armed for the next.
public abstract class NotificationContract extends Contract {
    protected NotificationContract() {}

    private record Notified(QueuePairLink link, CompletionChannel sends, CompletionChannel receives) {
        LinkEnd left() {
            return link.left();
        }

        LinkEnd right() {
            return link.right();
        }

        CompletionQueue sendCq() {
            return link.left().sendCq();
        }

        CompletionQueue receiveCq() {
            return link.right().receiveCq();
        }
    }

    /// Sends of the left and receives of the right have a channel.
    private Notified notified(LinkOptions options) {
        CompletionChannel sends = left().completionChannel();
        CompletionChannel receives = right().completionChannel();
        QueuePairLink link = new QueuePairLink(
                LinkEnd.withChannels(left(), options, 1, sends, null),
                LinkEnd.withChannels(right(), options, 2, null, receives),
                options);
        link.connect();
        return new Notified(link, sends, receives);
    }

    private Notified notified() {
        return notified(LinkOptions.DEFAULT);
    }

    private static void exchange(Notified n, long id, boolean solicited) {
        n.right().receiveEmpty(id);
        n.left().post(n.left().request(id).send().empty().solicited(solicited));
    }

    @Test
    @Rule({"EV-1", "EV-5"})
    void shouldFireOnceWhenCompletionIsAdded() {
        Notified n = notified();
        n.receiveCq().arm();
        exchange(n, 1, false);
        assertSame(n.receiveCq(), n.receives().await(Deadline.PATIENCE));
        n.right().received(1);
        exchange(n, 2, false); // not armed any more
        n.right().received(2);
        assertNull(n.receives().tryTake(), "one event for one arm");
        n.left().sent(1);
        n.left().sent(2);
    }

    @Test
    @Rule("EV-1")
    void shouldNotFireForCompletionsAlreadyThere() {
        Notified n = notified();
        n.receiveCq().arm();
        exchange(n, 1, false);
        assertSame(n.receiveCq(), n.receives().await(Deadline.PATIENCE));
        n.receiveCq().arm(); // the first completion is there and stays
        assertNull(n.receives().tryTake());
        exchange(n, 2, false);
        assertSame(n.receiveCq(), n.receives().await(Deadline.PATIENCE));
        n.right().received(1);
        n.right().received(2);
    }

    @Test
    @Rule("EV-1")
    void shouldNotFireWhenNeverArmed() {
        Notified n = notified();
        exchange(n, 1, true);
        n.right().received(1);
        n.left().sent(1);
        assertNull(n.receives().tryTake());
        assertNull(n.sends().tryTake());
    }

    @Test
    @Rule("EV-2")
    void shouldFireEvenWhenCompletionWasPolledMeanwhile() {
        Notified n = notified();
        n.receiveCq().arm();
        exchange(n, 1, false);
        n.right().received(1);
        assertSame(n.receiveCq(), n.receives().await(Deadline.PATIENCE), "the extra event");
        n.right().expectNoCompletion();
    }

    @Test
    @Rule("EV-2")
    void shouldMissNothingWhenArmedThenPolledThenAwaited() {
        Notified n = notified();
        int total = 500;
        Thread sender = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < total; i++) {
                int id = i;
                Deadline.await(
                        "room for a send",
                        () -> n.left()
                                .qp()
                                .post(n.left().request(id).send().empty().signaled(id % 8 == 7)));
                n.sendCq().poll(c -> {}, 64);
            }
        });
        int[] seen = {0};
        int posted = 0;
        while (posted < 32) {
            n.right().receiveEmpty(posted++);
        }
        while (seen[0] < total) {
            n.receiveCq().arm();
            int before = seen[0];
            while (n.receiveCq().poll(c -> seen[0]++, 8) > 0) {
                Thread.onSpinWait();
            }
            for (; posted < seen[0] + 32; posted++) {
                n.right().receiveEmpty(posted);
            }
            if (seen[0] == before) {
                assertSame(n.receiveCq(), n.receives().await(Deadline.PATIENCE), "an event for message " + seen[0]);
            }
        }
        Deadline.await("sender ended", () -> !sender.isAlive());
        assertEquals(total, seen[0]);
    }

    @Test
    @Rule("EV-3")
    void shouldFireForSolicitedReceivesOnlyWhenAskedSo() {
        Notified n = notified();
        n.receiveCq().arm(true);
        exchange(n, 1, false);
        n.right().received(1);
        assertNull(n.receives().tryTake(), "the sender did not ask");
        exchange(n, 2, true);
        assertSame(n.receiveCq(), n.receives().await(Deadline.PATIENCE));
        n.right().received(2);
    }

    @Test
    @Rule("EV-3")
    void shouldFireForSolicitedWriteWithImmediateOfManyPackets() {
        Notified n = notified();
        MemoryRegion source = left().memory(5000);
        MemoryRegion target = right().memory(5000);
        n.receiveCq().arm(true);
        n.right().receiveEmpty(1);
        n.left()
                .post(n.left()
                        .request(1)
                        .writeWithImmediate(target.address(), target.rkey(), 1)
                        .from(source, 0, 5000)
                        .solicited());
        assertSame(n.receiveCq(), n.receives().await(Deadline.PATIENCE));
        n.right().received(1);
    }

    @Test
    @Rule("EV-3")
    void shouldNotFireForSuccessfulSendsWhenSolicitedOnly() {
        Notified n = notified();
        n.sendCq().arm(true);
        exchange(n, 1, true);
        n.left().sent(1);
        assertNull(n.sends().tryTake());
        n.right().received(1);
    }

    @Test
    @Rule("EV-3")
    void shouldFireForFlushedReceiveWhenSolicitedOnly() {
        right().quirks().unlessKnown(Deviation.FLUSHED_RECEIVES_NOT_SOLICITED, () -> {
            Notified n = notified();
            n.right().receiveEmpty(1);
            n.receiveCq().arm(true);
            n.right().to(QueuePairState.ERR);
            assertSame(
                    n.receiveCq(),
                    n.receives().await(right().quirks().patience(Deviation.FLUSHED_RECEIVES_NOT_SOLICITED)));
            n.right().received(1, CompletionStatus.WORK_REQUEST_FLUSHED);
        });
    }

    @Test
    @Rule("EV-3")
    void shouldFireForFailedSendWhenSolicitedOnly() {
        left().quirks().unlessKnown(Deviation.SEND_ERRORS_NOT_SOLICITED, () -> {
            Notified n = notified(LinkOptions.DEFAULT.rnr(1, 0));
            n.sendCq().arm(true);
            n.left().post(n.left().request(1).send().empty());
            assertSame(n.sendCq(), n.sends().await(left().quirks().patience(Deviation.SEND_ERRORS_NOT_SOLICITED)));
            n.left().sent(1, CompletionStatus.RNR_RETRY_EXCEEDED);
        });
    }

    @Test
    @Rule("EV-4")
    void shouldStayArmedForAnyWhenArmedForSolicitedLater() {
        Notified n = notified();
        n.receiveCq().arm(false);
        n.receiveCq().arm(true);
        exchange(n, 1, false);
        assertSame(n.receiveCq(), n.receives().await(Deadline.PATIENCE));
        n.right().received(1);
    }

    @Test
    @Rule("EV-5")
    void shouldNameTheQueueThatFiredWhenSeveralShareAChannel() {
        CompletionChannel channel = right().completionChannel();
        LinkOptions options = LinkOptions.DEFAULT;
        QueuePairLink first = new QueuePairLink(
                LinkEnd.withChannels(left(), options, 1, null, null),
                LinkEnd.withChannels(right(), options, 2, null, channel),
                options);
        QueuePairLink second = new QueuePairLink(
                LinkEnd.withChannels(left(), options, 3, null, null),
                LinkEnd.withChannels(right(), options, 4, null, channel),
                options);
        for (QueuePairLink link : new QueuePairLink[] {first, second}) {
            link.connect();
            link.right().receiveEmpty(1);
            link.right().receiveCq().arm();
            assertSame(channel, link.right().receiveCq().channel());
        }
        for (QueuePairLink link : new QueuePairLink[] {second, first}) {
            link.left().post(link.left().request(1).send().empty());
            assertSame(link.right().receiveCq(), channel.await(Deadline.PATIENCE));
        }
        assertNull(channel.tryTake());
    }

    @Test
    @Rule("EV-8")
    void shouldReturnNullWhenNothingComesInTime() {
        Notified n = notified();
        n.receiveCq().arm();
        assertFalse(n.receives().isReady());
        assertNull(n.receives().tryTake());
        assertNull(n.receives().await(Duration.ofMillis(5)));
        exchange(n, 1, false);
        Deadline.await("ready", () -> n.receives().isReady());
        assertTrue(n.receives().isReady(), "looking does not take");
        assertSame(n.receiveCq(), n.receives().tryTake());
        assertFalse(n.receives().isReady());
    }
}
