package io.verbena.conformance.bench;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// One queue pair of a [QueuePairLink] with completion queues of its own for sends and for receives, so that the
/// completions of each are seen in order.
public final class LinkEnd {
    /// The queue key of datagram queue pairs that are brought up step by step.
    public static final int QKEY = 0x1111_1111;

    private final TestDevice side;
    private final QueuePair qp;
    private final LinkOptions options;
    private final int psn;

    private LinkEnd(TestDevice side, QueuePair qp, LinkOptions options, int psn) {
        this.side = side;
        this.qp = qp;
        this.options = options;
        this.psn = psn;
    }

    static LinkEnd create(TestDevice side, LinkOptions options, int psn) {
        return withChannels(side, options, psn, null, null);
    }

    /// With channels for the two completion queues; null for none.
    public static LinkEnd withChannels(
            TestDevice side, LinkOptions options, int psn, CompletionChannel sends, CompletionChannel receives) {
        return withQueues(
                side,
                options,
                psn,
                side.completionQueue(options.completionEntries(), sends),
                side.completionQueue(options.completionEntries(), receives));
    }

    /// With these completion queues.
    public static LinkEnd withQueues(
            TestDevice side, LinkOptions options, int psn, CompletionQueue sends, CompletionQueue receives) {
        return of(side, options, psn, QueuePairOptions.of(options.type(), sends, receives));
    }

    /// With a shared receive queue.
    public static LinkEnd withSharedReceiveQueue(
            TestDevice side, LinkOptions options, int psn, SharedReceiveQueue queue) {
        CompletionQueue sends = side.completionQueue(options.completionEntries());
        CompletionQueue receives = side.completionQueue(options.completionEntries());
        return of(
                side,
                options,
                psn,
                QueuePairOptions.of(options.type(), sends, receives).sharedReceiveQueue(queue));
    }

    /// A datagram queue pair that is ready to send; the link's options give its size only.
    public static LinkEnd datagram(TestDevice side, LinkOptions options, int qkey) {
        LinkEnd end = create(side, options.type(QueuePairType.UD), 0);
        end.readyForDatagrams(qkey);
        return end;
    }

    /// Another datagram queue pair with the same completion queues. Datagrams to both are dealt with in the order of
    /// their arrival; with completion queues of their own they need not be.
    public LinkEnd beside(int qkey) {
        LinkEnd end = withQueues(side, options.type(QueuePairType.UD), 0, qp.sendCq(), qp.receiveCq());
        end.readyForDatagrams(qkey);
        return end;
    }

    /// As [#datagram], with a shared receive queue.
    public static LinkEnd datagram(TestDevice side, LinkOptions options, int qkey, SharedReceiveQueue queue) {
        LinkEnd end = withSharedReceiveQueue(side, options.type(QueuePairType.UD), 0, queue);
        end.readyForDatagrams(qkey);
        return end;
    }

    private void readyForDatagrams(int qkey) {
        qp.modify(QueuePairChange.toInit(qkey));
        qp.modify(QueuePairChange.toRtr());
        qp.modify(QueuePairChange.toRtsUnreliable(0));
    }

    private static LinkEnd of(TestDevice side, LinkOptions options, int psn, QueuePairOptions kind) {
        QueuePairOptions qpOptions = kind.capabilities(options.capabilities())
                .signalAll(options.signalAll())
                .operations(options.operations());
        return new LinkEnd(side, side.queuePair(qpOptions), options, psn);
    }

    public TestDevice side() {
        return side;
    }

    public QueuePair qp() {
        return qp;
    }

    public CompletionQueue sendCq() {
        return qp.sendCq();
    }

    public CompletionQueue receiveCq() {
        return qp.receiveCq();
    }

    public void toInit() {
        qp.modify(
                qp.type() == QueuePairType.UD
                        ? QueuePairChange.toInit(QKEY)
                        : QueuePairChange.toInit().access(options.access()));
    }

    public void toRtr(LinkEnd peer) {
        toRtr(peer, peer.psn);
    }

    /// Connects with a wrong PSN: expects another first packet than the peer will send.
    public void toRtr(LinkEnd peer, int expectedPsn) {
        qp.modify(
                switch (qp.type()) {
                    case RC ->
                        QueuePairChange.toRtr(side.pathTo(peer.side), peer.qp.number(), expectedPsn)
                                .pathMtu(options.mtu())
                                .maxDestinationReadAtomic(options.maxDestinationReadAtomic())
                                .minRnrTimer(options.minRnrTimer());
                    case UC ->
                        QueuePairChange.toRtrUnreliable(side.pathTo(peer.side), peer.qp.number(), expectedPsn)
                                .pathMtu(options.mtu());
                    case UD -> QueuePairChange.toRtr();
                });
    }

