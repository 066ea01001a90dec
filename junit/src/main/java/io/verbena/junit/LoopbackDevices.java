package io.verbena.junit;

import io.verbena.soft.fabric.OpenObjects;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.option.SoftOptions;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.Rdma;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Real software devices for a test, each on a loopback address that no other test has, also none of another process.
///
/// ```java
/// @Test
/// void shouldSendOverSockets(LoopbackDevices devices) {
///     try (Context left = devices.open(); Context right = devices.open(FaultPlan.none().withLoss(0.05))) { ... }
/// }
/// ```
public final class LoopbackDevices {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
    private static final long LOOK_EVERY_NS = 2_000_000;

    private final FaultPlan faults;
    private final long seed;
    private final List<LoopbackAddress> addresses = new ArrayList<>();

    LoopbackDevices(FaultPlan faults, Seed seed) {
        this.faults = faults;
        this.seed = seed.value();
    }

    /// Opens a new device, with the faults of [Faults] or none.
    public Context open() {
        return open(faults);
    }

    /// Opens a new device with faults of its own. A plan without a seed gets one of the test's.
    public Context open(FaultPlan plan) {
        // The other devices of the test must not lose the same packets.
        long own = seed + addresses.size();
        boolean isSeeded = plan.seed() != 0 || plan.equals(FaultPlan.none());
        return open(SoftOptions.defaults().faults(isSeeded ? plan : plan.withSeed(own)));
    }

    /// Opens a new device with these options.
    public Context open(SoftOptions options) {
        return Rdma.openDevice(reserve().text(), options);
    }

    /// A free address, for programs that open their device, or bind their connection ids, themselves. It is the test's
    /// until the end.
    public InetAddress address() {
        return reserve().address();
    }

    /// The address of a device that is open.
    public InetAddress address(Context context) {
        return context.gid(1, 0).address();
    }

    private synchronized LoopbackAddress reserve() {
        LoopbackAddress reserved = LoopbackAddress.reserve();
        addresses.add(reserved);
        return reserved;
    }

    /// The open objects, in words. Waits a few seconds for closed connections, which wait for late messages.
    synchronized List<String> openObjects() {
        List<String> open = new ArrayList<>();
        for (LoopbackAddress address : addresses) {
            Device device = device(address);
            await(() -> !OpenObjects.isInUse(device) || !OpenObjects.of(device).isEmpty());
            open.addAll(OpenObjects.of(device));
        }
        return open;
    }

    /// The devices at the addresses of the test, open or not.
    synchronized List<Device> devices() {
        return addresses.stream().map(LoopbackDevices::device).toList();
    }

    /// Closes everything; what is left on the host nevertheless, in words.
    synchronized List<String> close() {
        List<String> left = new ArrayList<>();
        for (LoopbackAddress address : addresses) {
            Device device = device(address);
            OpenObjects.closeAll(device);
            // A closed connection may hold the address a little longer.
            boolean isGone = await(() -> address.isFree() && !hasThread(device));
            if (!isGone && !OpenObjects.isInUse(device)) {
                left.add(device.name() + ": its UDP port or its thread is still there");
            }
            address.close();
        }
        addresses.clear();
        return left;
    }

    private static Device device(LoopbackAddress address) {
        return Rdma.provider("soft").device(address.text()).orElseThrow();
    }

    private static boolean hasThread(Device device) {
        Thread[] threads = new Thread[Thread.activeCount() + 16];
        int count = Thread.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (threads[i].getName().equals("verbena-" + device.name())) {
                return true;
            }
        }
        return false;
    }

    private static boolean await(BooleanSupplier condition) {
        long startNs = System.nanoTime();
        boolean is = condition.getAsBoolean();
        while (!is && System.nanoTime() - startNs < LONGEST_WAIT.toNanos()) {
            LockSupport.parkNanos(LOOK_EVERY_NS);
            is = condition.getAsBoolean();
        }
        return is;
    }
}
