package io.verbena.tools.device;

import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.GidType;
import io.verbena.verbs.spi.RdmaProvider;
import java.net.InetAddress;
import java.util.Optional;
import java.util.stream.IntStream;

/// The choice of the options: a provider, and, when a device was named, that device with its address.
///
/// `device` and `address` are null when the connection manager chooses the device.
public record DeviceChoice(RdmaProvider provider, Device device, InetAddress address) {
    static DeviceChoice ofProvider(RdmaProvider provider) {
        return new DeviceChoice(provider, null, null);
    }

    public boolean isSoft() {
        return provider.name().equals(DeviceOptions.SOFT);
    }

    /// The choice itself when a device was named, else with the provider's first device. ENODEV when it has none.
    public DeviceChoice withDevice() {
        if (device != null) {
            return this;
        }
        Device first = provider.devices().stream()
                .findFirst()
                .orElseThrow(() -> new RdmaException(
                        "find a device of provider " + provider.name(),
                        Errno.ENODEV,
                        "it has none; 'verbena doctor' tells what is missing"));
        return new DeviceChoice(provider, first, addressOf(first).orElse(null));
    }

    /// The IP address to listen on or connect from: the first IPv4 address among the device's RoCEv2 GIDs, else the
    /// first of IPv6. Empty for a device without one, such as an InfiniBand adapter.
    static Optional<InetAddress> addressOf(Device device) {
        try (Context context = device.open()) {
            var addresses = IntStream.rangeClosed(1, context.attributes().portCount())
                    .mapToObj(context::gids)
                    .flatMap(gids -> gids.stream())
                    .filter(entry -> entry.type() == GidType.ROCE_V2)
                    .map(GidEntry::gid)
                    .toList();
            return addresses.stream()
                    .filter(gid -> gid.isIpv4())
                    .findFirst()
                    .or(() -> addresses.stream()
                            .filter(gid -> !gid.address().isLinkLocalAddress())
                            .findFirst())
                    .map(gid -> gid.address());
        }
    }
}
