package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Posting: accepted requests, refused requests, and full queues.
public abstract class PostingContract extends Contract {
    protected PostingContract() {}

    @Test
    @Rule("POST-1")
    void shouldRefuseReceiveInReset() {
        LinkEnd left = devices().unconnected(LinkOptions.DEFAULT).left();
        ReceiveRequest receive = left.qp().newReceiveRequest().wrId(1).empty();
        RefusedCall.with(Errno.EINVAL, "a receive in RESET", () -> left.qp().post(receive));
        left.toInit();
        assertTrue(left.qp().post(receive), "a receive in INIT");
    }

    @Test
    @Rule("POST-1")
    void shouldUseReceivesPostedBeforeReady() {
        QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT);
        link.left().toInit();
        link.right().toInit();
        MemoryRegion target = right().memory(128);
        link.right().receive(1, target, 0, 64); // in INIT
        link.left().toRtr(link.right());
        link.right().toRtr(link.left());
        link.right().receive(2, target, 64, 64); // in RTR
        link.left().toRts();
        MemoryRegion source = left().memory(64);
        for (int i = 1; i <= 2; i++) {
            Bytes.put(source, 0, Bytes.pattern(i, 64));
            link.left().post(link.left().request(10 + i).send().from(source, 0, 64));
            link.left().sent(10 + i);
            link.right().received(i);
            Bytes.assertAt(target, 64L * (i - 1), Bytes.pattern(i, 64));
        }
    }

    @Test
    @Rule({"POST-1", "ERR-1"})
    void shouldFlushRequestsPostedInError() {
        QueuePairLink link = link();
        link.left().to(QueuePairState.ERR);
        MemoryRegion mr = left().memory(64);
        link.left().post(link.left().request(2).send().from(mr, 0, 64));
        link.left().sent(2, CompletionStatus.WORK_REQUEST_FLUSHED);
        left().quirks().skipWhen(Deviation.RECEIVE_IN_ERROR_NOT_FLUSHED);
        link.left().receive(1, mr, 0, 64);
        link.left().received(1, CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    @Test
    @Rule("POST-2")
    void shouldRefuseSendBeforeReadyToSend() {
        for (QueuePairState state : List.of(QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTR)) {
            QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT);
            QueuePairStep.bring(link, state);
            SendRequest send = link.left().request(1).send().empty();
            RefusedCall.with(
                    Errno.EINVAL, "a send in " + state, () -> link.left().qp().post(send));
        }
    }

    @Test
    @Rule("POST-10")
    void shouldNotRunRefusedSendWhenReadyLater() {
        QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT);
        link.left().toInit();
        link.right().toInit();
        link.left().toRtr(link.right());
        link.right().toRtr(link.left());
        RefusedCall.with(
                Errno.EINVAL,
                "a send in RTR",
                () -> link.left().qp().post(link.left().request(1).send().empty()));
        link.left().toRts();
        link.right().receiveEmpty(5);
        link.left().post(link.left().request(2).send().empty());
        link.left().sent(2);
        link.right().received(5);
        link.left().expectNoCompletion();
        link.right().expectNoCompletion();
    }

    @Test
    @Rule("POST-5")
    void shouldRefuseRequestWithoutAnOperation() {
        QueuePairLink link = link();
        QueuePair qp = link.left().qp();
        MemoryRegion source = left().memory(8);
        SendRequest request = link.left().request(1).remote(0, 0).from(source, 0, 8);
        RdmaException refused = RefusedCall.with(Errno.EINVAL, "a request without operation", () -> qp.post(request));
        assertTrue(refused.getMessage().contains("name an operation first"), refused::getMessage);
        link.right().receiveEmpty(5);
        link.left().post(request.send().empty());
        link.left().sent(1);
        link.right().received(5);
    }

    @Test
    @Rule("POST-5")
    void shouldRefuseNull() {
        QueuePair qp = link().left().qp();
        for (RdmaException refused : List.of(
                RefusedCall.with(Errno.EINVAL, "null", () -> qp.post((SendRequest) null)),
                RefusedCall.with(Errno.EINVAL, "null", () -> qp.post((ReceiveRequest) null)))) {
            assertTrue(refused.getMessage().contains("is null"), refused::getMessage);
        }
    }

    @Test
    @Rule("POST-3")
    void shouldPostRequestsBeforeTheBadOneOfAChain() {
        QueuePairLink link = link(LinkOptions.DEFAULT.capabilities(16, 16, 4, 32));
        QueuePair qp = link.left().qp();
        int tooLong = qp.capabilities().maxInlineBytes() + 1;
        MemoryRegion source = left().memory(tooLong);
        MemoryRegion target = right().memory(4096);
        byte[] before = Bytes.all(target);
        Bytes.put(source, 0, Bytes.pattern(4, tooLong));
        List<SendRequest> chain = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            chain.add(link.left()
                    .request(i)
                    .write(target.address() + 16L * i, target.rkey())
                    .from(source, 0, 8));
        }
        chain.get(2).from(source, 0, tooLong).inline();
        BadRequestException refused = assertInstanceOf(
                BadRequestException.class,
                RefusedCall.with(Errno.EINVAL, "a chain with a bad request", () -> qp.postSends(chain)));
        assertEquals(2, refused.index());
        link.left().sent(0);
        link.left().sent(1);
        // The queue pair works on, and nothing of the rest runs.
        link.left()
                .post(link.left()
                        .request(9)
                        .write(target.address() + 1024, target.rkey())
                        .from(source, 0, 8));
        link.left().sent(9);
        link.left().expectNoCompletion();
        byte[] word = Bytes.pattern(4, tooLong);
        System.arraycopy(word, 0, before, 0, 8);
        System.arraycopy(word, 0, before, 16, 8);
        System.arraycopy(word, 0, before, 1024, 8);
        Bytes.assertUnchanged(before, target);
    }

    @Test
    @Rule("POST-3")
    void shouldTakeAsMuchOfAChainAsFits() {
        QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT.capabilities(4, 4, 1, 0));
        link.left().toInit();
        QueuePair qp = link.left().qp();
        int depth = qp.capabilities().maxReceiveRequests();
        List<ReceiveRequest> chain = new ArrayList<>();
        for (int i = 0; i < depth + 3; i++) {
            chain.add(qp.newReceiveRequest().wrId(i).empty());
        }
        assertEquals(depth, qp.postReceives(chain));
        assertEquals(0, qp.postReceives(chain.subList(depth, depth + 3)));
        link.left().to(QueuePairState.ERR);
        for (int i = 0; i < depth; i++) {
            link.left().received(i, CompletionStatus.WORK_REQUEST_FLUSHED);
        }
        link.left().expectNoCompletion();
    }

    @Test
    @Rule("POST-4")
    void shouldDeclineReceiveWhenQueueIsFull() {
        QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT.capabilities(4, 8, 1, 0));
        link.left().toInit();
        QueuePair qp = link.left().qp();
        ReceiveRequest receive = qp.newReceiveRequest().empty();
        for (int i = 0; i < qp.capabilities().maxReceiveRequests(); i++) {
            assertTrue(qp.post(receive.wrId(i)), "as many receives as the capabilities say");
        }
        assertFalse(qp.post(receive.wrId(99)), "one more receive");
    }

    @Test
    @Rule("POST-4")
    void shouldDeclineSendWhenQueueIsFullAndTakeItAfterCompletions() {
        QueuePairLink link = link(LinkOptions.DEFAULT.capabilities(8, 64, 1, 0).rnr(1, 7));
        QueuePair qp = link.left().qp();
        SendRequest send = link.left().request(0).send().empty();
        int taken = 0;
        while (taken < 1000 && qp.post(send.wrId(taken))) {
            taken++; // the peer has no receive, so nothing completes
        }
        assertEquals(qp.capabilities().maxSendRequests(), taken, "sends taken");
        for (int i = 0; i <= taken; i++) {
            link.right().receiveEmpty(100 + i);
        }
        for (int i = 0; i < taken; i++) {
            link.left().sent(i);
            link.right().received(100 + i);
        }
        assertTrue(qp.post(send.wrId(taken)), "there is room again");
        link.left().sent(taken);
        link.right().received(100 + taken);
    }

    @Test
    @Rule("POST-4")
    void shouldRefuseMoreBuffersThanTheCapability() {
        QueuePairLink link = link(LinkOptions.DEFAULT.capabilities(4, 4, 2, 0));
        QueuePair qp = link.left().qp();
        MemoryRegion mr = left().memory(4096);
        int most = qp.capabilities().maxSendScatterGather();
        RefusedCall.with(Errno.EINVAL, most + 1 + " send buffers", () -> {
            SendRequest send = link.left().request(1).send().from(mr, 0, 1);
            for (int i = 0; i < most; i++) {
                send.and(mr, i, 1);
            }
            qp.post(send);
        });
        int mostReceive = qp.capabilities().maxReceiveScatterGather();
        RefusedCall.with(Errno.EINVAL, mostReceive + 1 + " receive buffers", () -> {
            ReceiveRequest receive = qp.newReceiveRequest().into(mr, 0, 1);
            for (int i = 0; i < mostReceive; i++) {
                receive.and(mr, i, 1);
            }
            qp.post(receive);
        });
        link.left().expectNoCompletion();
        assertEquals(QueuePairState.RTS, link.left().state());
    }

    @Test
    @Rule("POST-6")
    void shouldReuseSlotsOfUnsignaledSendsWhenOnePerDepthIsSignaled() {
        QueuePairLink link = link(LinkOptions.DEFAULT.capabilities(8, 8, 1, 0));
        MemoryRegion source = left().memory(8);
        MemoryRegion target = right().memory(8);
        int depth = link.left().qp().capabilities().maxSendRequests();
        SendRequest write = link.left().request(0).write(target.remote()).from(source, 0, 8);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < depth; i++) {
                link.left().post(write.wrId(i).signaled(i == depth - 1));
            }
            link.left().sent(depth - 1);
        }
        link.left().expectNoCompletion();
    }

    @Test
    @Rule("POST-6")
    void shouldKeepTheSlotOfASignaledSendUntilItsCompletionIsPolled() {
        left().quirks().skipWhen(Deviation.SLOT_FREE_BEFORE_POLL);
        QueuePairLink link = link(LinkOptions.DEFAULT.capabilities(8, 8, 1, 0));
        MemoryRegion source = left().memory(8);
        MemoryRegion target = right().memory(8);
        int depth = link.left().qp().capabilities().maxSendRequests();
        SendRequest write =
                link.left().request(0).write(target.remote()).from(source, 0, 8).signaled();
        for (int i = 0; i < depth; i++) {
            assertTrue(link.left().qp().post(write.wrId(i)));
        }
        // Whether they are executed meanwhile makes no difference.
        assertFalse(link.left().qp().post(write.wrId(depth)), "no completion was polled");
        for (int i = 0; i < depth; i++) {
            link.left().sent(i);
        }
        assertTrue(link.left().qp().post(write.wrId(depth)));
        link.left().sent(depth);
    }

    @Test
    @Rule("POST-7")
    void shouldSkipEmptyBuffersOfAList() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(64);
        byte[] pattern = Bytes.pattern(5, 64);
        Bytes.put(source, 0, pattern);
        var receive =
                link.right().qp().newReceiveRequest().wrId(1).into(target, 0, 0).and(target, 0, 10);
        receive.and(target, 32, 0).and(target, 10, 54);
        assertTrue(link.right().qp().post(receive));
        link.left()
                .post(link.left()
                        .request(2)
                        .send()
                        .from(source, 5, 0)
                        .and(source, 0, 40)
                        .and(source, 0, 0)
                        .and(source, 40, 24));
        link.left().sent(2);
        assertEquals(64, link.right().received(1).byteLength());
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("POST-7")
    void shouldCarryOutRequestsWithoutBuffers() {
        QueuePairLink link = link();
        MemoryRegion target = right().memory(64);
        byte[] before = Bytes.all(target);
        link.right().receive(1, target, 0, 64);
        link.right().receiveEmpty(2);
        link.left().post(link.left().request(3).send().empty());
        link.left().post(link.left().request(4).write(target.remote()).empty());
        link.left().post(link.left().request(5).read(target.remote()).empty());
        link.left().post(link.left().request(6).writeWithImmediate(0, 0, 77).empty());
        for (int id = 3; id <= 6; id++) {
            link.left().sent(id);
        }
        assertEquals(0, link.right().received(1).byteLength());
        assertEquals(77, link.right().received(2).immediate());
        Bytes.assertUnchanged(before, target);
    }
}
