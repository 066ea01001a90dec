package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Queue pairs of the right side that take their receives from one queue.
class SharedReceiveQueueTest {
    private static final int MTU = 256;

    private final SimulatedPair pair = new SimulatedPair(1, 64 * 1024);
    private final SimulatedPair.Side left = pair.left;
    private final SimulatedPair.Side right = pair.right;

    private record Connection(QueuePair from, QueuePair to) {}

    @AfterEach
    void close() {
        assertEquals(0, left.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, right.counter(Counter.ENGINE_FAULTS));
        pair.close();
    }

    private SharedReceiveQueue queue(int requests) {
        return right.pd.createSharedReceiveQueue(new SharedReceiveQueueOptions(requests, 2, 0));
    }

    private Connection connect(SharedReceiveQueue queue) {
        return connect(queue, right.pd);
    }

    private Connection connect(SharedReceiveQueue queue, ProtectionDomain domain) {
        QueuePair from = left.pd.createQueuePair(QueuePairOptions.rc(left.cq));
        QueuePair to = domain.createQueuePair(QueuePairOptions.rc(right.cq).sharedReceiveQueue(queue));
        connect(from, right, to);
        connect(to, left, from);
        return new Connection(from, to);
    }

    private static void connect(QueuePair qp, ConnectionEnd towards, QueuePair peer) {
        ConnectionEnd.initialise(qp);
        qp.modify(QueuePairChange.toRtr(AddressVector.to(towards.address), peer.number(), 0)
                .pathMtu(Mtu.MTU_256));
        qp.modify(QueuePairChange.toRts(0));
    }

    private void receive(SharedReceiveQueue queue, long wrId, long into, long length) {
        assertTrue(queue.post(queue.newReceiveRequest().wrId(wrId).into(right.memory, into, length)), "full");
    }

    private void send(Connection connection, long wrId, long from, long length) {
        assertTrue(connection
                .from()
                .post(connection.from().newSendRequest().wrId(wrId).send().from(left.memory, from, length)));
    }

    private List<Long> received() {
        return right.wrIds();
    }

    private AsyncEvent event() {
        return right.context.asyncEvents().tryTake();
    }

    private static void assertRefused(Errno errno, Runnable call) {
        assertEquals(errno, assertThrows(RdmaException.class, call::run).errno());
    }

    @Test
    void shouldKeepMessagesApartThatArriveInTurns() {
        SharedReceiveQueue queue = queue(8);
        Connection first = connect(queue);
        Connection second = connect(queue);
        int length = 40 * MTU;
        byte[] one = left.fill(0, length, 1);
        byte[] two = left.fill(length, length, 2);
        receive(queue, 0, 0, length);
        receive(queue, 1, 20_000, length);
        send(first, 10, 0, length);
        send(second, 11, length, length);
        pair.expect(right, 2);
        for (WorkCompletion completion : right.completions) {
            byte[] sent = completion.qpNumber() == first.to().number() ? one : two;
            assertArrayEquals(sent, right.bytes(completion.wrId() == 0 ? 0 : 20_000, length));
        }
    }

    @Test
    void shouldFlushOnlyTheCurrentReceiveAndTellThatItWasTheLast() {
        SharedReceiveQueue queue = queue(8);
        Connection failing = connect(queue);
        Connection other = connect(queue);
        receive(queue, 0, 0, 4 * MTU);
        receive(queue, 1, 4 * MTU, MTU);
        left.tap.lose(1000, frame -> frame.opcode().isSend() && !frame.opcode().startsMessage());
        send(failing, 10, 0, 4 * MTU);
        pair.run(Duration.ofNanos(20_000));
        assertEquals(List.of(), received(), "the message has only begun");
        failing.to().modify(QueuePairChange.to(QueuePairState.ERR));
        assertEquals(List.of(0L), received());
        assertEquals(List.of(CompletionStatus.WORK_REQUEST_FLUSHED), right.statuses());
        AsyncEvent event = event();
        assertEquals(AsyncEventType.LAST_WORK_REQUEST_REACHED, event.type());
        assertSame(failing.to(), event.source());
        assertNull(event(), "once");
        send(other, 11, 0, MTU);
        pair.expect(right, 2);
        assertEquals(List.of(0L, 1L), received());
        assertEquals(CompletionStatus.SUCCESS, right.statuses().get(1));
    }

