package io.verbena.rdmacore;

import io.verbena.rdmacore.cm.NativeConnectionManager;
import io.verbena.rdmacore.lib.Libraries;
import io.verbena.verbs.Device;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The devices that libibverbs knows.
public final class NativeProvider implements RdmaProvider {
    static final String NAME = "rdmacore";

    private static final Path DEVICE_FILES = Path.of("/dev/infiniband");

    public NativeProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability availability() {
        Availability library = Libraries.IBVERBS.availability();
        if (!library.isAvailable()) {
            return library;
        }
        try {
            return availabilityOf(DeviceList.read(), DEVICE_FILES);
        } catch (RdmaException e) {
            return Availability.unavailable(
                    e.getMessage(), "fix that, or use the software device (-Dverbena.provider=soft)");
        }
    }

    /// Whether one of the devices can be opened.
    static Availability availabilityOf(List<NativeDevice> devices, Path files) {
        if (devices.isEmpty()) {
            return Availability.unavailable(
                    "there is no RDMA device",
                    "load the adapter's kernel module, or add a software device to a network interface"
                            + " (modprobe rdma_rxe; rdma link add rxe0 type rxe netdev eth0), or use the"
                            + " software device (-Dverbena.provider=soft)");
        }
        for (NativeDevice device : devices) {
            Path file = files.resolve(device.kernelName());
            if (Files.isReadable(file) && Files.isWritable(file)) {
                return Availability.AVAILABLE;
            }
        }
        Path file = files.resolve(devices.getFirst().kernelName());
        return Files.exists(file)
                ? Availability.unavailable(
                        "no permission for " + file,
                        "let the user read and write it, for example by membership in its group")
                : Availability.unavailable(
                        "the file " + file + " is missing",
                        "load the kernel module ib_uverbs; a container needs --device=/dev/infiniband");
    }

    @Override
    public List<Device> devices() {
        return availability().isAvailable() ? List.copyOf(DeviceList.read()) : List.of();
    }

    /// By name, such as `mlx5_0`, or by an address in the GID table.
    @Override
    public Optional<Device> device(String nameOrAddress) {
        List<Device> devices = devices();
        Optional<Device> named = devices.stream()
                .filter(device -> device.name().equals(nameOrAddress))
                .findFirst();
        if (named.isPresent()) {
            return named;
        }
        try {
            Gid gid = Gid.of(InetAddress.ofLiteral(nameOrAddress));
            return devices.stream()
                    .filter(device -> serves((NativeDevice) device, gid))
                    .findFirst();
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    private static boolean serves(NativeDevice device, Gid gid) {
        try (var context = device.open()) {
            for (int port = 1; port <= context.portCount(); port++) {
                for (GidEntry row : context.gids(port)) {
                    if (row.gid().equals(gid)) {
                        return true;
                    }
                }
            }
            return false;
        } catch (RdmaException notUsable) {
            return false;
        }
    }

    /// One for the process, because all providers share librdmacm's devices.
    private static final class Connections {
        static final ConnectionManager MANAGER = new NativeConnectionManager();
    }

    @Override
    public ConnectionManager connectionManager() {
        return Connections.MANAGER;
    }
}
