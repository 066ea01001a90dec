package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.device.HostNetwork;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.rig.RealEnvironment;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DevicePoolTest {
    private static final int SECONDS = 60;

    private final CountDownLatch opening = new CountDownLatch(1);
    private final CountDownLatch mayOpen = new CountDownLatch(1);
    private final DevicePool pool = new DevicePool(device -> List.of(), opened -> {});

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /// Whose devices open only when they may.
    private final class SlowHost extends RealEnvironment {
        @Override
        public Wire openWire(InetAddress local, SoftOptions options) {
            opening.countDown();
            try {
                assertTrue(mayOpen.await(SECONDS, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return super.openWire(local, options);
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
