package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import org.junit.jupiter.api.Test;

/// Closing: parents wait for their children, twice is fine, and nothing comes after.
public abstract class CloseContract extends Contract {
    protected CloseContract() {}

    private Context open() {
        return devices().pairing().openLeft();
    }

    @Test
    @Rule("CLOSE-1")
    void shouldRefuseToCloseContextWhenChildrenLive() {
        try (Context context = open()) {
            try (ProtectionDomain pd = context.allocateProtectionDomain()) {
                RefusedCall.with(Errno.EBUSY, "a context with " + pd, context::close);
            }
            try (CompletionChannel channel = context.createCompletionChannel()) {
                RefusedCall.with(Errno.EBUSY, "a context with " + channel, context::close);
            }
            try (CompletionQueue cq = context.createCompletionQueue(8)) {
                RefusedCall.with(Errno.EBUSY, "a context with " + cq, context::close);
            }
        }
    }

    @Test
    @Rule("MR-7")
    void shouldRefuseToCloseProtectionDomainWhenInUse() {
        ProtectionDomain pd = left().otherPd();
        MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE);
        RefusedCall.with(Errno.EBUSY, "a domain with a region", pd::close);
        region.close();
        QueuePair qp = pd.createQueuePair(QueuePairOptions.rc(left().completionQueue(8)));
        RefusedCall.with(Errno.EBUSY, "a domain with a queue pair", pd::close);
        qp.close();
        pd.close();
    }

    @Test
    @Rule("CQ-12")
    void shouldRefuseToCloseCompletionQueueWhenInUse() {
        CompletionQueue sends = left().completionQueue(8);
        CompletionQueue receives = left().completionQueue(8);
        QueuePair qp = left().queuePair(QueuePairOptions.of(QueuePairType.RC, sends, receives));
        RefusedCall.with(Errno.EBUSY, "the queue of sends", sends::close);
        RefusedCall.with(Errno.EBUSY, "the queue of receives", receives::close);
        qp.close();
        sends.close();
        receives.close();
    }

    @Test
    @Rule("CQ-12")
    void shouldCloseCompletionQueueOnlyAfterTheLastQueuePair() {
        CompletionQueue cq = left().completionQueue(8);
        QueuePair first = left().queuePair(QueuePairOptions.rc(cq));
        QueuePair second = left().queuePair(QueuePairOptions.rc(cq));
        first.close();
        RefusedCall.with(Errno.EBUSY, "a queue with one queue pair left", cq::close);
        second.close();
        cq.close();
    }

    @Test
    @Rule("EV-7")
    void shouldRefuseToCloseChannelWhenQueuesUseIt() {
        CompletionChannel channel = left().completionChannel();
        CompletionQueue cq = left().completionQueue(8, channel);
        RefusedCall.with(Errno.EBUSY, "a channel with a queue", channel::close);
        cq.close();
        channel.close();
    }

    @Test
    @Rule("CLOSE-2")
    void shouldAllowClosingTwice() {
        Context context = open();
        ProtectionDomain pd = context.allocateProtectionDomain();
        MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE);
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCompletionQueue(8, channel);
        QueuePair qp = pd.createQueuePair(QueuePairOptions.rc(cq));
        for (AutoCloseable resource : new AutoCloseable[] {qp, cq, channel, region, pd, context}) {
            closeTwice(resource);
        }
    }

    private static void closeTwice(AutoCloseable resource) {
        try {
            resource.close();
            resource.close();
        } catch (Exception e) {
            throw new AssertionError("closing twice: " + resource, e);
        }
    }

    @Test
    @Rule("CLOSE-3")
    void shouldCloseEverythingNewestFirstWhenAsked() {
        Context context = open();
        ProtectionDomain pd = context.allocateProtectionDomain();
        pd.allocate(64, Access.LOCAL_WRITE);
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue cq = context.createCompletionQueue(8, channel);
        pd.createQueuePair(QueuePairOptions.rc(cq));
        context.closeAll();
        context.closeAll();
        context.close();
        assertThrows(RdmaException.class, context::allocateProtectionDomain);
    }

    @Test
    @Rule("CLOSE-3")
    void shouldOpenTheSameDeviceSeveralTimes() {
        try (Context first = open();
                Context second = open();
                ProtectionDomain pd = second.allocateProtectionDomain()) {
            assertEquals(first.device().name(), pd.context().device().name());
        }
    }

    @Test
    @Rule("CLOSE-4")
    void shouldDropQueuedRequestsWhenQueuePairIsClosed() {
        QueuePairLink link = link(LinkOptions.DEFAULT.rnr(14, 7));
        MemoryRegion mr = left().memory(64);
        link.left().receive(1, mr, 0, 64);
        link.left().post(link.left().request(2).send().from(mr, 0, 64)); // the peer has no receive
        CompletionQueue sends = link.left().sendCq();
        CompletionQueue receives = link.left().receiveCq();
        link.left().qp().close();
        assertEquals(0, sends.poll(c -> {}, 8));
        assertEquals(0, receives.poll(c -> {}, 8));
        sends.close();
        receives.close();
    }

    @Test
    @Rule("CLOSE-4")
    void shouldRefuseToWorkWhenClosed() {
        QueuePairLink link = link();
        QueuePair qp = link.left().qp();
        var request = link.left().request(1).send().empty();
        qp.close();
        RefusedCall.with(Errno.EBADF, "a send on a closed queue pair", () -> qp.post(request));
        RefusedCall.with(Errno.EBADF, "a receive on a closed queue pair", () -> qp.post(qp.newReceiveRequest()));
        CompletionQueue cq = link.left().sendCq();
        cq.close();
        assertThrows(RdmaException.class, () -> cq.poll(c -> {}, 1));
    }

    @Test
    @Rule("CLOSE-4")
    void shouldRefuseReceivesWhenTheSharedQueueIsClosed() {
        SharedReceiveQueue queue = left().pd().createSharedReceiveQueue(SharedReceiveQueueOptions.of(8));
        ReceiveRequest receive = queue.newReceiveRequest().empty();
        queue.close();
        RefusedCall.with(Errno.EBADF, "a receive on a closed queue", () -> queue.post(receive));
    }

    @Test
    @Rule({"CLOSE-4", "REL-1"})
    void shouldFailPeerWhenQueuePairIsClosed() {
        QueuePairLink link = link(LinkOptions.DEFAULT.retries(8, 2));
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(64);
        var remote = target.remote();
        link.right().qp().close();
        link.left().post(link.left().request(1).write(remote).from(source, 0, 64));
        link.left().sent(1, CompletionStatus.RETRY_EXCEEDED);
    }

    @Test
    @Rule("CLOSE-2")
    void shouldCloseLinkUnderTraffic() {
        for (int round = 0; round < 10; round++) {
            QueuePairLink link = link(LinkOptions.DEFAULT.retries(8, 1));
            MemoryRegion source = left().memory(1 << 16);
            MemoryRegion target = right().memory(1 << 16);
            for (int i = 0; i < 8; i++) {
                link.left().post(link.left().request(i).write(target.remote()).from(source, 0, 1 << 16));
            }
            (round % 2 == 0 ? link.left() : link.right()).qp().close();
            source.close();
            target.close();
            (round % 2 == 0 ? link.right() : link.left()).qp().close();
        }
        assertTrue(true, "closed in any order");
    }
}
