package io.verbena.verbs;

import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.List;

/// The way in: providers, their devices, and the connection manager.
///
/// ```java
/// try (Context context = Rdma.openDevice("127.0.0.1");
///         ProtectionDomain pd = context.allocateProtectionDomain()) { ... }
/// ```
///
/// Counterpart of `ibv_get_device_list` and `rdma_get_devices`. The system property `verbena.provider` (`rdmacore`
/// or `soft`) picks one provider: devices, [#device] and [#connectionManager] are then of that one only, so that
/// they fit together. Without it all available providers are asked, those with adapters before software.
public final class Rdma {
    /// Name of the system property that picks the provider.
    public static final String PROVIDER_PROPERTY = "verbena.provider";

    private Rdma() {}

    private static final class Installed {
        static final Providers ALL = Providers.installed();
    }

    private static Providers installed() {
        return Installed.ALL;
    }

    private static String wanted() {
        return System.getProperty(PROVIDER_PROPERTY);
    }

    /// Every installed provider, usable or not: [RdmaProvider#availability] tells which, and why.
    public static List<RdmaProvider> providers() {
        return installed().all();
    }

    /// The provider that programs use unless they name one: the one of `verbena.provider`, else the first that is
    /// available and has a device, adapters before software. ENODEV, with the reasons, when there is none.
    public static RdmaProvider provider() {
        return installed().preferred(wanted());
    }

    /// The provider of that name. ENODEV when it is not installed or cannot be used here; the message says why and
    /// what to do.
    public static RdmaProvider provider(String name) {
        return installed().named(name);
    }

    /// All devices: of the provider of `verbena.provider`, else of all available providers.
    public static List<Device> devices() {
        return installed().devices(wanted());
    }

    /// The device with that name, or the one that serves that local IP address; of the provider of
    /// `verbena.provider` if that is set, else of the first provider that has it.
    public static Device device(String nameOrAddress) {
        return installed().device(nameOrAddress, wanted());
    }

    /// Opens [#device] of that name.
    public static Context openDevice(String nameOrAddress) {
        return device(nameOrAddress).open();
    }

    /// The connection manager of [#provider()].
    public static ConnectionManager connectionManager() {
        return provider().connectionManager();
    }
}
