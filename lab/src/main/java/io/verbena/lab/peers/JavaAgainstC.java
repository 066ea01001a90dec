package io.verbena.lab.peers;

import io.verbena.lab.peers.Peer.Ready;
import io.verbena.tools.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Measures `perf` against perftest on the kernel's devices, from rxe1 to rxe0: `JavaAgainstC ROUNDS`. In each round
/// every test runs once in C and once in Java, with equal sizes, counts and depths; Java's first run is its warm-up and
/// does not count. Prints a table: median and range of each, and of their ratio in each round.
///
/// Our client is this process, our server one other. Both live through all rounds, because on an emulated processor the
/// JIT compilers need minutes.
public final class JavaAgainstC {
    private static final Duration LIMIT = Duration.ofSeconds(300);
    private static final String SERVER = "10.77.0.1";
    private static final int C_PORT = 18_515;
    private static final int OUR_PORT = 18_516;

    private final List<LanguageComparison> tests;
    private final Map<LanguageComparison, List<Double>> inC = new LinkedHashMap<>();
    private final Map<LanguageComparison, List<Double>> inJava = new LinkedHashMap<>();

    private JavaAgainstC(List<LanguageComparison> tests) {
        this.tests = tests;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        boolean oneProcessor = pin("server").isEmpty();
        var measuring =
                new JavaAgainstC(oneProcessor ? LanguageComparison.inInstructions() : LanguageComparison.inTime());
        Process server = startServer();
        try {
            for (int round = 0; round <= rounds; round++) {
                measuring.round(round);
            }
        } finally {
            server.destroy();
        }
        System.out.println("| test | unit | C | Java | Java / C |");
        System.out.println("|---|---|---|---|---|");
        measuring.tests.forEach(measuring::print);
        System.exit(0);
    }

    /// Starts the server of all tests, without options, because the client's count.
    private static Process startServer() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        pin("server").ifPresent(cpu -> command.addAll(List.of("taskset", "-c", cpu)));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "perf",
                "--device",
                SERVER,
                "-p",
                Integer.toString(OUR_PORT)));
        Process server = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!CProgram.awaitListening(OUR_PORT, LIMIT)) {
            server.destroy();
            throw new IllegalStateException("our server does not listen");
        }
        return server;
    }

    /// The processor to pin a side to, from the environment; empty when there is only one.
    private static Optional<String> pin(String side) {
        return Optional.ofNullable(System.getenv(side.equals("server") ? "SERVER_CPU" : "CLIENT_CPU"))
                .filter(cpu -> !cpu.isEmpty());
    }

    private void round(int round) throws InterruptedException {
        for (LanguageComparison test : tests) {
            if (round > 0) {
                add(inC, test, runC(test), "C", round);
            }
            double ours = runJava(test);
            if (round > 0) {
                add(inJava, test, ours, "Java", round);
            }
        }
    }

    private static void add(
            Map<LanguageComparison, List<Double>> all,
            LanguageComparison test,
            double value,
            String language,
            int round) {
        System.out.printf("round %d: %s in %s: %.2f %s%n", round, test.name(), language, value, test.unit());
        all.computeIfAbsent(test, _ -> new ArrayList<>()).add(value);
    }

    private static double runC(LanguageComparison test) throws InterruptedException {
        try (var server = new CProgram(pinned("server", test.c("rxe0", C_PORT)))) {
            if (!server.awaitReady(Ready.TCP, C_PORT, LIMIT)) {
                throw new IllegalStateException("the C server does not listen: " + server.output());
            }
            try (var client = new CProgram(pinned("client", test.c("rxe1", C_PORT) + " " + SERVER))) {
                int code = client.await(LIMIT);
                server.await(LIMIT);
                return test.value(code, client.output());
            }
        }
    }

    private static List<String> pinned(String side, String line) {
        List<String> words = new ArrayList<>();
        pin(side).ifPresent(cpu -> words.addAll(List.of("taskset", "-c", cpu)));
        words.addAll(List.of(line.split(" +")));
        return words;
    }

    private static double runJava(LanguageComparison test) {
        var text = new StringWriter();
        var out = new PrintWriter(text, true);
        int code = Main.run(out, out, test.ours("10.77.0.2", OUR_PORT, SERVER).split(" +"));
        return test.value(code, text.toString());
    }

    private void print(LanguageComparison test) {
        List<Double> c = inC.get(test);
        List<Double> java = inJava.get(test);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < c.size(); round++) {
            ratios.add(java.get(round) / c.get(round));
        }
        System.out.printf(
                "| `%s` | %s | %.2f (%.2f to %.2f) | %.2f (%.2f to %.2f) | %.3f (%.3f to %.3f) |%n",
                test.name(),
                test.unit(),
                median(c),
                least(c),
                most(c),
                median(java),
                least(java),
                most(java),
                median(ratios),
                least(ratios),
                most(ratios));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    private static double least(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    private static double most(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }
}
