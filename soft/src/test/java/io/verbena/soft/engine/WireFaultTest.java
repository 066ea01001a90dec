package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.device.SimulatedEnvironment;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.rig.RealEnvironment;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.attr.AsyncEventType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A broken wire is a fault of the device: programs get an event, and their calls continue to work.
class WireFaultTest {
    /// The method of the wire that fails; "" for none.
    private volatile String broken = "";

    private Wire breakable(Wire wire) {
        return (Wire) Proxy.newProxyInstance(
                Wire.class.getClassLoader(), new Class<?>[] {Wire.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(broken)) {
                        throw new IllegalStateException("the wire is broken (this test means it)");
                    }
                    try {
                        return method.invoke(wire, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private final class Ground extends SimulatedEnvironment {
        Ground() {
            super(new SimulatedNetwork(1), new Random(1));
        }

        @Override
        public Wire openWire(InetAddress local, SoftOptions options) {
            return breakable(super.openWire(local, options));
        }
    }

    private final class RealGround extends RealEnvironment {
        @Override
        public Wire openWire(InetAddress local, SoftOptions options) {
            return breakable(super.openWire(local, options));
        }
    }

    @Test
    void shouldTellOnceThatTheDeviceFailed() {
        SoftDevice device = new SoftDevice(InetAddress.ofLiteral("10.0.0.1"), new Ground());
        try (Context context = device.open();
                CompletionQueue queue = context.createCompletionQueue(1)) {
            assertEquals(0, queue.poll(c -> {}, 1));
            assertNull(context.asyncEvents().tryTake());
            broken = "receive";
            for (int i = 0; i < 3; i++) {
                assertEquals(0, queue.poll(c -> {}, 1));
            }
            assertEquals(
                    new AsyncEvent(AsyncEventType.DEVICE_FATAL, context, 0),
                    context.asyncEvents().tryTake());
            assertNull(context.asyncEvents().tryTake(), "once");
            assertTrue(context.counters().get(Counter.ENGINE_FAULTS.label()) >= 3);
            broken = "";
        }
    }

    /// Sleeping fails at once. That nothing can arrive any more is found only by the periodic check.
    @ParameterizedTest
    @ValueSource(strings = {"await", "check"})
    void shouldTellThatTheWireBrokeWhileTheProgramWaits(String method) {
        SoftDevice device = new SoftDevice(Loopback.next(), new RealGround());
        try (Context context = device.open()) {
            broken = method;
            assertEquals(
                    new AsyncEvent(AsyncEventType.DEVICE_FATAL, context, 0),
                    context.asyncEvents().await(Duration.ofSeconds(60)));
            broken = "";
        }
    }
}
