package io.verbena.tools.demo;

import io.verbena.report.Json;
import io.verbena.tools.demo.DemoPeer.Phase;
import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.device.SoftPath;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.text.ByteCount;
import io.verbena.tools.text.Style;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Shows RDMA at work on this machine, without an adapter: two processes, and every step of both.
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Shows RDMA between two processes, on the software device or on an adapter.",
            "First an exchange with every step of both sides, then latency and bandwidth beside plain sockets."
        },
        footer = {
            "",
            "Examples:",
            "  verbena demo                             on the software device",
            "  verbena demo --path udp                  on the software device, over UDP loopback",
            "  verbena demo --trace demo.pcap --quick   with the packets, for Wireshark",
            "  verbena demo --device native             on the first adapter",
            "  verbena demo --device 10.0.0.1           on the device that has this address",
            "",
            "Exit code 0 only when every byte that was transferred was compared and found right."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final long LARGEST_ROUND = 256L << 20;
    private static final int SAMPLE_ROUND_TRIPS = 100;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            defaultValue = "1m",
            description =
                    "Bytes of one large RDMA WRITE; k, m and g stand for KiB, MiB and GiB. Default: ${DEFAULT-VALUE}.")
    private long size;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "Least number of large WRITEs, spread over the rounds. Default: 448.")
    private Integer count;

    @Option(
            names = "--trace",
            paramLabel = "FILE.pcap",
            description = "Write the packets of an exchange and a few round trips to a file.")
    private Path trace;

    @Mixin
    private DeviceOptions device;

    @Option(names = "--json", description = "Print the results as JSON, and nothing else.")
    private boolean json;

    @Option(names = "--quick", description = "Measure for a few seconds only; the numbers are less exact.")
    private boolean quick;

    @Option(names = "--measure-only", description = "Leave out the exchange.")
    private boolean measureOnly;

    @Option(
            names = "--check",
            description = "Fail when a goal is missed: round trip at most 1.0 of TCP, bandwidth at least 0.8.")
    private boolean check;

    @Spec
    private CommandSpec spec;

    private final Results results = new Results();
    private Place place;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PeerOptions options = options();
        // reports what is missing before any process is started; the default is the software device
        place = Place.of(device.choose(DeviceOptions.SOFT), device.path());
        if (trace != null && !place.isSoft()) {
            throw wrong(
                    "--trace: only the software device writes its packets to a file; capture an adapter's with tcpdump");
        }
        if (trace != null && device.path() == SoftPath.SHARED) {
            throw wrong("--trace: packets are on UDP only; leave out --path shared");
        }
        results.load(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter steps = json ? new PrintWriter(PrintWriter.nullWriter()) : out;
        steps.println(Style.BOLD.on("Two processes, " + place.title()));
        var timeline = new Timeline(steps);
        timeline.heading();
        if (trace != null) {
            traced(options, timeline, steps);
        }
        List<Phase> phases =
                trace != null || measureOnly ? List.of(Phase.MEASURE) : List.of(Phase.EXCHANGE, Phase.MEASURE);
        session(phases, options, place, List.of(), timeline, results);
        requireVerified(results);
        Results overUdp = isUdpWanted() ? overUdp(options, steps) : null;
        boolean good = !check || results.meetsGoals();
        if (json) {
            Map<String, Object> all = results.json();
            if (overUdp != null) {
                all.put("roundTripOverUdp", overUdp.roundTripJson());
                all.put("streamOverUdp", overUdp.streamJson());
            }
            all.put("verified", true);
            out.println(Json.write(all));
        } else {
            new ResultTable(out, results, overUdp).print(options);
            conclude(out, good);
        }
        return good ? 0 : 1;
    }

    private void conclude(PrintWriter out, boolean good) {
        out.println();
        if (results.isDisturbed()) {
            ResultTable.say(
                    out,
                    Style.YELLOW,
                    "the load average before was %.1f on %d processors: other programs may have disturbed the numbers",
                    results.load(),
                    Results.PROCESSORS);
        }
        if (!good) {
            out.println(Style.YELLOW.on("a goal was missed"));
        }
        String readBack = measureOnly ? "" : ", and the %,d read back";
        ResultTable.say(
                out,
                Style.GREEN,
                "verified: all %,d bytes written into the server" + readBack,
                results.verifiedBytes(Session.SERVER),
                results.verifiedBytes(Session.CLIENT));
    }

    /// Whether to measure UDP, too: when shared memory was used and no path was asked for.
    private boolean isUdpWanted() {
        return !quick && !SoftPath.isSaid() && results.isOverSharedMemory();
    }

    private Results overUdp(PeerOptions options, PrintWriter steps) throws IOException, InterruptedException {
        steps.println("the same measurements over UDP, in two more processes ...");
        steps.flush();
        var measured = new Results();
        var unseen = new Timeline(new PrintWriter(PrintWriter.nullWriter()));
        session(List.of(Phase.MEASURE), options, place.over(SoftPath.UDP), List.of(), unseen, measured);
        requireVerified(measured);
        return measured;
    }

    private static void requireVerified(Results measured) {
        if (!measured.isVerified()) {
            throw new ProgramException("only " + measured.verifiedBytes(Session.SERVER) + " of "
                    + measured.writtenBytes() + " bytes were verified");
        }
    }

    private void session(
            List<Phase> phases,
            PeerOptions options,
            Place where,
            List<String> serverProperties,
            Timeline timeline,
            Results into)
            throws IOException, InterruptedException {
        try (var session = new Session(
                phases, where, options, serverProperties, spec.commandLine().getErr())) {
            session.run(message -> {
                timeline.onMessage(message);
                into.onMessage(message);
            });
        } finally {
            timeline.finish();
        }
    }

    /// Capturing costs time, so it has a session of its own, without measurements.
    private void traced(PeerOptions options, Timeline timeline, PrintWriter out)
            throws IOException, InterruptedException {
        var few = new PeerOptions(SAMPLE_ROUND_TRIPS, 1, options.writeBytes(), 1, 0);
        try (var file = new Trace(trace)) {
            session(List.of(Phase.EXCHANGE, Phase.SAMPLE), few, place, List.of(file.property()), timeline, results);
            out.println();
            file.print(out);
            out.println();
        }
    }

    private PeerOptions options() {
        int rounds = quick ? 3 : 7;
        int writes = count == null ? quick ? 48 : 448 : count;
        if (size < 1) {
            throw wrong("--size must be at least 1");
        }
        if (writes < 1) {
            throw wrong("--count must be at least 1");
        }
        if (trace != null && !Files.isDirectory(trace.toAbsolutePath().getParent())) {
            throw wrong("--trace: there is no folder " + trace.toAbsolutePath().getParent());
        }
        int ofRound = Math.ceilDiv(writes, rounds);
        if (size > LARGEST_ROUND / ofRound) {
            throw wrong("--size times --count is too much: at most " + ResultTable.bytes(rounds * LARGEST_ROUND));
        }
        return new PeerOptions(quick ? 1_000 : 5_000, rounds, size, ofRound, quick ? 300 : 1_000);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
