package io.verbena.tools;

import io.verbena.tools.text.Json;
import io.verbena.tools.text.Style;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.spi.RdmaProvider;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Lists the RDMA devices of this machine, and says of each provider that has none why.
///
/// As `ibv_devices` and `ibv_devinfo` do for adapters.
@Command(
        name = "devices",
        mixinStandardHelpOptions = true,
        description = "Lists the RDMA devices here, and why a provider has none.",
        footer = {
            "",
            "Examples:",
            "  verbena devices                       one line for each device",
            "  verbena devices -v                    everything about each, with the verbs it supports",
            "  verbena devices --provider rdmacore   only adapters",
            "  verbena devices --json                for programs",
            "",
            "Exit code 1 when there is no device. 'verbena doctor' tells more about what is missing."
        })
final class DevicesCommand implements Callable<Integer> {
    private static final String ROW = "%-9s  %-18s  %-26s  %-12s  %-18s  %s";

    private static final String NO_DEVICE = "usable, but has no device";
    private static final String NO_DEVICE_REMEDY = "'verbena doctor' tells what is missing";

    @Option(
            names = {"-v", "--verbose"},
            description = "Show all attributes, ports, addresses and supported verbs of each device.")
    private boolean verbose;

    @Option(
            names = "--provider",
            paramLabel = "soft|rdmacore",
            description = "Only the devices of that provider. Default: all.")
    private String only;

    @Option(names = "--json", description = "Print everything as JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    DevicesCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<RdmaProvider> providers = providers();
        List<DeviceFacts> devices = new ArrayList<>();
        for (RdmaProvider provider : providers) {
            if (provider.availability().isAvailable()) {
                provider.devices().forEach(device -> devices.add(DeviceFacts.of(device, verbose || json)));
            }
        }
        if (json) {
            out.println(Json.write(Json.object(
                    "devices", devices.stream().map(DeviceFacts::json).toList(),
                    "providers", providers.stream().map(DevicesCommand::json).toList())));
        } else {
            print(out, devices);
            printMissing(out, providers);
        }
        return devices.isEmpty() ? Main.FAILED : Main.DONE;
    }

    private List<RdmaProvider> providers() {
        List<RdmaProvider> chosen = Rdma.providers().stream()
                .filter(provider -> only == null || provider.name().equals(only))
                .toList();
        if (only != null && chosen.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--provider: there is no provider '" + only + "'");
        }
        return chosen;
    }

    private void print(PrintWriter out, List<DeviceFacts> devices) {
        if (!devices.isEmpty()) {
            out.println(Style.BOLD.on(row("provider", "device", "type", "state", "address", "limits")));
        }
        for (DeviceFacts device : devices) {
            out.println(row(
                    device.provider(),
                    device.name(),
                    device.type(),
                    device.state(),
                    device.address(),
                    device.limits()));
            if (verbose) {
                device.text().forEach((name, value) -> out.printf(Locale.ROOT, "    %-44s %s%n", name, value));
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
        return Json.object(
                "name",
                provider.name(),
                "available",
                availability.isAvailable(),
                "devices",
                count,
                "cause",
                empty ? NO_DEVICE : availability.cause(),
                "remedy",
                empty ? NO_DEVICE_REMEDY : availability.remedy());
    }
}
