package io.verbena.bench;

import io.verbena.bench.connections.ConnectionsCommand;
import io.verbena.bench.ours.Ours;
import io.verbena.bench.peer.PeerLibraries;
import io.verbena.bench.plain.Plain;
import io.verbena.bench.report.BenchReport;
import io.verbena.bench.report.HtmlReport;
import io.verbena.bench.report.JsonReport;
import io.verbena.bench.report.MachineInfo;
import io.verbena.bench.report.Picture;
import io.verbena.bench.report.TerminalProgress;
import io.verbena.bench.report.TextReport;
import io.verbena.bench.run.Cell;
import io.verbena.bench.run.Goal;
import io.verbena.bench.run.Goals;
import io.verbena.bench.run.Judge;
import io.verbena.bench.run.Outcome;
import io.verbena.bench.run.Records;
import io.verbena.bench.run.RunPlan;
import io.verbena.bench.run.Runner;
import io.verbena.bench.run.SystemCalls;
import io.verbena.bench.run.Timing;
import io.verbena.bench.side.Collector;
import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Namespaces;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.Settings;
import io.verbena.report.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// The command `./verbena bench`.
@Command(
        name = "./verbena bench",
        sortOptions = false,
        usageHelpWidth = 110,
        subcommands = ConnectionsCommand.class,
        description = "Compares Verbena with what a program would use otherwise, measured in turns in one run.",
        footer = {
            "",
            "Each round measures each contestant once; ratios are of runs in the same round. Peers that are not",
            "installed are skipped with the command that installs them. Use an idle machine. JVMs that are measured run",
            "with the collector and the heap that the JVM chooses by itself; the report says which collector that is.",
            "",
            "--quick measures all goals in as many rounds, and begins no further round after 150 seconds; of the rest",
            "it measures few sizes in two rounds, and only as long as 100 seconds are not over. The report says so when",
            "a goal has fewer than seven rounds.",
            "",
            "Examples:",
            "  ./verbena bench --quick                       the goals, in less than three minutes",
            "  ./verbena bench --plot report.html            everything, with a page of bars and curves",
            "  ./verbena bench --quick --only 'udp'          only what has udp in its name (see --list)",
            "  ./verbena bench --only 'mixed device'         other queue pairs and a UDP peer on the device",
            "  ./verbena bench --only '2 threads'            two threads against one, and plain copies by two",
            "  ./verbena bench --only 'G1'                   the collector G1 against Serial",
            "  ./verbena bench --json goals.json             goals.json and goals.json.all.json",
            "  sudo ./verbena bench --quick --namespaces     what uses a network, between two network namespaces",
            "  ./verbena bench connections                   10,000 connections, and one measured beside them",
            "",
            "Exit code: 0 when it ran, met goals or not; 1 when it failed; 2 for wrong usage."
        })
