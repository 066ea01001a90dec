package io.verbena.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which rule is checked by which test, and how that ended on each pairing: a table in Markdown without dates, so
/// that two equal runs write equal files. Written to `target/conformance.md`, or where the system property
/// `verbena.conformance.report` says. Safe from any thread.
public final class ConformanceReport implements AutoCloseable {
    /// System property that names the file.
    public static final String FILE_PROPERTY = "verbena.conformance.report";

    enum Result {
        PASSED,
        SKIPPED,
        FAILED
    }

    private record Test(String rule, String contract, String name) implements Comparable<Test> {
        @Override
        public int compareTo(Test other) {
            int byContract = contract.compareTo(other.contract);
            return byContract != 0 ? byContract : name.compareTo(other.name);
        }
    }

    private static final class Outcome {
        private final Map<Result, Integer> counts = new EnumMap<>(Result.class);
        private String why = "";

        void add(Result result, String reason) {
            counts.merge(result, 1, Integer::sum);
            if (why.isEmpty() && reason != null) {
                why = reason;
            }
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            counts.forEach((result, n) -> text.append(text.isEmpty() ? "" : ", ")
                    .append(result.name().toLowerCase())
                    .append(n > 1 ? " " + n : ""));
            return why.isEmpty()
                    ? text.toString()
                    : text + " (" + why.replace("|", "\\|").lines().findFirst().orElse("") + ")";
        }
    }

    private final RuleCatalog catalog;
    private final Map<String, Map<Test, Map<String, Outcome>>> byRule = new TreeMap<>();
    private final Map<String, String> unavailable = new TreeMap<>();
    private final TreeSet<String> pairings = new TreeSet<>();

    ConformanceReport(RuleCatalog catalog) {
        this.catalog = Objects.requireNonNull(catalog);
    }

    synchronized void record(String rule, String contract, String test, String pairing, Result result, String why) {
        catalog.entry(rule);
        pairings.add(pairing);
        byRule.computeIfAbsent(rule, r -> new TreeMap<>())
                .computeIfAbsent(new Test(rule, contract, test), t -> new TreeMap<>())
                .computeIfAbsent(pairing, p -> new Outcome())
                .add(result, why);
    }

    synchronized void unavailable(String pairing, String why) {
        unavailable.put(pairing, why);
    }

    synchronized String toMarkdown() {
        StringBuilder out = new StringBuilder("# Conformance\n\n");
        out.append(
                        "Which rule is checked by which test, and how that ended on each pair of devices. Made by the tests of the\n")
                .append("module `conformance`; see `conformance/README.md` for how to renew it.\n\n");
        unavailable.forEach((pairing, why) ->
                out.append("Not run: ").append(pairing).append(", ").append(why).append("\n\n"));
        out.append("## Checked rules\n\n| Rule | Text | Test |");
        pairings.forEach(pairing -> out.append(' ').append(pairing).append(" |"));
        out.append("\n|---|---|---|").append("---|".repeat(pairings.size())).append('\n');
        for (RuleCatalog.Entry entry : catalog.entries()) {
            appendRows(out, entry);
        }
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
                Outcome outcome = row.getValue().get(pairing);
                out.append(' ').append(outcome == null ? "not run" : outcome).append(" |");
            }
            out.append('\n');
            id = "";
            text = "";
        }
    }

    /// Writes the file.
    @Override
    public void close() {
        Path file = Path.of(System.getProperty(FILE_PROPERTY, "target/conformance.md"));
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            Files.writeString(file, toMarkdown());
        } catch (IOException e) {
            throw new UncheckedIOException("write " + file, e);
        }
    }
}
