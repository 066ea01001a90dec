package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.Violation;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import org.junit.jupiter.api.Test;

/// Unreliable queue pairs whose own requests are wrong: sending stops, receiving goes on.
public abstract class UnreliableErrorContract extends Contract {
    private static final int GRH = 40;
    private static final int BYTES = 64;

    protected UnreliableErrorContract() {}

    /// A link of two datagram queue pairs or an unreliable connection, with the address handles of both directions.
    private record AddressedLink(QueuePairLink link, AddressHandle there, AddressHandle back) {
        SendRequest address(SendRequest request, boolean fromLeft) {
            return there == null
                    ? request
                    : request.to(
                            fromLeft ? there : back,
                            (fromLeft ? link.right() : link.left()).qp().number(),
                            LinkEnd.QKEY);
        }
    }

    private AddressedLink addressed(QueuePairType type) {
        QueuePairLink link = link(LinkOptions.DEFAULT.type(type));
        return type == QueuePairType.UC
                ? new AddressedLink(link, null, null)
                : new AddressedLink(
                        link,
                        left().keep(left().pd().createAddressHandle(left().pathTo(right()))),
                        right().keep(right().pd().createAddressHandle(right().pathTo(left()))));
    }

    /// Sends from the left with a key that nobody has, and one more behind it.
    private void fail(AddressedLink addressed, MemoryRegion source) {
        LinkEnd left = addressed.link().left();
        left.post(addressed.address(
                left.request(1).send().fromAddress(source.address(), BYTES, source.lkey() ^ 0x7F_FF00), true));
        WorkCompletion first = left.sent();
        assertEquals(1, first.wrId());
        assertTrue(
                left().quirks().acceptsRequester(Violation.SEND_BUFFER_KEY, first.status()),
                () -> "ended with " + first.status().explain());
    }

    private QueuePairState after() {
        return left().quirks().has(Deviation.NO_SEND_QUEUE_ERROR) ? QueuePairState.ERR : QueuePairState.SQE;
    }

    private void expectStopped(QueuePairType type) {
        AddressedLink addressed = addressed(type);
        LinkEnd left = addressed.link().left();
        LinkEnd right = addressed.link().right();
        MemoryRegion source = left().memory(BYTES);
        right.receive(9, right().memory(GRH + BYTES), 0, GRH + BYTES);
        fail(addressed, source);
        left.awaitState(after());
        left.post(addressed.address(left.request(2).send().from(source, 0, BYTES), true));
        left.sent(2, CompletionStatus.WORK_REQUEST_FLUSHED);
        right.expectNoCompletion();
        assertEquals(QueuePairState.RTS, right.state(), "the peer does not notice");
    }

    @Test
    @Rule({"ERR-5", "TAB-4", "CQ-1"})
    void shouldStopSendingDatagramsAfterOneThatFailed() {
        expectStopped(QueuePairType.UD);
    }

    @Test
    @Rule({"ERR-5", "TAB-4", "CQ-1"})
    void shouldStopSendingOnAConnectionAfterARequestThatFailed() {
        expectStopped(QueuePairType.UC);
    }

    private void expectReceivingAndBack(QueuePairType type) {
        left().quirks().skipWhen(Deviation.NO_SEND_QUEUE_ERROR);
        AddressedLink addressed = addressed(type);
        LinkEnd left = addressed.link().left();
        LinkEnd right = addressed.link().right();
        MemoryRegion source = left().memory(BYTES);
        MemoryRegion inbox = left().memory(GRH + BYTES);
        MemoryRegion target = right().memory(GRH + BYTES);
        fail(addressed, source);
        left.awaitState(QueuePairState.SQE);
        left.receive(5, inbox, 0, GRH + BYTES);
        right.post(addressed.address(right.request(6).send().from(target, 0, BYTES), false));
        right.sent(6);
        left.received(5);
        left.to(QueuePairState.RTS);
        byte[] pattern = Bytes.pattern(1, BYTES);
        Bytes.put(source, 0, pattern);
        right.receive(7, target, 0, GRH + BYTES);
        left.post(addressed.address(left.request(8).send().from(source, 0, BYTES), true));
        left.sent(8);
        right.received(7);
        Bytes.assertAt(target, type == QueuePairType.UD ? GRH : 0, pattern);
    }

    @Test
    @Rule({"ERR-5", "QP-1"})
    void shouldReceiveDatagramsMeanwhileAndSendAgainOnceReady() {
        expectReceivingAndBack(QueuePairType.UD);
    }

    @Test
    @Rule({"ERR-5", "QP-1"})
    void shouldReceiveOnAConnectionMeanwhileAndSendAgainOnceReady() {
        expectReceivingAndBack(QueuePairType.UC);
    }
}
