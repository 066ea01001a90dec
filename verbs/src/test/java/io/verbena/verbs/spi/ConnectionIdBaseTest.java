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
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// What a synchronous id waits for, and what it refuses.
class ConnectionIdBaseTest {
    private static final Duration BRIEF = Duration.ofSeconds(1);

    private final Queue<CmEvent> queue = new ArrayDeque<>();
    private boolean isChannelClosed;
    private final EventChannel channel = new EventChannel() {
        @Override
        public CmEvent await(Duration timeout) {
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
        public void close() {
            isChannelClosed = true;
        }
    };
    private final PlainId id = new PlainId(channel, () -> 0, () -> null);

    private void put(CmEventType type) {
        queue.add(new CmEvent(type, id, null, 0, ConnectionParameters.DEFAULT, null));
    }

    @Test
    void shouldStartEachCallAndTakeItsOutcome() {
        put(CmEventType.ADDRESS_RESOLVED);
        id.resolveAddress(null, null, BRIEF);
        put(CmEventType.ROUTE_RESOLVED);
        id.resolveRoute(BRIEF);
        put(CmEventType.CONNECT_RESPONSE); // it has no queue pair of its own
        id.connect(ConnectionParameters.DEFAULT);
        put(CmEventType.ESTABLISHED);
        id.accept(ConnectionParameters.DEFAULT);
        put(CmEventType.MULTICAST_JOIN);
        id.joinMulticast(null, false);
        put(CmEventType.DISCONNECTED);
        id.disconnect();
        assertEquals(List.of("address", "route", "connect", "accept", "join", "disconnect"), id.started);
        assertEquals(CmEventType.DISCONNECTED, id.event().type());
        assertTrue(queue.isEmpty());
    }

    @Test
    void shouldHandOutTheIdOfARequest() {
        PlainId request = new PlainId(channel, () -> 0, () -> null);
        queue.add(new CmEvent(CmEventType.CONNECT_REQUEST, request, id, 0, ConnectionParameters.DEFAULT, null));
        assertSame(request, id.awaitRequest(BRIEF));
        assertEquals(CmEventType.CONNECT_REQUEST, request.event().type());
        assertNull(id.awaitRequest(BRIEF), "when the time is over");
    }

    @Test
    void shouldKeepItsChannelToItselfAndCloseIt() {
        assertNull(id.channel());
        RdmaException refused = assertThrows(RdmaException.class, () -> id.migrate(channel));
        assertEquals(Errno.EINVAL, refused.errno());
        id.close();
        assertTrue(isChannelClosed);
    }

    @Test
    void shouldRefuseWhatTheStageDoesNotAllow() {
        id.requireOpen();
        id.close();
        assertEquals(
                Errno.EBADF, assertThrows(RdmaException.class, id::requireOpen).errno());
    }
}
