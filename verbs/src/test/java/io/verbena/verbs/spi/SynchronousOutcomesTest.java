package io.verbena.verbs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Events come from a queue; when it is empty, the time of the wait is over.
class SynchronousOutcomesTest {
    private final Queue<CmEvent> queue = new ArrayDeque<>();
    private long nowNs;
    private Duration lastWait;
    private final EventChannel channel = new EventChannel() {
        @Override
        public CmEvent await(Duration timeout) {
            lastWait = timeout;
            nowNs += queue.isEmpty() ? timeout.toNanos() : Duration.ofSeconds(1).toNanos();
            return queue.poll();
        }

        @Override
        public boolean isReady() {
            return !queue.isEmpty();
        }

        @Override
        public Poller newPoller() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    };

    private RuntimeException reason;
    private final PlainId id = new PlainId(channel, () -> nowNs, () -> reason);
    private final SynchronousOutcomes outcomes = new SynchronousOutcomes(channel);

    private void put(CmEventType type, int status) {
        String text = CmEventText.of(type, status, "");
        queue.add(new CmEvent(type, id, null, status, ConnectionParameters.DEFAULT, null, text));
    }

    private RdmaException failure(Executable call) {
        return assertThrows(RdmaException.class, call);
    }

    @Test
    void shouldNotWaitLongerForEachEventThatIsNotTheOutcome() {
        put(CmEventType.ADDRESS_RESOLVED, 0);
        put(CmEventType.ROUTE_RESOLVED, 0);
        assertEquals(
                Errno.ETIMEDOUT,
                failure(() -> outcomes.awaitConnection(id, false)).errno());
        assertEquals(Duration.ofSeconds(10), lastWait, "12 seconds in all, of which 2 passed");
    }

    @Test
    void shouldExplainARejection() {
        put(CmEventType.REJECTED, 8);
        RdmaException refused = failure(() -> outcomes.awaitConnection(id, false));
        assertEquals(Errno.ECONNREFUSED, refused.errno());
        assertTrue(refused.getMessage().contains("rejected: reason 8, nobody listens"), refused::getMessage);
        put(CmEventType.REJECTED, 4);
        RdmaException gone = failure(() -> outcomes.awaitAccepted(id));
        assertEquals(Errno.ECONNRESET, gone.errno());
        assertTrue(gone.getMessage().contains("gave up meanwhile: reason 4"), gone::getMessage);
    }

    @Test
    void shouldTellARefusalFromSilence() {
        put(CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number());
        assertEquals(
                Errno.ETIMEDOUT,
                failure(() -> outcomes.awaitConnection(id, false)).errno());
        put(CmEventType.UNREACHABLE, -Errno.ECONNREFUSED.number());
        assertEquals(
                Errno.ECONNREFUSED,
                failure(() -> outcomes.awaitConnection(id, false)).errno());
    }

    @Test
    void shouldEndAWaitWhenTheDeviceIsRemoved() {
        put(CmEventType.DEVICE_REMOVAL, 0);
        assertTrue(failure(() -> outcomes.awaitGroup(id)).getMessage().contains("the device is gone"));
    }

    @Test
    void shouldPreferAReasonThatIsKnown() {
        put(CmEventType.ADDRESS_ERROR, -Errno.ENODEV.number());
        reason = new RdmaException("bind", Errno.ENODEV, "no such address");
        assertEquals(reason, failure(() -> outcomes.awaitAddress(id, Duration.ofSeconds(1))));
    }

    @Test
    void shouldBeContentWithAPeerThatIsGoneWhenDisconnecting() {
        put(CmEventType.DISCONNECTED, -Errno.ECONNRESET.number());
        outcomes.awaitDisconnected(id);
        outcomes.awaitDisconnected(id);
        put(CmEventType.TIMEWAIT_EXIT, 0);
        assertEquals(CmEventType.DISCONNECTED, outcomes.latest(id).type());
    }

    @Test
    void shouldReportAPeerThatDoesNotConfirmADisconnect() {
        put(CmEventType.DISCONNECTED, -Errno.ETIMEDOUT.number());
        assertEquals(
                Errno.ETIMEDOUT, failure(() -> outcomes.awaitDisconnected(id)).errno());
    }

    @Test
    void shouldTakeOnlyRequestsForRequests() {
        assertNull(outcomes.awaitRequest(id, Duration.ZERO));
        put(CmEventType.DEVICE_REMOVAL, 0);
        assertTrue(failure(() -> outcomes.awaitRequest(id, Duration.ZERO))
                .getMessage()
                .startsWith("rdma_get_request"));
        queue.add(new CmEvent(CmEventType.CONNECT_REQUEST, null, id, 0, ConnectionParameters.DEFAULT, null));
        assertEquals(
                CmEventType.CONNECT_REQUEST,
                outcomes.awaitRequest(id, Duration.ZERO).type());
        put(CmEventType.CONNECT_REQUEST, 0);
        assertSame(id, outcomes.latest(id).listener(), "later ones are left for awaitRequest");
    }
}
