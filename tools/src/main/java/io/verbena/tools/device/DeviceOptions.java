package io.verbena.tools.device;

import io.verbena.verbs.Device;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.spi.RdmaProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The options `--device`, `--provider` and `--path`, for every command that uses a device.
public final class DeviceOptions {
    public static final String SOFT = "soft";
    public static final String NATIVE_PROVIDER = "rdmacore";
    private static final String NATIVE = "native";

    @Option(
            names = "--device",
            paramLabel = "NAME|ADDRESS",
            description = {
                "The device to use: its name, or an IP address of this machine that it serves.",
                "'native' stands for the first adapter, 'soft' for the software device."
            })
    private String device;

    @Option(
            names = "--provider",
            paramLabel = "soft|rdmacore",
            completionCandidates = ProviderNames.class,
            description =
                    "Whose devices: the software device, or adapters. Default: the adapter that has the address in use,"
                            + " else soft.")
    private String provider;

    @Mixin
    private PathOption path;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /// For programs that have a second option for the device.
    public void name(String nameOrAddress) {
        device = nameOrAddress;
    }

    /// The value of `--path`, or null.
    public SoftPath path() {
        return path.value();
    }

    /// The chosen device. An unknown name is a usage error; a device that cannot be used here is a failure.
    public DeviceChoice choose() {
        return choose((String) null);
    }

    /// As [#choose()], for a program that uses that local address. Unless a device or provider is named, it is the
    /// adapter that has the address, else the software device, which can have every address. Null for any address.
    public DeviceChoice choose(InetAddress local) {
        if (device != null || path.isGiven() || local == null || local.isAnyLocalAddress() || provider() != null) {
            return choose();
        }
        return DeviceChoice.ofProvider(providerOf(Rdma.providers(), local));
    }

    static RdmaProvider providerOf(List<RdmaProvider> providers, InetAddress local) {
        return providers.stream()
                .filter(p -> !p.name().equals(SOFT))
                .filter(p -> p.availability().isAvailable())
                .filter(p -> p.device(local.getHostAddress()).isPresent())
                .findFirst()
                .or(() -> providers.stream().filter(p -> p.name().equals(SOFT)).findFirst())
                .orElseGet(Rdma::provider);
    }

    /// The local address that packets to `peer` are sent from, or null when there is no route.
    public static InetAddress sourceTowards(InetAddress peer) {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(peer, 1); // sends nothing
            return probe.getLocalAddress();
        } catch (IOException | UncheckedIOException noRoute) {
            return null;
        }
    }

    /// As [#choose()]; `usual` is the default provider, null for the one [Rdma#provider()] prefers.
    public DeviceChoice choose(String usual) {
        String wanted = provider();
        usePath(wanted);
        if (device == null || device.equals(SOFT)) {
            return DeviceChoice.ofProvider(wanted == null && usual == null ? Rdma.provider() : named(wanted, usual));
        }
        if (device.equals(NATIVE)) {
            return DeviceChoice.ofProvider(named(wanted, NATIVE_PROVIDER)).withDevice();
        }
        Device found = find(wanted);
        return withAddress(found, literal(device));
    }

    private String provider() {
        String property = System.getProperty(Rdma.PROVIDER_PROPERTY);
        // Only software devices have paths, so --path means one of them.
        boolean soft = SOFT.equals(device) || path.isGiven() && !NATIVE.equals(device);
        String wanted = provider != null ? provider : soft ? SOFT : property;
        if (wanted == null) {
            return null;
        }
        List<String> installed =
                Rdma.providers().stream().map(RdmaProvider::name).toList();
        if (!installed.contains(wanted)) {
            throw wrong("--provider: there is no provider '" + wanted + "'; installed are "
                    + installed.stream().sorted().collect(Collectors.joining(", ")));
        }
        return wanted;
    }

    private void usePath(String wanted) {
        if (!path.isGiven()) {
            return;
        }
        if (!SOFT.equals(wanted)) {
            throw notSoft(NATIVE.equals(device) ? "--device native" : "--provider " + wanted);
        }
        path.use();
    }

    private ParameterException notSoft(String what) {
        return wrong("--path is for the software device, and " + what + " asks for an adapter; leave one of them out");
    }

    private static RdmaProvider named(String wanted, String usual) {
        return Rdma.provider(wanted == null ? usual : wanted);
    }

    private Device find(String wanted) {
        Optional<Device> found = wanted != null
                ? Rdma.provider(wanted).device(device)
                : Rdma.providers().stream()
                        .filter(p -> p.availability().isAvailable())
                        .flatMap(p -> p.device(device).stream())
                        .findFirst();
        if (found.isEmpty() && path.isGiven() && isAdapter()) {
            throw notSoft("--device " + device);
        }
        return found.orElseThrow(() -> wrong("--device: there is no device '" + device + "'; "
                + "'verbena devices' lists them, and an address must be one of this machine"));
    }

    private boolean isAdapter() {
        return Rdma.providers().stream()
                .filter(p -> !p.name().equals(SOFT) && p.availability().isAvailable())
                .anyMatch(p -> p.device(device).isPresent());
    }

    private static DeviceChoice withAddress(Device device, InetAddress literal) {
        InetAddress address =
                literal != null ? literal : DeviceChoice.addressOf(device).orElse(null);
        return new DeviceChoice(Rdma.provider(device.provider()), device, address);
    }

    private static InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException aName) {
            return null;
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
