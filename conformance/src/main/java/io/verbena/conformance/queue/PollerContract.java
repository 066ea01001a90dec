package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.BlockedCall;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Poller;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Waiting on several channels at once, and being woken while waiting.
public abstract class PollerContract extends Contract {
    protected PollerContract() {}

    private QueuePairLink onChannel(CompletionChannel channel) {
        LinkOptions options = LinkOptions.DEFAULT;
        QueuePairLink link = new QueuePairLink(
                LinkEnd.withChannels(left(), options, 1, null, null),
                LinkEnd.withChannels(right(), options, 2, null, channel),
                options);
        link.connect();
        link.right().receiveEmpty(1);
        link.right().receiveCq().arm();
        return link;
    }

    @Test
    @Rule("EV-8")
    void shouldReturnZeroWhenNothingIsReadyInTime() {
        try (Poller poller = Poller.of(right().completionChannel(), right().completionChannel())) {
            assertEquals(0, poller.await(Duration.ZERO));
            assertEquals(0, poller.await(Duration.ofMillis(5)));
        }
    }

    @Test
    @Rule("EV-8")
    void shouldTellWhichChannelIsReady() {
        CompletionChannel first = right().completionChannel();
        CompletionChannel second = right().completionChannel();
        QueuePairLink one = onChannel(first);
        QueuePairLink two = onChannel(second);
        try (Poller poller = Poller.of(first, second, right().context().asyncEvents())) {
            two.left().post(two.left().request(1).send().empty());
            assertEquals(1, poller.await(Deadline.PATIENCE));
            assertTrue(second.isReady());
            assertFalse(first.isReady());
            one.left().post(one.left().request(1).send().empty());
            Deadline.await("both ready", () -> poller.await(Deadline.PATIENCE) == 2);
            assertSame(one.right().receiveCq(), first.tryTake());
            assertSame(two.right().receiveCq(), second.tryTake());
            assertEquals(0, poller.await(Duration.ZERO));
        }
    }

    @Test
    @Rule("EV-8")
    void shouldForgetRemovedChannels() {
        CompletionChannel first = right().completionChannel();
        CompletionChannel second = right().completionChannel();
        QueuePairLink one = onChannel(first);
        try (Poller poller = Poller.of(first, second)) {
            poller.remove(first);
            one.left().post(one.left().request(1).send().empty());
            Deadline.await("ready", first::isReady);
            assertEquals(0, poller.await(Duration.ZERO));
            poller.add(first);
            assertEquals(1, poller.await(Deadline.PATIENCE));
        }
        assertNotNull(first.tryTake());
        assertNull(second.tryTake());
    }

    @Test
    @Rule("EV-8")
    void shouldWakeWaiterWhenChannelIsClosed() {
        CompletionChannel channel = right().completionChannel();
        BlockedCall waiter = BlockedCall.in("channel await", () -> channel.await(Deadline.PATIENCE.multipliedBy(2)));
        channel.close();
        waiter.expectErrno(Errno.EBADF);
    }

    @Test
    @Rule("EV-8")
    void shouldWakeWaiterWhenInterrupted() {
        CompletionChannel channel = right().completionChannel();
        BlockedCall waiter = BlockedCall.in("channel await", () -> channel.await(Deadline.PATIENCE.multipliedBy(2)));
        waiter.interrupt();
        waiter.expectErrno(Errno.EINTR);
    }

    @Test
    @Rule("EV-8")
    void shouldWakePollerWhenClosed() {
        Poller poller = Poller.of(right().completionChannel());
        BlockedCall waiter = BlockedCall.in("poller await", () -> poller.await(Deadline.PATIENCE.multipliedBy(2)));
        poller.close();
        waiter.expectErrno(Errno.EBADF);
    }

    @Test
    @Rule("EV-8")
    void shouldWakePollerWhenInterrupted() {
        try (Poller poller = Poller.of(right().completionChannel())) {
            BlockedCall waiter = BlockedCall.in("poller await", () -> poller.await(Deadline.PATIENCE.multipliedBy(2)));
            waiter.interrupt();
            waiter.expectErrno(Errno.EINTR);
        }
    }

    @Test
    @Rule("EV-8")
    void shouldWakeWaiterWhenEventComes() {
        CompletionChannel channel = right().completionChannel();
        QueuePairLink link = onChannel(channel);
        BlockedCall waiter = BlockedCall.in(
                "channel await",
                () -> assertSame(link.right().receiveCq(), channel.await(Deadline.PATIENCE.multipliedBy(2))));
        link.left().post(link.left().request(1).send().empty());
        waiter.expectReturn();
    }
}
