package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.device.DeviceEnvironment;
import io.verbena.soft.device.HostNetwork;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DevicePoolTest {
    private static final int SECONDS = 60;

    private final CountDownLatch opening = new CountDownLatch(1);
    private final CountDownLatch mayOpen = new CountDownLatch(1);
    private final DevicePool pool = new DevicePool(device -> List.of(), opened -> {});

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /// Whose devices open only when they may.
    private final class SlowHost implements DeviceEnvironment {
        private final HostNetwork host = new HostNetwork();

        @Override
        public Wire openWire(InetAddress local, SoftOptions options) {
            opening.countDown();
            try {
                assertTrue(mayOpen.await(SECONDS, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return host.openWire(local, options);
        }

        @Override
        public Wire openAnother(Wire first, SoftOptions options) {
            return host.openAnother(first, options);
        }

        @Override
        public LocalDevice share(InetAddress local, Wire wire, SoftOptions options, Consumer<Availability> found) {
            return host.share(local, wire, options, found);
        }

        @Override
        public boolean hasAddress(InetAddress local) {
            return true;
        }

        @Override
        public NanoClock clock() {
            return host.clock();
        }

        @Override
        public RandomGenerator random() {
            return host.random();
        }

        @Override
        public Simulation simulation() {
            return null;
        }

        @Override
        public void start(Engine engine, String name) {
            host.start(engine, name);
        }

        @Override
        public void stop(Engine engine) {
            host.stop(engine);
        }
    }

    private Future<SoftSharedDevice> acquire(SoftDevice device) {
        return threads.submit(() -> pool.acquire(device));
    }

    @AfterEach
    void close() {
        mayOpen.countDown();
        threads.close();
    }

    @Test
    void shouldOpenOtherDevicesWhileOneTakesLong() throws Exception {
        SoftDevice slow = new SoftDevice(Loopback.next(), new SlowHost());
        SoftDevice other = new HostNetwork().at(Loopback.next());
        Future<SoftSharedDevice> first = acquire(slow);
        assertTrue(opening.await(SECONDS, TimeUnit.SECONDS));
        pool.release(acquire(other).get(SECONDS / 2, TimeUnit.SECONDS));
        Future<SoftSharedDevice> second = acquire(slow);
        mayOpen.countDown();
        assertSame(first.get(SECONDS, TimeUnit.SECONDS), second.get(SECONDS, TimeUnit.SECONDS));
        pool.release(first.get());
        pool.release(second.get());
        assertEquals(0, pool.size());
    }
}
