package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// The state SQD. A WRITE with immediate of several packets, for which the peer has no receive yet, is a message that
/// has certainly started (its first bytes are in the peer's memory) and certainly not ended.
public abstract class SendQueueDrainContract extends Contract {
    private static final int LENGTH = 3 * 1024;

    protected SendQueueDrainContract() {}

    private MemoryRegion startMessage(QueuePairLink link) {
        MemoryRegion source = left().memory(LENGTH);
        MemoryRegion target = right().memory(LENGTH);
        source.memory().fill((byte) 7);
        link.left()
                .post(link.left()
                        .request(1)
                        .writeWithImmediate(target.address(), target.rkey(), 5)
                        .from(source, 0, LENGTH));
        Deadline.await("first packet placed", () -> target.memory().get(ValueLayout.JAVA_BYTE, 0) == 7);
        return target;
    }

    private QueuePairLink patient() {
        return link(LinkOptions.DEFAULT.rnr(14, 7));
    }

    @Test
    @Rule("QP-4")
    void shouldRefuseToLeaveSqdWhenStillDraining() {
        left().quirks().skipWhen(Deviation.LEAVES_SQD_WHILE_DRAINING); // not each time
        QueuePairLink link = patient();
        startMessage(link);
        link.left().to(QueuePairState.SQD);
        assertTrue(link.left().qp().query().sendQueueDraining(), "draining while a message is under way");
        RefusedCall.with(
                Errno.EINVAL, "SQD to RTS while draining", () -> link.left().to(QueuePairState.RTS));
        link.left().to(QueuePairState.ERR);
        link.left().sent(1, CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    @Test
    @Rule("QP-5")
    void shouldFinishStartedMessageAndTellWhenDrained() {
        left().quirks().skipWhen(Deviation.SQD_DOES_NOT_DRAIN);
        QueuePairLink link = patient();
        MemoryRegion target = startMessage(link);
        link.left().qp().modify(QueuePairChange.to(QueuePairState.SQD).sqdNotify(true));
        link.right().receiveEmpty(11);
        link.right().received(11);
        link.left().sent(1);
        assertEquals((byte) 7, target.memory().get(ValueLayout.JAVA_BYTE, LENGTH - 1));
        AsyncEvent event = left().context().asyncEvents().await(Deadline.PATIENCE);
        assertNotNull(event, "an event when the queue is drained");
        assertEquals(AsyncEventType.SEND_QUEUE_DRAINED, event.type());
        assertSame(link.left().qp(), event.source());
        assertFalse(link.left().qp().query().sendQueueDraining());
    }

    @Test
    @Rule("QP-15")
    void shouldHoldRequestsPostedInSqdUntilRts() {
        QueuePairLink link = link();
        link.left().drain();
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(64);
        byte[] pattern = Bytes.pattern(2, 64);
        Bytes.put(source, 0, pattern);
        byte[] before = Bytes.all(target);
        link.left().post(link.left().request(1).write(target.remote()).from(source, 0, 64));

        // Traffic the other way goes on meanwhile.
        for (int i = 0; i < 10; i++) {
            link.left().receiveEmpty(20 + i);
            link.right().post(link.right().request(30 + i).send().empty());
            link.left().received(20 + i);
            link.right().sent(30 + i);
        }
        link.left().expectNoCompletion();
        Bytes.assertUnchanged(before, target);

        link.left().to(QueuePairState.RTS);
        if (left().quirks().has(Deviation.RTS_AFTER_SQD_STARTS_NOTHING)) {
            link.left().post(link.left().request(2).write(target.remote()).from(source, 0, 64));
        }
        link.left().sent(1);
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("QP-5")
    void shouldCarryOnAfterSqd() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(64);
        for (int round = 0; round < 5; round++) {
            Bytes.put(source, 0, Bytes.pattern(round, 64));
            link.left().post(link.left().request(round).write(target.remote()).from(source, 0, 64));
            link.left().sent(round);
            Bytes.assertAt(target, 0, Bytes.pattern(round, 64));
            link.left().drain();
            link.left().to(QueuePairState.RTS);
        }
    }
}
