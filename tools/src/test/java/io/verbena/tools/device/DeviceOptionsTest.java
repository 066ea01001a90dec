package io.verbena.tools.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.verbs.Device;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeviceOptionsTest {
    private static final InetAddress ADAPTER = InetAddress.ofLiteral("10.77.0.1");
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private final RdmaProvider soft = Rdma.provider("soft");

    @Test
    void shouldTakeTheAdapterThatHasTheAddress() {
        var adapters = new Adapters(Availability.AVAILABLE);
        assertEquals(adapters, DeviceOptions.providerOf(List.of(adapters, soft), ADAPTER));
        assertEquals(soft, DeviceOptions.providerOf(List.of(adapters, soft), LOOPBACK));
    }

    @Test
    void shouldPassByAdaptersThatCannotBeUsed() {
        var adapters = new Adapters(Availability.unavailable("no permission", "ask for it"));
        assertEquals(soft, DeviceOptions.providerOf(List.of(adapters, soft), ADAPTER));
    }

    @Test
    void shouldKnowWherePacketsLeaveFrom() {
        assertEquals(LOOPBACK, DeviceOptions.sourceTowards(LOOPBACK));
    }

    /// A provider with a device of one address.
    private record Adapters(Availability availability) implements RdmaProvider {
        @Override
        public String name() {
            return "rdmacore";
        }

        @Override
        public List<Device> devices() {
            return List.of();
        }

        @Override
        public Optional<Device> device(String nameOrAddress) {
            return nameOrAddress.equals(ADAPTER.getHostAddress()) ? soft() : Optional.empty();
        }

        private static Optional<Device> soft() {
            return Rdma.provider("soft").device("127.0.0.1");
        }

        @Override
        public ConnectionManager connectionManager() {
            throw new IllegalStateException("not asked for");
        }
    }
}
