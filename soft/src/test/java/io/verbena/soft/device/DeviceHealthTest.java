package io.verbena.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.Context;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.PortState;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A port that goes down and comes up.
class DeviceHealthTest {
    private final SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256);
    private final SimulatedPair.Side left = pair.left;
    private final SimulatedPair.Side right = pair.right;

    @AfterEach
    void close() {
        assertEquals(0, left.counter(Counter.ENGINE_FAULTS));
        pair.close();
    }

    private static void assertPortEvent(AsyncEventType type, Context context) {
        AsyncEvent event = context.asyncEvents().tryTake();
        assertEquals(new AsyncEvent(type, context, 1), event);
        assertSame(context, event.source());
    }

    @Test
    void shouldTellEveryContextThatThePortWentDownAndCameUp() {
        try (Context second = left.host.device().open()) {
            left.host.goDown();
            left.host.goDown();
            for (Context context : List.of(left.context, second)) {
                assertPortEvent(AsyncEventType.PORT_ERROR, context);
                assertNull(context.asyncEvents().tryTake(), "once");
                assertEquals(PortState.DOWN, context.port(1).state());
            }
            left.host.comeUp();
            for (Context context : List.of(left.context, second)) {
                assertPortEvent(AsyncEventType.PORT_ACTIVE, context);
                assertNull(context.asyncEvents().tryTake(), "once");
                assertEquals(PortState.ACTIVE, context.port(1).state());
            }
            assertNull(right.context.asyncEvents().tryTake(), "it is not the peer's port");
        }
    }

    @Test
    void shouldGoOnAfterAShortAbsence() {
        left.write(1, 0, 2048, 0);
        left.host.goDown();
        pair.run(Duration.ofMillis(1));
        assertEquals(List.of(), left.statuses());
        left.host.comeUp();
        pair.expect(left, 1);
        assertEquals(List.of(CompletionStatus.SUCCESS), left.statuses());
    }

    @Test
    void shouldFailRequestsAfterALongAbsence() {
        left.host.goDown();
        left.write(1, 0, 2048, 0);
        assertTrue(pair.await(left, 1, Duration.ofMinutes(10)));
        assertEquals(List.of(CompletionStatus.RETRY_EXCEEDED), left.statuses());
    }

    @Test
    void shouldSayAtOnceThatThePortIsDownWhenOpenedSo() {
        right.context.closeAll();
        right.host.goDown();
        try (Context opened = right.host.device().open()) {
            assertEquals(PortState.DOWN, opened.port(1).state());
            assertNull(opened.asyncEvents().tryTake(), "nothing changed since");
            right.host.comeUp();
            assertPortEvent(AsyncEventType.PORT_ACTIVE, opened);
        }
    }

    @Test
    void shouldSeeWhichAddressesTheHostHas() throws Exception {
        assertTrue(LocalAddresses.isPresent(InetAddress.ofLiteral("127.0.0.1")));
        // Documentation addresses (RFC 5737), which nobody has.
        assertFalse(LocalAddresses.isPresent(InetAddress.ofLiteral("203.0.113.7")));
    }
}