    @Test
    void shouldTellTheLastReceiveEachTimeTheQueuePairFails() {
        Connection connection = connect(queue(8));
        for (int life = 0; life < 2; life++) {
            connection.to().modify(QueuePairChange.to(QueuePairState.ERR));
            assertEquals(AsyncEventType.LAST_WORK_REQUEST_REACHED, event().type());
            connection.to().modify(QueuePairChange.to(QueuePairState.RESET));
            assertNull(event());
            ConnectionEnd.initialise(connection.to());
        }
    }

    @Test
    void shouldTakeThePlaceBackOfAReceiveThatWasInHandWhenTheQueuePairWent() {
        SharedReceiveQueue queue = queue(2);
        for (boolean closes : new boolean[] {true, false}) {
            Connection connection = connect(queue);
            receive(queue, 0, 0, 4 * MTU);
            left.tap.lose(
                    1000, frame -> frame.opcode().isSend() && !frame.opcode().startsMessage());
            send(connection, 10, 0, 4 * MTU);
            pair.run(Duration.ofNanos(20_000));
            receive(queue, 1, 0, MTU);
            assertFalse(queue.post(queue.newReceiveRequest().empty()), "one waits, one is in hand");
            if (closes) {
                connection.to().close();
            } else {
                connection.to().modify(QueuePairChange.to(QueuePairState.RESET));
            }
            connection.from().close();
            receive(queue, 2, 0, MTU);
            assertEquals(List.of(), received());
            queue.resize(4);
            Connection next = connect(queue);
            send(next, 20, 0, MTU);
            send(next, 21, 0, MTU);
            pair.expect(right, 2);
            right.completions.clear();
            next.to().close();
            queue.resize(2);
        }
    }

    @Test
    void shouldTakeThePlacesBackOfCompletionsThatNobodyPolled() {
        SharedReceiveQueue queue = queue(2);
        CompletionQueue unpolled = right.context.createCompletionQueue(8);
        QueuePair from = left.pd.createQueuePair(QueuePairOptions.rc(left.cq));
        QueuePair to = right.pd.createQueuePair(QueuePairOptions.rc(unpolled).sharedReceiveQueue(queue));
        connect(from, right, to);
        connect(to, left, from);
        receive(queue, 0, 0, MTU);
        receive(queue, 1, 0, MTU);
        send(new Connection(from, to), 10, 0, MTU);
        send(new Connection(from, to), 11, 0, MTU);
        pair.run(Duration.ofMillis(1));
        assertFalse(queue.post(queue.newReceiveRequest().empty()), "both wait to be polled");
        to.close();
        unpolled.close();
        receive(queue, 2, 0, MTU);
        receive(queue, 3, 0, MTU);
    }

    @Test
    void shouldKeepItsReceivesInOrderWhenResized() {
        SharedReceiveQueue queue = queue(4);
        Connection connection = connect(queue);
        long posted = 0;
        long sent = 0;
        for (int size : new int[] {64, 8, 1024, 16, 128, 5}) {
            while (posted - sent < 4) {
                receive(queue, posted++, 0, MTU);
            }
            queue.resize(size);
            assertTrue(queue.query().maxRequests() >= size);
            for (int i = 0; i < 3; i++) {
                send(connection, 100, 0, MTU);
                sent++;
            }
            pair.expect(right, (int) sent);
        }
        for (int i = 0; i < sent; i++) {
            assertEquals(i, received().get(i));
        }
        RdmaException tooSmall = assertThrows(RdmaException.class, () -> {
            receive(queue, 100, 0, MTU);
            receive(queue, 101, 0, MTU);
            queue.resize(2);
        });
        assertEquals(Errno.EINVAL, tooSmall.errno());
        assertTrue(tooSmall.getMessage().contains("3 receives are posted"), tooSmall::getMessage);
        assertEquals(8, queue.query().maxRequests());
    }

