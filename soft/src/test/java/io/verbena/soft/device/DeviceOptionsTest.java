package io.verbena.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftPath;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Options belong to the device that was opened with them, not to the process.
class DeviceOptionsTest {
    private final String here = Loopback.next().getHostAddress();

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldHoldForOneDeviceOnly() {
        String there = Loopback.next().getHostAddress();
        SoftOptions shared = SoftOptions.defaults().path(SoftPath.AUTO);
        try (Context left = Rdma.openDevice(here, shared.path(SoftPath.UDP));
                Context right = Rdma.openDevice(there, shared)) {
            assertFalse(left.paths().get("shared memory").isAvailable());
            assertTrue(right.paths().get("shared memory").isAvailable());
        }
    }

    @Test
    void shouldCaptureTheDeviceThatWasOpenedWithAFile(@TempDir Path folder) throws IOException {
        SoftOptions captured = SoftOptions.defaults().capture(folder.resolve("%a.pcap"));
        try (Context _ = Rdma.openDevice(here, captured);
                Context _ = Rdma.openDevice(Loopback.next().getHostAddress())) {
            assertTrue(Files.exists(folder.resolve(here + ".pcap")));
            try (var files = Files.list(folder)) {
                assertEquals(1, files.count());
            }
        }
    }

    @Test
    void shouldRefuseOtherOptionsWhileItIsOpen() {
        SoftOptions lossy = SoftOptions.defaults().faults(FaultPlan.none().withLoss(0.5));
        try (Context _ = Rdma.openDevice(here, lossy);
                Context _ = Rdma.openDevice(here, lossy);
                Context _ = Rdma.openDevice(here)) {
            RdmaException refused =
                    assertThrows(RdmaException.class, () -> Rdma.openDevice(here, SoftOptions.defaults()));
            assertEquals(Errno.EBUSY, refused.errno());
            assertTrue(refused.getMessage().contains("loss=0.5"), refused.getMessage());
        }
        Rdma.openDevice(here, SoftOptions.defaults()).close();
    }

    @Test
    void shouldServeIdsOfItsAddress() {
        try (Context _ = Rdma.openDevice(here, SoftOptions.defaults().spin(Duration.ofMillis(7)));
                ConnectionId id = Rdma.connectionManager().createSynchronousId(PortSpace.TCP)) {
            id.bind(new InetSocketAddress(here, 0));
            assertEquals(
                    7_000_000,
                    ((SoftContext) id.context()).engines().first().driver().spinNs());
        }
    }

    @Test
    void shouldRefuseOptionsOfAnotherProvider() {
        RdmaException refused =
                assertThrows(RdmaException.class, () -> Rdma.device(here).open(() -> "rdmacore"));
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().contains("of the provider rdmacore"), refused.getMessage());
    }

    @Test
    void shouldRefuseOptionsWhereTheNetworkIsSimulated() {
        var host = new SimulatedFabric(1).host("10.0.0.1");
        RdmaException refused =
                assertThrows(RdmaException.class, () -> host.device().open(SoftOptions.defaults()));
        assertEquals(Errno.EOPNOTSUPP, refused.errno());
    }

    @Test
    void shouldRefuseValuesThatCannotBe() {
        SoftOptions options = SoftOptions.defaults();
        assertThrows(IllegalArgumentException.class, () -> options.spin(Duration.ofSeconds(2)));
        assertThrows(IllegalArgumentException.class, () -> options.spin(Duration.ofNanos(-1)));
        assertThrows(IllegalArgumentException.class, () -> options.captureLimit(-1));
    }
}
