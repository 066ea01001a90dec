package io.verbena.conformance;

import io.verbena.conformance.ConformanceReport.Result;
import io.verbena.conformance.ConformanceReport.Test;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Results as lines with tabs, to be made into one report with those of other runs:
///
/// ```
/// test         rule  contract  test  pairing  passed  skipped  failed  why
/// difference   pairing  text...
/// unavailable  pairing  why
/// ```
final class RuleResults {
    private final StringBuilder lines = new StringBuilder();

    void outcome(Test test, String pairing, RuleOutcome outcome) {
        line(
                "test",
                test.rule(),
                test.contract(),
                test.name(),
                pairing,
                Integer.toString(outcome.count(Result.PASSED)),
                Integer.toString(outcome.count(Result.SKIPPED)),
                Integer.toString(outcome.count(Result.FAILED)),
                outcome.why());
    }

    void differences(String pairing, List<String> texts) {
        line("difference", pairing, String.join("\t", texts));
    }

    void unavailable(String pairing, String why) {
        line("unavailable", pairing, why.lines().findFirst().orElse(""));
    }

    private void line(String... fields) {
        lines.append(String.join("\t", fields)).append('\n');
    }

    @Override
    public String toString() {
        return lines.toString();
    }

    static void read(Path file, ConformanceReport into) throws IOException {
        for (String line : Files.readAllLines(file)) {
            String[] field = line.split("\t", -1);
            switch (field[0]) {
                case "test" -> {
                    RuleOutcome outcome = into.outcome(field[1], field[2], field[3], field[4]);
                    outcome.add(Result.PASSED, Integer.parseInt(field[5]), field[8]);
                    outcome.add(Result.SKIPPED, Integer.parseInt(field[6]), field[8]);
                    outcome.add(Result.FAILED, Integer.parseInt(field[7]), field[8]);
                }
                case "difference" ->
                    into.differences(field[1], Arrays.asList(field).subList(2, field.length));
                case "unavailable" -> into.unavailable(field[1], field[2]);
                default -> throw new IOException(file + " has a line of an unknown kind: " + line);
            }
        }
    }
}
