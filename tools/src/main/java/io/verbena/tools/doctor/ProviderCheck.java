package io.verbena.tools.doctor;

import io.verbena.tools.device.DeviceOptions;
import io.verbena.verbs.Device;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.List;
import java.util.stream.Collectors;

/// The availability of adapters, as their providers report it.
record ProviderCheck(List<RdmaProvider> providers) implements Check {
    static ProviderCheck here() {
        return new ProviderCheck(Rdma.providers().stream()
                .filter(provider -> !provider.name().equals(DeviceOptions.SOFT)) // SoftDeviceCheck checks it
                .toList());
    }

    @Override
    public boolean needsAdapter() {
        return true;
    }

    @Override
    public List<Finding> run(Machine machine) {
        return providers.stream().map(ProviderCheck::look).toList();
    }

    private static Finding look(RdmaProvider provider) {
        String subject = "provider " + provider.name();
        var availability = provider.availability();
        if (!availability.isAvailable()) {
            return Finding.warning(subject, availability.cause(), availability.remedy());
        }
        List<Device> devices = provider.devices();
        if (devices.isEmpty()) {
            return Finding.warning(
                    subject, "usable, but has no device", "modprobe rdma_rxe; rdma link add rxe0 type rxe netdev eth0");
        }
        return Finding.ok(subject, devices.stream().map(Device::name).collect(Collectors.joining(", ")));
    }
}
