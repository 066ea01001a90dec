package io.verbena.conformance;

import io.verbena.conformance.ConformanceReport.Result;
import java.util.EnumMap;
import java.util.Map;

/// How often one test ended in which way on one pairing, and the first reason given.
final class RuleOutcome {
    private final Map<Result, Integer> counts = new EnumMap<>(Result.class);
    private String why = "";

    void add(Result result, int times, String reason) {
        if (times == 0) {
            return;
        }
        counts.merge(result, times, Integer::sum);
        if (why.isEmpty() && reason != null) {
            why = reason.lines()
                    .findFirst()
                    .orElse("")
                    .replace('\t', ' ')
                    .replaceFirst("^Assumption failed: ", "")
                    .replaceAll("0x[0-9a-f]+", "0x...") // keys and addresses: other ones in each run
                    .replaceAll("\\b127(\\.\\d+){3}\\b", "127...");
        }
    }

    int count(Result result) {
        return counts.getOrDefault(result, 0);
    }

    String why() {
        return why;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        counts.forEach((result, n) -> text.append(text.isEmpty() ? "" : ", ")
                .append(result.name().toLowerCase())
                .append(n > 1 ? " " + n : ""));
        return why.isEmpty() ? text.toString() : text + " (" + why.replace("|", "\\|") + ")";
    }
}
