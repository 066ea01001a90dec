package io.verbena.verbs;

import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// The way in: providers, their devices, and the connection manager.
///
/// ```java
/// try (Context context = Rdma.openDevice("127.0.0.1");
///         ProtectionDomain pd = context.allocateProtectionDomain()) { ... }
/// ```
///
/// Counterpart of `ibv_get_device_list` and `rdma_get_devices`. Which provider is preferred when several are there
/// is set by the system property `verbena.provider` (`rdmacore` or `soft`); without it a provider with adapters
/// comes first.
public final class Rdma {
    /// Name of the system property that picks the provider.
    public static final String PROVIDER_PROPERTY = "verbena.provider";

    private static final String SOFT = "soft";

    private Rdma() {}

    private static final class Installed {
        static final List<RdmaProvider> PROVIDERS = ServiceLoader.load(RdmaProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted((a, b) ->
                        Boolean.compare(a.name().equals(SOFT), b.name().equals(SOFT)))
                .toList();
    }

    /// Every installed provider, usable or not: [RdmaProvider#availability] tells which, and why.
    public static List<RdmaProvider> providers() {
        return Installed.PROVIDERS;
    }

    /// The provider that programs use unless they name one: the one of `verbena.provider`, else the first that is
    /// available and has a device, adapters before software.
    public static RdmaProvider provider() {
        String wanted = System.getProperty(PROVIDER_PROPERTY);
        if (wanted != null) {
            return provider(wanted);
        }
        for (RdmaProvider provider : providers()) {
            if (provider.availability().isAvailable() && !provider.devices().isEmpty()) {
                return provider;
            }
        }
        throw new RdmaException("find a provider", Errno.ENODEV, describe());
    }

    public static RdmaProvider provider(String name) {
        for (RdmaProvider provider : providers()) {
            if (provider.name().equals(name)) {
                return provider;
            }
        }
        throw new RdmaException("find provider " + name, Errno.ENODEV, describe());
    }

    /// All devices of all available providers.
    public static List<Device> devices() {
        List<Device> devices = new ArrayList<>();
        for (RdmaProvider provider : providers()) {
            if (provider.availability().isAvailable()) {
                devices.addAll(provider.devices());
            }
        }
        return devices;
    }

    /// The device with that name, or the one that serves that local IP address.
    public static Device device(String nameOrAddress) {
        for (RdmaProvider provider : providers()) {
            if (provider.availability().isAvailable()) {
                var device = provider.device(nameOrAddress);
                if (device.isPresent()) {
                    return device.get();
                }
            }
        }
        throw new RdmaException(
                "find device " + nameOrAddress,
                Errno.ENODEV,
                "no provider has it; devices here: "
                        + devices().stream().map(Device::name).toList());
    }

    /// Opens [#device] of that name.
    public static Context openDevice(String nameOrAddress) {
        return device(nameOrAddress).open();
    }

    /// The connection manager of [#provider()].
    public static ConnectionManager connectionManager() {
        return provider().connectionManager();
    }

    private static String describe() {
        if (providers().isEmpty()) {
            return "no provider is installed; put io.verbena.soft or io.verbena.rdmacore on the module or class path";
        }
        StringBuilder text = new StringBuilder("installed are");
        for (RdmaProvider provider : providers()) {
            text.append(' ')
                    .append(provider.name())
                    .append(" (")
                    .append(provider.availability())
                    .append(')');
        }
        return text.toString();
    }
}