    @Test
    void shouldRefuseSizesAndLimitsThatDoNotFit() {
        SharedReceiveQueue queue = queue(8);
        int most = right.context.attributes().maxSharedReceiveRequests();
        assertRefused(Errno.EINVAL, () -> queue.resize(0));
        assertRefused(Errno.EINVAL, () -> queue.resize(most + 1));
        assertRefused(Errno.EINVAL, () -> queue.limit(-1));
        assertRefused(Errno.EINVAL, () -> queue.limit(9));
        queue.limit(6);
        assertRefused(Errno.EINVAL, () -> queue.resize(5));
        assertEquals(new SharedReceiveQueueOptions(8, 2, 6), queue.query());
        int buffers = right.context.attributes().maxSharedReceiveScatterGather();
        assertRefused(
                Errno.EINVAL,
                () -> right.pd.createSharedReceiveQueue(new SharedReceiveQueueOptions(8, buffers + 1, 0)));
        assertRefused(Errno.EINVAL, () -> right.pd.createSharedReceiveQueue(new SharedReceiveQueueOptions(8, 1, 9)));
        var three = queue.newReceiveRequest().wrId(1);
        for (int i = 0; i < 3; i++) {
            three.and(right.memory, 0, 8);
        }
        assertRefused(Errno.EINVAL, () -> queue.post(three));
    }

    @Test
    void shouldTellOfALimitThatWasSetWhenItWasMade() {
        SharedReceiveQueue queue = right.pd.createSharedReceiveQueue(
                SharedReceiveQueueOptions.of(8).withScatterGather(2).withLimit(2));
        Connection connection = connect(queue);
        receive(queue, 0, 0, MTU);
        receive(queue, 1, 0, MTU);
        send(connection, 0, 0, MTU);
        pair.expect(right, 1);
        AsyncEvent event = event();
        assertNotNull(event);
        assertEquals(AsyncEventType.SRQ_LIMIT_REACHED, event.type());
        assertSame(queue, event.source());
        assertEquals(0, queue.query().limit());
    }

    @Test
    void shouldCheckBuffersAgainstItsOwnDomain() {
        ProtectionDomain other = right.context.allocateProtectionDomain();
        SharedReceiveQueue queue = other.createSharedReceiveQueue(SharedReceiveQueueOptions.of(8));
        MemoryRegion region = other.allocate(MTU, Access.LOCAL_WRITE);
        Connection connection = connect(queue, right.pd);
        byte[] bytes = left.fill(0, MTU, 3);
        assertTrue(queue.post(queue.newReceiveRequest().wrId(1).into(region, 0, MTU)));
        send(connection, 1, 0, MTU);
        pair.expect(right, 1);
        assertArrayEquals(bytes, region.memory().toArray(ValueLayout.JAVA_BYTE));
        assertTrue(queue.post(queue.newReceiveRequest().wrId(2).into(right.memory, 0, MTU)));
        send(connection, 2, 0, MTU);
        pair.expect(right, 2);
        assertEquals(CompletionStatus.LOCAL_PROTECTION_ERROR, right.statuses().get(1));
    }

    @Test
    void shouldRefuseAQueueOfAnotherContextOrOneThatIsClosed() {
        SharedReceiveQueue foreign = left.pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(8));
        assertRefused(Errno.EINVAL, () -> connect(foreign));
        SharedReceiveQueue closed = queue(8);
        closed.close();
        assertRefused(Errno.EINVAL, () -> connect(closed));
        assertRefused(Errno.EBADF, () -> closed.post(closed.newReceiveRequest()));
        assertRefused(Errno.EBADF, closed::query);
        assertRefused(Errno.EBADF, () -> closed.limit(1));
        assertRefused(Errno.EBADF, () -> closed.resize(8));
    }

    @Test
    void shouldHaveNoReceiveQueueBesideIt() {
        Connection connection = connect(queue(8));
        assertEquals(0, connection.to().capabilities().maxReceiveRequests());
        assertEquals(0, connection.to().capabilities().maxReceiveScatterGather());
        RdmaException refused = assertThrows(
                RdmaException.class, () -> connection.to().post(connection.to().newReceiveRequest()));
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().contains("shared receive queue"), refused::getMessage);
    }

    @Test
    void shouldCloseAllWhenQueuePairsOfOlderDomainsUseIt() {
        ProtectionDomain younger = right.context.allocateProtectionDomain();
        SharedReceiveQueue queue = younger.createSharedReceiveQueue(SharedReceiveQueueOptions.of(8));
        connect(queue, right.pd);
        assertRefused(Errno.EBUSY, younger::close);
        right.context.closeAll();
    }
}