    public void toRts() {
        toRts(options);
    }

    /// With the timers of other options.
    public void toRts(LinkOptions timers) {
        if (qp.type() != QueuePairType.RC) {
            qp.modify(QueuePairChange.toRtsUnreliable(psn));
            return;
        }
        qp.modify(QueuePairChange.toRts(psn)
                .timeout(timers.timeout())
                .retryCount(timers.retryCount())
                .rnrRetry(timers.rnrRetry())
                .maxReadAtomic(timers.maxReadAtomic()));
    }

    /// RESET to RTS in one go.
    public void connectTo(LinkEnd peer) {
        toInit();
        toRtr(peer);
        toRts();
    }

    public void to(QueuePairState state) {
        qp.modify(QueuePairChange.to(state));
    }

    /// To SQD, and on when the send queue has drained: until then SQD is left for nothing but ERR.
    public void drain() {
        to(QueuePairState.SQD);
        Deadline.await(() -> side + ": send queue drained", () -> !qp.query().sendQueueDraining());
    }

    public QueuePairState state() {
        return qp.query().state();
    }

    /// Waits until the queue pair got there by itself.
    public void awaitState(QueuePairState state) {
        Deadline.await(() -> side + ": queue pair in " + state + ", is in " + state(), () -> state() == state);
    }

    /// A request with that id that reports its end.
    public SendRequest request(long wrId) {
        return qp.newSendRequest().wrId(wrId).signaled();
    }

    /// Posts, and fails when the queue is full.
    public void post(SendRequest request) {
        assertTrue(qp.post(request), () -> side + ": send queue full at request " + request.wrId());
    }

    /// Posts a receive into that slice, and fails when the queue is full.
    public void receive(long wrId, MemoryRegion region, long offset, long length) {
        var request = qp.newReceiveRequest().wrId(wrId).into(region, offset, length);
        assertTrue(qp.post(request), () -> side + ": receive queue full at request " + wrId);
    }

    /// Posts a receive without a buffer.
    public void receiveEmpty(long wrId) {
        assertTrue(qp.post(qp.newReceiveRequest().wrId(wrId).empty()), () -> side + ": receive queue full");
    }

    /// The next completion of the send queue.
    public WorkCompletion sent() {
        return next(sendCq(), "a completion of the send queue");
    }

    /// The next completion of the send queue, which must be this one.
    public WorkCompletion sent(long wrId, CompletionStatus status) {
        return expect(sent(), wrId, status);
    }

    public WorkCompletion sent(long wrId) {
        return sent(wrId, CompletionStatus.SUCCESS);
    }

    public WorkCompletion received() {
        return next(receiveCq(), "a completion of the receive queue");
    }

    public WorkCompletion received(long wrId, CompletionStatus status) {
        return expect(received(), wrId, status);
    }

    public WorkCompletion received(long wrId) {
        return received(wrId, CompletionStatus.SUCCESS);
    }

    private WorkCompletion next(CompletionQueue cq, String what) {
        List<WorkCompletion> one = new ArrayList<>(1);
        Deadline.await(() -> side + ": " + what + " (queue pair in " + state() + ")", () -> {
            cq.poll(completion -> one.add(completion.copy()), 1);
            return !one.isEmpty();
        });
        return one.getFirst();
    }

    private WorkCompletion expect(WorkCompletion completion, long wrId, CompletionStatus status) {
        assertAll(
                () -> assertEquals(wrId, completion.wrId(), () -> side + ": wrId of " + completion),
                () -> assertEquals(
                        status, completion.status(), () -> side + ": status of request " + completion.wrId()),
                () -> assertEquals(qp.number(), completion.qpNumber(), () -> side + ": queue pair of " + completion));
        return completion;
    }

    /// Fails when a completion is there.
    public void expectNoCompletion() {
        expectEmpty(sendCq());
        expectEmpty(receiveCq());
    }

    private void expectEmpty(CompletionQueue cq) {
        List<WorkCompletion> extra = new ArrayList<>();
        cq.poll(completion -> extra.add(completion.copy()), Integer.MAX_VALUE);
        assertTrue(extra.isEmpty(), () -> side + ": nothing more was to complete, but " + extra);
    }
}
