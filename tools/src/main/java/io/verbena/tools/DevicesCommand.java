package io.verbena.tools;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import io.verbena.tools.device.ProviderNames;
import io.verbena.tools.text.Style;
import io.verbena.verbs.Device;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.spi.RdmaProvider;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Lists the RDMA devices of this machine, and for each provider without devices the reason.
///
/// The counterpart of `ibv_devices` and `ibv_devinfo`.
@Command(
        name = "devices",
        mixinStandardHelpOptions = true,
        description = "Lists the RDMA devices of this machine, and why a provider has none.",
        footer = {
            "",
            "Examples:",
            "  verbena devices                       what there is: type, state, address, limits, capabilities",
            "  verbena devices -v mlx5_0             everything about one, with the verbs it supports",
            "  verbena devices 10.0.0.1              the device that serves this address",
            "  verbena devices --provider rdmacore   only adapters",
            "  verbena devices --json                for programs",
            "",
            "Exit code 0 when there is a device, 1 when there is none, 2 for wrong usage.",
            "'verbena doctor' tells more about what is missing."
        })
final class DevicesCommand implements Callable<Integer> {
    private static final String ROW = "%-9s  %-18s  %-26s  %-12s  %s";
    private static final String FACT = "    %-13s %s%n";
    private static final String ATTRIBUTE = "    %-44s %s%n";

    private static final String NO_DEVICE = "usable, but has no device";
    private static final String NO_DEVICE_REMEDY = "'verbena doctor' tells what is missing";

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME|ADDRESS",
            description = "Only the device of that name or IP address.")
    private String named;

    @Option(
            names = {"-d", "--device"},
            paramLabel = "NAME|ADDRESS",
            description = "The same, under the name that ibv_devinfo uses.")
    private String alsoNamed;

    @Option(
            names = {"-v", "--verbose"},
            description = "Show all attributes, ports, addresses and supported verbs of each device.")
    private boolean verbose;

    @Option(
            names = "--provider",
            paramLabel = "soft|rdmacore",
            completionCandidates = ProviderNames.class,
            description = "Only the devices of that provider. Default: all.")
    private String only;

    @Option(names = "--json", description = "Print everything as JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private final Supplier<List<RdmaProvider>> installed;

    DevicesCommand() {
        this(Rdma::providers);
    }

    DevicesCommand(Supplier<List<RdmaProvider>> installed) {
        this.installed = installed;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        String wanted = wanted();
        List<RdmaProvider> providers = providers();
        List<DeviceFacts> devices = new ArrayList<>();
        for (RdmaProvider provider : providers) {
            if (provider.availability().isAvailable()) {
                find(provider, wanted).forEach(device -> devices.add(DeviceFacts.of(device, verbose || json)));
            }
        }
        if (json) {
            out.println(Json.write(new JsonObject()
                    .with("ok", !devices.isEmpty())
                    .with("error", devices.isEmpty() ? none(wanted) : "")
                    .with("devices", devices.stream().map(DeviceFacts::json).toList())
                    .with(
                            "providers",
                            providers.stream().map(DevicesCommand::json).toList())));
        } else {
            print(out, devices);
            if (wanted == null) {
                printMissing(out, providers);
            }
        }
        out.flush();
        if (devices.isEmpty()) {
            spec.commandLine().getErr().println("verbena: " + none(wanted));
            return Main.FAILED;
        }
        return Main.DONE;
    }

    private String wanted() {
        if (named != null && alsoNamed != null) {
            throw new ParameterException(spec.commandLine(), "the device is named twice; leave out -d");
        }
        return named != null ? named : alsoNamed;
    }

    /// A named device need not be among the listed ones: all of 127.0.0.0/8 are devices.
    private static List<Device> find(RdmaProvider provider, String wanted) {
        return wanted == null
                ? provider.devices()
                : provider.device(wanted).stream().toList();
    }

    private static String none(String wanted) {
        return wanted == null
                ? "no RDMA device found; " + NO_DEVICE_REMEDY
                : "there is no device '" + wanted
                        + "'; 'verbena devices' lists them, and an address must be one of this" + " machine";
    }

    private List<RdmaProvider> providers() {
        List<RdmaProvider> all = installed.get();
        List<RdmaProvider> chosen = all.stream()
                .filter(provider -> only == null || provider.name().equals(only))
                .toList();
        if (only != null && chosen.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--provider: there is no provider '" + only + "'; installed are "
                            + all.stream().map(RdmaProvider::name).sorted().collect(Collectors.joining(", ")));
        }
        return chosen;
    }

    private void print(PrintWriter out, List<DeviceFacts> devices) {
        if (devices.isEmpty()) {
            return;
        }
        out.println(devices.size() == 1 ? "1 RDMA device found" : devices.size() + " RDMA devices found");
        out.println(Style.BOLD.on(row("provider", "device", "type", "state", "address")));
        for (DeviceFacts device : devices) {
            out.println(row(device.provider(), device.name(), device.type(), device.state(), device.address()));
            device.summary().forEach((name, value) -> out.printf(Locale.ROOT, FACT, name, value));
            if (verbose) {
                device.text().forEach((name, value) -> out.printf(Locale.ROOT, ATTRIBUTE, name, value));
            }
        }
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, ROW, cells).stripTrailing();
    }

    private static void printMissing(PrintWriter out, List<RdmaProvider> providers) {
        if (providers.isEmpty()) {
            out.println("no provider is installed; put the module io.verbena.soft on the module path");
        }
        for (RdmaProvider provider : providers) {
            var availability = provider.availability();
            if (!availability.isAvailable()) {
                out.println(Style.YELLOW.on(
                        "provider " + provider.name() + ": " + availability.cause() + "; " + availability.remedy()));
            } else if (provider.devices().isEmpty()) {
                out.println(
                        Style.YELLOW.on("provider " + provider.name() + ": " + NO_DEVICE + "; " + NO_DEVICE_REMEDY));
            }
        }
    }

    private static Map<String, Object> json(RdmaProvider provider) {
        var availability = provider.availability();
        int count = availability.isAvailable() ? provider.devices().size() : 0;
        boolean empty = availability.isAvailable() && count == 0;
        return new JsonObject()
                .with("name", provider.name())
                .with("available", availability.isAvailable())
                .with("devices", count)
                .with("cause", empty ? NO_DEVICE : availability.cause())
                .with("remedy", empty ? NO_DEVICE_REMEDY : availability.remedy());
    }
}
