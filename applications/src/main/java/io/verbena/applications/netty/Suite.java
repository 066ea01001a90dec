package io.verbena.applications.netty;

import io.verbena.applications.Jvm;
import io.verbena.applications.Libraries;
import io.verbena.applications.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Runs Netty's tests of sockets over several transports, the first of which is the measure for the others, and
/// compares.
///
/// Arguments: the transports, such as `tcp,rdma,loss`, then simple names of test classes; none for all. With
/// `-Dapplications.address=ADDRESS` the classes of [AtAddress].
public final class Suite {
    private static final Duration DEADLINE = Duration.ofMinutes(15);

    private Suite() {}

    /// Runs and prints a table; the exit code is 1 when a transport fails a test that the first one passes.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        String[] classes = java.util.Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length);
        List<SuiteResults> results = new ArrayList<>();
        for (Transport transport : Transport.list(arguments.length == 0 ? "tcp,rdma" : arguments[0])) {
            results.add(run(transport, true, classes));
        }
        System.out.print(table(results));
        boolean bad = false;
        for (SuiteResults result : results.subList(1, results.size())) {
            for (String worse : result.worseThan(results.getFirst())) {
                System.out.println("worse over " + result.transport() + ": " + worse);
                bad = true;
            }
        }
        System.exit(bad ? 1 : 0);
    }

    /// Runs the tests over a transport.
    ///
    /// @param show prints the lines of tests that failed, with their stack traces
    /// @param classes simple names; none for all
    public static SuiteResults run(Transport transport, boolean show, String... classes)
            throws IOException, InterruptedException {
        try (Jvm jvm = Jvm.command(SuiteRunner.class.getName(), classes)
                .over(transport)
                .options("-Dio.netty.transport.noNative=true", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off")
                .options(
                        AtAddress.ADDRESS == null
                                ? new String[0]
                                : new String[] {"-Dapplications.address=" + AtAddress.ADDRESS})
                .log(Libraries.folder().resolve("netty-suite-" + transport + ".log"))
                .start()) {
            List<String> lines;
            try {
                lines = jvm.await(DEADLINE);
            } catch (IllegalStateException e) {
                System.out.println(transport + ": " + e.getMessage());
                lines = jvm.lines();
            }
            if (show) {
                lines.stream()
                        .filter(line ->
                                !line.startsWith(SuiteResults.MARK) || line.startsWith(SuiteResults.MARK + "\tfailed"))
                        .forEach(line -> System.out.println(transport + "| " + line));
            }
            return SuiteResults.parse(transport.name(), lines);
        }
    }

    /// One row for each class: how many of its tests passed of all that were not skipped, and the time.
    public static String table(List<SuiteResults> results) {
        StringBuilder table = new StringBuilder("| class | tests |");
        results.forEach(result -> table.append(" %s passed | skipped | s |".formatted(result.transport())));
        table.append("\n|---|---|")
                .append("---|---|---|".repeat(results.size()))
                .append('\n');
        for (String name : results.getFirst().byClass().keySet()) {
            row(table, name, results);
        }
        return table.toString();
    }

    private static void row(StringBuilder table, String name, List<SuiteResults> results) {
        table.append("| %s | %d |"
                .formatted(name, results.getFirst().byClass().get(name).size()));
        for (SuiteResults result : results) {
            Map<String, List<SuiteResults.Test>> classes = result.byClass();
            List<SuiteResults.Test> tests = classes.getOrDefault(name, List.of());
            table.append(" %d | %d | %.1f |"
                    .formatted(
                            tests.stream()
                                    .filter(test -> test.status().equals("passed"))
                                    .count(),
                            tests.stream()
                                    .filter(test -> test.status().equals("skipped"))
                                    .count(),
                            tests.stream().mapToLong(SuiteResults.Test::timeMs).sum() / 1000.0));
        }
        table.append('\n');
    }
}
