package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.DatagramPeer;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.util.ArrayList;
import java.util.List;

/// One end of a connection that the connection manager makes: the id, its queue pair, its completions and its events.
/// All is closed at the end of the test.
final class CmPeer {
    private final TestDevice side;
    private final ConnectionId id;
    private CompletionQueue sends;
    private CompletionQueue receives;
    private QueuePair own;

    CmPeer(TestDevice side, ConnectionId id) {
        this.side = side;
        this.id = side.keep(id);
    }

    ConnectionId id() {
        return id;
    }

    QueuePair qp() {
        return own == null ? id.queuePair() : own;
    }

    EventChannel channel() {
        return id.channel();
    }

    /// Makes the queue pair, with receives that report to `channel` (null for none).
    CmPeer withQueuePair(CompletionChannel channel) {
        sends = side.keep(id.context().createCompletionQueue(64));
        receives = side.keep(id.context().createCompletionQueue(64, channel));
        QueuePairOptions options = QueuePairOptions.of(type(), sends, receives);
        QueuePair qp = side.keep(id.createQueuePair(id.protectionDomain(), options));
        assertSame(qp, id.queuePair());
        return this;
    }

    CmPeer withQueuePair() {
        return withQueuePair(null);
    }

    /// Makes the queue pair with completion queues that the id makes and closes.
    CmPeer withQueuesOfTheId() {
        QueuePairOptions options = QueuePairOptions.of(type(), null, null);
        QueuePair qp = id.createQueuePair(options.sendRequests(40).receiveRequests(50));
        sends = qp.sendCq();
        receives = qp.receiveCq();
        return this;
    }

    /// Makes a queue pair without the id.
    CmPeer withOwnQueuePair() {
        sends = side.keep(id.context().createCompletionQueue(64));
        receives = side.keep(id.context().createCompletionQueue(64));
        QueuePairOptions options = QueuePairOptions.of(type(), sends, receives);
        own = side.keep(id.protectionDomain().createQueuePair(options));
        return this;
    }

    /// Takes the queue pair a step further, as the connection manager says.
    void step(QueuePairState to) {
        qp().modify(id.queuePairStep(to));
    }

    void read(long wrId, MemoryRegion into, MemoryRegion from) {
        assertTrue(qp().post(qp().newSendRequest()
                .wrId(wrId)
                .read(from.remote())
                .into(into, 0, into.length())
                .signaled()));
    }

    private QueuePairType type() {
        return id.portSpace() == PortSpace.UDP ? QueuePairType.UD : QueuePairType.RC;
    }

    CompletionQueue receiveCq() {
        return receives;
    }

    MemoryRegion memory(int bytes) {
        return side.keep(
                id.protectionDomain().allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ));
    }

    void receive(long wrId, MemoryRegion region) {
        assertTrue(qp().post(qp().newReceiveRequest().wrId(wrId).into(region, 0, region.length())));
    }

    void send(long wrId, MemoryRegion region) {
        assertTrue(qp().post(qp().newSendRequest()
                .wrId(wrId)
                .send()
                .from(region, 0, region.length())
                .signaled()));
    }

    /// A datagram to the resolved service, or to a group.
    void send(long wrId, MemoryRegion region, int length, DatagramPeer to) {
        AddressHandle handle = side.keep(id.protectionDomain().createAddressHandle(to.address()));
        assertTrue(qp().post(qp().newSendRequest()
                .wrId(wrId)
                .send()
                .from(region, 0, length)
                .to(handle, to.qpNumber(), to.qkey())
                .signaled()));
    }

    void sent(long wrId) {
        expect(sends, wrId, CompletionStatus.SUCCESS);
    }

    void received(long wrId) {
        expect(receives, wrId, CompletionStatus.SUCCESS);
    }

    void flushed(long wrId) {
        expect(receives, wrId, CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    /// Nothing was received.
    void expectNothing() {
        assertEquals(0, receives.poll(c -> {}, 1), () -> side + ": nothing was to come");
    }

    private void expect(CompletionQueue cq, long wrId, CompletionStatus status) {
        List<WorkCompletion> one = new ArrayList<>(1);
        Deadline.await(() -> side + ": a completion", () -> cq.poll(c -> one.add(c.copy()), 1) > 0);
        assertEquals(status, one.getFirst().status());
        assertEquals(wrId, one.getFirst().wrId());
    }

    /// The next event, which must be of that type and for this id.
    CmEvent expect(CmEventType type) {
        CmEvent event = next(channel(), type);
        assertSame(id, event.id(), () -> type + " is for this id");
        return event;
    }

    static CmEvent next(EventChannel channel, CmEventType type) {
        CmEvent event = channel.await(Deadline.PATIENCE);
        assertNotNull(event, () -> type + " was to come");
        assertEquals(type, event.type(), () -> "status " + event.status());
        return event;
    }

    void awaitState(QueuePairState state) {
        Deadline.await(
                () -> side + ": queue pair in " + state, () -> qp().query().state() == state);
    }
}
