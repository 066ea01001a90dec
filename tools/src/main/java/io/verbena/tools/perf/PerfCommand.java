package io.verbena.tools.perf;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.device.SoftPath;
import io.verbena.tools.perf.report.CompareCommand;
import io.verbena.tools.perf.report.PlotCommand;
import io.verbena.tools.perf.report.ReportOptions;
import io.verbena.tools.program.MemoryBudget;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.PeerTimeout;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.SideServer;
import io.verbena.tools.program.Usage;
import io.verbena.tools.trace.TraceOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The benchmarks of perftest: the same tests, options and protocol, so that either side may be a perftest program.
@Command(
        name = "perf",
        subcommands = {CompareCommand.class, PlotCommand.class},
        sortOptions = false,
        description = {
            "Measures latency or bandwidth of SEND, WRITE, READ and atomics between two processes.",
            "The server needs no TEST and no options: it uses the client's. Works with the programs of perftest (6.06), too;"
                    + " then TEST and options must be equal on both sides."
        },
        footer = {
            "",
            "TEST: send-lat send-bw write-lat write-bw read-lat read-bw atomic-lat atomic-bw",
            "",
            "Examples:",
            "  verbena perf                                    be the server of all tests",
            "  verbena perf send-lat 127.0.0.1                 half the round trip of a SEND of 2 bytes",
            "  verbena perf write-bw 10.0.0.2 -a               bandwidth by size",
            "  verbena perf read-lat 10.0.0.2 -s 64,4096 -D 5  five seconds each",
            "  verbena perf write-bw -s 4096                   be the server of: ib_write_bw -s 4096 HOST",
            "  verbena perf -R                                 be the server of clients with -R",
            "  verbena perf send-lat 10.0.0.2 -R               connect with rdma_cm, as ib_send_lat -R does",
            "",
            "Exit code 0 only when everything was measured (and, with --verify, right)."
        })
public final class PerfCommand implements Callable<Integer> {
    static final int USUAL_PORT = 18515;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "TEST",
            completionCandidates = TestNames.class,
            description = "What to measure, see below. A server needs it only for clients that are C programs.")
    private String testName;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "HOST",
            description = "Connect to the server on HOST. Without HOST: be the server.")
    private String host;

    @Mixin
    private PerfOptions what;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "The server's port: of TCP, with -R of rdma_cm. Default: " + USUAL_PORT + ".")
    private int port = USUAL_PORT;

    @Option(
            names = {"-R", "--rdma_cm"},
            description =
                    "Connect with rdma_cm and measure on its queue pairs (RC, UD), on both sides. No TCP is used.")
    private boolean managed;

    @Option(
            names = {"-x", "--gid-index"},
            paramLabel = "INDEX",
            description = "Row of the port's GID table. Default: RoCEv2 with the address in use.")
    private int gidIndex = -1;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "NAME",
            description = "As --device.")
    private String namedDevice;

    @Mixin
    private DeviceOptions device;

    @Mixin
    private ReportOptions report;

    @Mixin
    private TraceOptions trace;

    @Option(names = "--once", description = "Server: serve one client and end with its result.")
    private boolean once;

    @Mixin
    private PeerTimeout timeout;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "Client: how long to warm up before measuring, so that Java has compiled everything."
                    + " Default: ${DEFAULT-VALUE}.")
    private double warmUpSeconds = 1;

    @Option(
            names = {"-N", "--noPeak"},
            description = "Do not measure the peak bandwidth.")
    private boolean noPeak;

    @Option(
            names = {"-F", "--CPU-freq"},
            description = "Ignored; perftest has it.")
    private boolean ignored;

    @Mixin
    private Usage usage;

    @Override
    public Integer call() {
        PerfTest test = test();
        check(test);
        report.check();
        if (namedDevice != null) {
            device.name(namedDevice);
        }
        var output = new Output("perf", usage.out(), usage.err(), false);
        var settings = new SessionSettings(
                timeout.duration(),
                Duration.ofMillis((long) (warmUpSeconds * 1000)),
                !noPeak,
                report.gigabits(),
                host == null ? null : output,
                false);
        Usage.runUntilStopped(() -> {
            if (host == null) {
                serve(test, settings, output);
            } else {
                measure(test, usage.resolve("", host), settings);
            }
        });
        return 0;
    }

    private void serve(PerfTest test, SessionSettings settings, Output output) {
        DeviceChoice named = device.choose();
        var address = new InetSocketAddress(named.address() == null ? anyAddress() : named.address(), port);
        var service = new PerfService(
                local -> traced(device.choose(local), "server"),
                gidIndex,
                test == null ? null : found -> parameters(test, found),
                MemoryBudget.halfOfTheMachine("lower -s or -q"),
                settings,
                output);
        if (managed) {
            DeviceChoice listening = traced(named, "server");
            new ManagedServer(listening.provider().connectionManager(), address, service).run(once);
        } else {
            SideServer.serve(address, once, output, client -> service.serve(client.socket()));
        }
    }

    /// TCP listens on IPv6 and IPv4 at once; the connection manager of some devices only on one of them.
    private InetAddress anyAddress() {
        return managed ? InetAddress.ofLiteral("0.0.0.0") : new InetSocketAddress(0).getAddress();
    }

    private void measure(PerfTest test, InetAddress server, SessionSettings settings) {
        PerfListener listener = report.listener(test, usage.out());
        try {
            DeviceChoice towards = traced(device.choose(DeviceOptions.sourceTowards(server)), "client");
            var address = new InetSocketAddress(server, port);
            var client = new PerfClient(address, towards, gidIndex, settings, listener);
            if (managed) {
                client.runManaged(found -> parameters(test, found));
            } else {
                client.run(found -> parameters(test, found));
            }
        } catch (RuntimeException e) {
            listener.finished(Result.isInterrupt(e) ? "stopped" : e.getMessage());
            throw e;
        }
        listener.finished(null);
    }

    private DeviceChoice traced(DeviceChoice choice, String side) {
        return trace.apply(choice, side, usage.err());
    }

    /// What the options mean on that port; wrong usage when the test or the device cannot do it.
    private PerfParameters parameters(PerfTest test, PerfPort found) {
        var limits = new Limits(what.complete(test, found), usage::require);
        limits.checkTest(managed);
        limits.checkDevice(found);
        return limits.p();
    }

    private PerfTest test() {
        if (testName == null) {
            return null;
        }
        PerfTest test = PerfTest.of(testName);
        usage.require(
                test != null,
                "there is no test '" + testName + "'; tests are "
                        + Arrays.stream(PerfTest.values()).map(PerfTest::label).collect(Collectors.joining(", "))
                        + ", and HOST comes behind the test");
        return test;
    }

    private void check(PerfTest test) {
        what.check(test, usage);
        usage.require(
                what.isReliable() || device.path() != SoftPath.SHARED,
                "--path shared is for reliable connections; leave it out, or take -c RC");
        usage.require(
                !managed || gidIndex < 0,
                "-x and -R: rdma_cm chooses the GID by the address; --device ADDRESS names another");
        timeout.check(usage);
        usage.require(warmUpSeconds >= 0, "--warm-up must be 0 or more seconds");
        usage.require(host == null || !once, "--once is for servers, and a program with HOST is a client");
        usage.requirePort(port, host == null);
        for (String option : List.of("--json", "--plot")) {
            usage.require(host != null || !usage.isGiven(option), option + " is for clients: they have the results");
        }
        usage.require(
                namedDevice == null || !usage.isGiven("--device"), "-d and --device: one of them names the device");
    }
}
