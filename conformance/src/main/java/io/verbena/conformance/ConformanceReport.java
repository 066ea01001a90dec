package io.verbena.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// The tests of each rule and their results on each pairing: a table in Markdown without dates, so that two equal runs
/// write equal files. Written to `target/conformance.md`, or where the system property `verbena.conformance.report`
/// says, and beside it as a file `.tsv` from which reports of several runs are made into one. Safe from any thread.
public final class ConformanceReport implements AutoCloseable {
    /// System property that names the file.
    public static final String FILE_PROPERTY = "verbena.conformance.report";

    enum Result {
        PASSED,
        SKIPPED,
        FAILED
    }

    record Test(String rule, String contract, String name) implements Comparable<Test> {
        @Override
        public int compareTo(Test other) {
            int byContract = contract.compareTo(other.contract);
            return byContract != 0 ? byContract : name.compareTo(other.name);
        }
    }

    private final RuleCatalog catalog;
    private final Map<String, Map<Test, Map<String, RuleOutcome>>> byRule = new TreeMap<>();
    private final Map<String, String> unavailable = new TreeMap<>();
    private final Map<String, List<String>> differences = new TreeMap<>();
    private final TreeSet<String> pairings = new TreeSet<>();

    ConformanceReport(RuleCatalog catalog) {
        this.catalog = Objects.requireNonNull(catalog);
    }

    /// Makes one report of several: first the file to write, then the `.tsv` files to read.
    public static void main(String[] files) throws IOException {
        ConformanceReport report = new ConformanceReport(RuleCatalog.load());
        for (int i = 1; i < files.length; i++) {
            RuleResults.read(Path.of(files[i]), report);
        }
        Files.writeString(Path.of(files[0]), report.toMarkdown());
    }

    synchronized void record(String rule, String contract, String test, String pairing, Result result, String why) {
        outcome(rule, contract, test, pairing).add(result, 1, why);
    }

    /// The place for results of that test on that pairing.
    synchronized RuleOutcome outcome(String rule, String contract, String test, String pairing) {
        catalog.entry(rule);
        pairings.add(pairing);
        return byRule.computeIfAbsent(rule, r -> new TreeMap<>())
                .computeIfAbsent(new Test(rule, contract, test), t -> new TreeMap<>())
                .computeIfAbsent(pairing, p -> new RuleOutcome());
    }

    synchronized void unavailable(String pairing, String why) {
        unavailable.put(pairing, why);
    }

    synchronized void differences(String pairing, List<String> accepted) {
        if (!accepted.isEmpty()) {
            differences.put(pairing, List.copyOf(accepted));
        }
    }

    synchronized String toTabs() {
        RuleResults results = new RuleResults();
        unavailable.forEach(results::unavailable);
        differences.forEach(results::differences);
        byRule.values()
                .forEach(tests -> tests.forEach((test, byPairing) ->
                        byPairing.forEach((pairing, outcome) -> results.outcome(test, pairing, outcome))));
        return results.toString();
    }

    synchronized String toMarkdown() {
        StringBuilder out = new StringBuilder("# Conformance\n\n");
        out.append(
                        "Which rule is checked by which test, and how that ended on each pair of devices. Made by the tests of the\n")
                .append(
                        "module `conformance` and by `./verbena lab test`; see `conformance/README.md` for how to renew it.\n\n");
        unavailable.forEach((pairing, why) ->
                out.append("Not run: ").append(pairing).append(", ").append(why).append("\n\n"));
        out.append("## Checked rules\n\n| Rule | Text | Test |");
        pairings.forEach(pairing -> out.append(' ').append(pairing).append(" |"));
        out.append("\n|---|---|---|").append("---|".repeat(pairings.size())).append('\n');
        for (RuleCatalog.Entry entry : catalog.entries()) {
            appendRows(out, entry);
        }
        appendDifferences(out);
        out.append("\n## Rules without a test\n\n| Rule | Text | Why |\n|---|---|---|\n");
        for (RuleCatalog.Entry entry : catalog.entries()) {
            if (!byRule.containsKey(entry.id())) {
                String why = entry.open().isEmpty() ? "not in this run" : entry.open();
                out.append("| %s | %s | %s |\n".formatted(entry.id(), entry.text(), why));
            }
        }
        return out.toString();
    }

    private void appendRows(StringBuilder out, RuleCatalog.Entry entry) {
        String id = entry.id();
        String text = entry.text();
        for (var row : byRule.getOrDefault(id, Map.of()).entrySet()) {
            Test test = row.getKey();
            out.append("| %s | %s | %s.%s |".formatted(id, text, test.contract, test.name));
            for (String pairing : pairings) {
                RuleOutcome outcome = row.getValue().get(pairing);
                out.append(' ').append(outcome == null ? "not run" : outcome).append(" |");
            }
            out.append('\n');
            id = "";
            text = "";
        }
    }

    /// Each difference once, with the pairings that have it.
    private void appendDifferences(StringBuilder out) {
        if (differences.isEmpty()) {
            return;
        }
        Map<String, List<String>> where = new TreeMap<>();
        differences.forEach((pairing, lines) -> lines.forEach(
                line -> where.computeIfAbsent(line, l -> new ArrayList<>()).add(pairing)));
        out.append(
                        "\n## Accepted differences\n\nWhat a device does otherwise than the rules say, and its tests accept.\n\n")
                .append("| Difference | Where |\n|---|---|\n");
        where.forEach((line, at) -> out.append("| %s | %s |\n".formatted(line, String.join(", ", at))));
    }

    /// Writes the files.
    @Override
    public void close() {
        Path file = Path.of(System.getProperty(FILE_PROPERTY, "target/conformance.md"));
        String name = file.getFileName().toString();
        Path tabs = file.resolveSibling(name.replaceFirst("\\.md$", "") + ".tsv");
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            Files.writeString(file, toMarkdown());
            Files.writeString(tabs, toTabs());
        } catch (IOException e) {
            throw new UncheckedIOException("write " + file, e);
        }
    }
}