public final class SideBySide implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "fewer sizes and shorter runs: under three minutes")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "rounds (${DEFAULT-VALUE})", defaultValue = "7")
    private int rounds;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description = "only goals and measurements whose text, as --list shows it, contains this")
    private Pattern only;

    @Option(names = "--plot", paramLabel = "FILE", description = "write a page with bars and curves (HTML)")
    private Path plot;

    @Option(names = "--picture", paramLabel = "FILE", description = "write the picture of docs/performance.md (SVG)")
    private Path picture;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "write the goals to FILE, and everything to FILE.all.json")
    private Path json;

    @Option(
            names = "--ucx",
            paramLabel = "BINARY",
            description = "use this ucx_perftest (${DEFAULT-VALUE})",
            defaultValue = "ucx_perftest")
    private String ucx;

    @Option(
            names = "--namespaces",
            description =
                    "measure what uses a network between two network namespaces over veth, as root on Linux; they are removed afterwards")
    private boolean namespaces;

    @Option(
            names = "--list",
            description = "show contestants, goals and measurements (with --only: those), and measure nothing")
    private boolean list;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    private boolean help;

    private SideBySide() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return new CommandLine(new SideBySide())
                .registerConverter(Pattern.class, SideBySide::pattern)
                .setParameterExceptionHandler((e, given) -> misuse(e))
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    line.getErr().println("verbena: " + (e.getMessage() == null ? e : e.getMessage()));
                    return 1;
                })
                .execute(arguments);
    }

    private static int misuse(ParameterException e) {
        CommandLine line = e.getCommandLine();
        line.getErr().println("verbena: " + e.getMessage());
        line.getErr().println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
        return line.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static Pattern pattern(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            String why = e.getDescription();
            throw new TypeConversionException("'" + text + "' is no regular expression: "
                    + why.substring(0, 1).toLowerCase(Locale.ROOT) + why.substring(1));
        }
    }

    @Override
    public Integer call() throws IOException {
        if (rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds must be 1 or more, not " + rounds);
        }
        requireFolder(plot);
        requireFolder(json);
        requireFolder(picture);
        Contestant probe = Plain.cacheLine();
        List<Contestant> contestants = contestants();
        contestants.add(probe);
        List<Goal> goals = namespaces ? Goals.OVER_VETH : Goals.ALL;
        RunPlan plan = RunPlan.of(contestants, goals, quick, only);
        if (plan.goalCells().isEmpty() && plan.otherCells().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--only " + only + " matches nothing; --list shows what there is");
        }
        if (list) {
            list(contestants, plan);
            requireWritten();
            return 0;
        }
        BenchReport report = namespaces
                ? measureInNamespaces(contestants, probe, goals, plan)
                : measure(contestants, probe, goals, plan);
        show(report);
        requireWritten();
        if (report.records().cells().isEmpty()) {
            throw new IOException("nothing could be measured; see above");
        }
        return 0;
    }

    private List<Contestant> contestants() {
        List<Contestant> contestants = new ArrayList<>();
        if (namespaces) {
            contestants.addAll(Ours.overNetwork(Namespaces.NETWORK));
            contestants.addAll(PeerLibraries.overNetwork(new Settings(ucx, Namespaces.NETWORK)));
            contestants.addAll(Plain.overNetwork(Namespaces.NETWORK));
        } else {
            contestants.addAll(Ours.all());
            contestants.addAll(PeerLibraries.all(new Settings(ucx, Network.LOOPBACK)));
            contestants.addAll(Plain.all());
        }
        return contestants;
    }

    private BenchReport measureInNamespaces(
            List<Contestant> contestants, Contestant probe, List<Goal> goals, RunPlan plan) throws IOException {
        try (Namespaces _ = Namespaces.open()) {
            BenchReport report = measure(contestants, probe, goals, plan);
            report.remarks().put("network", Namespaces.REMARK);
            return report;
        }
    }

    /// `System.out` hides I/O errors.
    private static void requireWritten() throws IOException {
        if (System.out.checkError()) {
            throw new IOException("cannot write to standard output; is its disk full, or its reader gone?");
        }
    }

    /// Fails now rather than after ten minutes.
    private void requireFolder(Path file) {
        if (file != null && !Files.isDirectory(file.toAbsolutePath().getParent())) {
            throw new ParameterException(spec.commandLine(), "there is no folder for " + file);
        }
    }

    private BenchReport measure(List<Contestant> contestants, Contestant probe, List<Goal> goals, RunPlan plan)
            throws IOException {
        MachineInfo machine = MachineInfo.here(Collector.ofChildren());
        Timing timing = quick ? Timing.quick(rounds) : Timing.full(rounds);
        TerminalProgress progress = TerminalProgress.here();
        progress.noteLoad();
        try (Runner runner = new Runner(contestants, probe, plan, timing, progress)) {
            Records records = runner.run();
            SystemCalls.Count calls = runner.countSystemCalls();
            List<Outcome> outcomes = new Judge(records, runner::absence, calls).judge(goals, plan.goals());
            Map<String, String> remarks = new LinkedHashMap<>();
            Map<String, String> skipped = new LinkedHashMap<>();
            for (Contestant contestant : contestants) {
                boolean there = records.cells().stream()
                        .anyMatch(cell -> cell.contestant().equals(contestant.name()));
                if (there && !contestant.remark().isEmpty()) {
                    remarks.put(contestant.name(), contestant.remark());
                } else if (!there && !runner.absence(contestant.name()).equals(Outcome.LEFT_OUT)) {
                    skipped.put(contestant.name(), runner.absence(contestant.name()));
                }
            }
            return new BenchReport(machine, timing, records, outcomes, remarks, skipped);
        }
    }

    private void show(BenchReport report) {
        System.out.print(TextReport.of(report));
        if (json != null) {
            OutputFile.write(json, JsonReport.goals(report));
            Path all = json.resolveSibling(json.getFileName() + ".all.json");
            OutputFile.write(all, JsonReport.everything(report));
            System.out.println("wrote " + json + " and " + all);
        }
        if (picture != null) {
            OutputFile.write(picture, Picture.of(report.records()));
            System.out.println("wrote " + picture);
        }
        if (plot != null) {
            OutputFile.write(plot, HtmlReport.of(report));
            System.out.println("wrote " + plot);
        }
    }

    private static void list(List<Contestant> contestants, RunPlan plan) {
        System.out.println("Contestants:");
        for (Contestant contestant : contestants) {
            if (plan.cellsOf(contestant.name()).isEmpty()) {
                continue;
            }
            System.out.println("  " + contestant.name()
                    + contestant.missing().map(why -> ": missing: " + why).orElse(""));
        }
        System.out.println("Goals:");
        for (Goal goal : plan.goals()) {
            System.out.println("  " + goal + ": " + goal.sign() + " " + goal.target());
        }
        System.out.println("Measurements for the goals:");
        plan.goalCells().forEach(SideBySide::item);
        System.out.println("Other measurements:");
        plan.otherCells().forEach(SideBySide::item);
    }

    private static void item(Cell cell) {
        System.out.println("  " + cell);
    }
}
