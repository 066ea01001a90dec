package io.verbena.verbs;

import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.List;
import java.util.Objects;

/// Where programs start: providers, their devices, and the connection manager.
///
/// ```java
/// try (Context context = Rdma.openDevice("127.0.0.1");
///         ProtectionDomain pd = context.allocateProtectionDomain()) { ... }
/// ```
///
/// Counterpart of `ibv_get_device_list` and `rdma_get_devices`. The system property `verbena.provider` (`rdmacore` or
/// `soft`) picks one provider: devices, [#device] and [#connectionManager] are then of that one only, so that they fit
/// together. Without it all available providers are searched, those with adapters before software.
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

    /// Opens [#device] with options, which also name the provider.
    ///
    /// ```java
    /// Context context = Rdma.openDevice("127.0.0.1", SoftOptions.defaults().path(SoftPath.UDP));
    /// ```
    public static Context openDevice(String nameOrAddress, DeviceOptions options) {
        Objects.requireNonNull(options, "the options are null; openDevice(address) opens a device without");
        return installed().device(nameOrAddress, options.provider()).open(options);
    }

    /// The connection manager of the provider of `verbena.provider`, if that is set. Else a connection manager that
    /// chooses the provider of each id when it is bound or resolved: the first that serves the local address, adapters
    /// before software, so that loopback addresses reach the software device on every machine. The any-address is
    /// [#provider()]'s. An event channel serves ids of one provider.
    public static ConnectionManager connectionManager() {
        return installed().connectionManager(wanted());
    }
}
