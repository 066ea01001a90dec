package io.verbena.bench.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// The command `./verbena soak`.
@Command(
        name = "./verbena soak",
        sortOptions = false,
        usageHelpWidth = 110,
        description = "Keeps software devices busy for long, in several processes, and checks that they stay sound.",
        footer = {
            "",
            "On each path, shared memory and UDP with packets that get lost, doubled, reordered and damaged, one",
            "process lives through all of it. Turn by turn, in an order that follows from the seed, it exchanges messages",
            "with a partner that is killed (-9) or stopped in the middle, connects and disconnects, or is flooded with",
            "forged packets, while connections to a second partner go on. Every byte is checked, every wait has a",
            "deadline, and memory, descriptors and threads of that process must stay flat: their last third is compared",
            "with the first one after a warm-up, which needs a run of at least a minute.",
            "",
            "Examples:",
            "  ./verbena soak                           half an hour",
            "  ./verbena soak --time 2m                 two minutes, as in continuous integration",
            "  ./verbena soak --time 8h --json a.json   over night, with the result as JSON",
            "  ./verbena soak --seed 42                 the turns of an earlier run again",
            "",
            "Exit code: 0 when all is well; 1 when something was wrong; 2 for wrong usage."
        })
public final class Soak implements Callable<Integer> {
    private static final Duration ROW = Duration.ofSeconds(5);
    private static final int ROWS_PER_HEAD = 20;
    private static final long POLL_INTERVAL_MS = 100;
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(s|m|h)");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--time",
            paramLabel = "TIME",
            description = "how long, as in 90s, 2m or 8h (${DEFAULT-VALUE})",
            defaultValue = "30m")
    private Duration time;

    @Option(names = "--seed", paramLabel = "N", description = "seed of the order of turns (default: from the clock)")
    private Long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "write the result to FILE")
    private Path json;

    /// To test that a defect is found: partners send a wrong byte from this message on.
    @Option(names = "--wrong-byte-in", paramLabel = "N", hidden = true, defaultValue = "0")
    private int wrongByteIn;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    private boolean help;

    private Soak() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Soak())
                .registerConverter(Duration.class, Soak::duration)
                .setParameterExceptionHandler((e, given) -> misuse(e))
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    line.getErr().println("verbena: " + (e.getMessage() == null ? e : e.getMessage()));
                    return 1;
                })
                .execute(arguments));
    }

    private static int misuse(ParameterException e) {
        CommandLine line = e.getCommandLine();
        line.getErr().println("verbena: " + e.getMessage());
        line.getErr().println("Try '" + line.getCommandName() + " --help'.");
        return line.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static Duration duration(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw new TypeConversionException("'" + text + "' is no time; write 90s, 2m or 8h");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (json != null && !Files.isDirectory(json.toAbsolutePath().getParent())) {
            throw new ParameterException(spec.commandLine(), "there is no folder for " + json);
        }
        if (!Files.isDirectory(Path.of("/proc/self/fd"))) {
            throw new IOException("this test stops processes and reads /proc, so it needs Linux");
        }
        long number = seed == null ? System.currentTimeMillis() : seed;
        System.out.println("Seed " + number + ", " + time.toSeconds() + " s");
        List<SurvivorProcess> survivors = new ArrayList<>();
        try {
            SoakPath[] paths = SoakPath.values();
            String network = Loopback.freeNetwork(paths.length * Survivor.ADDRESSES);
            for (SoakPath path : paths) {
                int first = 1 + path.ordinal() * Survivor.ADDRESSES;
                survivors.add(new SurvivorProcess(path, network, first, number + path.ordinal(), time, wrongByteIn));
            }
            watch(survivors);
        } finally {
            survivors.forEach(SurvivorProcess::close);
        }
        String repeat = "./verbena soak --seed " + number + " --time " + time.toSeconds() + "s";
        SoakReport.summary(survivors, number, repeat).forEach(System.out::println);
        if (json != null) {
            Files.writeString(json, SoakReport.json(survivors, number, time));
        }
        return survivors.stream().allMatch(survivor -> survivor.failure() == null) ? 0 : 1;
    }

    /// Waits until all are done, or one has failed.
    private static void watch(List<SurvivorProcess> survivors) throws InterruptedException {
        long startNs = System.nanoTime();
        int rows = 0;
        while (!survivors.stream().allMatch(SurvivorProcess::isOver)
                && survivors.stream().allMatch(survivor -> survivor.failure() == null)) {
            Thread.sleep(POLL_INTERVAL_MS);
            survivors.forEach(SurvivorProcess::readOutput);
            Duration elapsed = Duration.ofNanos(System.nanoTime() - startNs);
            if (elapsed.compareTo(ROW.multipliedBy(rows + 1)) >= 0) {
                if (rows++ % ROWS_PER_HEAD == 0) {
                    System.out.println(SoakReport.head());
                }
                survivors.forEach(survivor -> System.out.println(
                        SoakReport.row(elapsed, survivor.path(), survivor.counters(), survivor.sample())));
            }
        }
    }
}
