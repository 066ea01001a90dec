package io.verbena.lab.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/// What was tried, with which result: printed, counted, and a line each in results.tsv (see `lab/guest/step.sh`).
final class Results {
    private static final Map<String, String> ENVIRONMENT = System.getenv();

    private int passed;
    private int failed;

    static String kernel() {
        return ENVIRONMENT.getOrDefault("LAB_KERNEL", "?");
    }

    /// Where results are left.
    static Path folder() {
        return Path.of(ENVIRONMENT.getOrDefault("RESULTS", "/run/lab/results"));
    }

    boolean isGood() {
        return failed == 0 && passed > 0;
    }

    @Override
    public String toString() {
        return "%d passed, %d failed".formatted(passed, failed);
    }

    /// What is tried: the columns of results.tsv.
    record Attempt(String peer, String program, String direction, String device, String what) {}

    /// @param wrong empty when all went well
    /// @param startNs when it began
    void add(Attempt attempt, String wrong, long startNs) {
        long seconds = Math.round((System.nanoTime() - startNs) / 1e9);
        String result = wrong.isEmpty() ? "passed" : "failed";
        System.out.printf(
                "%s: %s, %s, %s, %s (%d s)%n%s",
                result, attempt.program, attempt.direction, attempt.device, attempt.what, seconds, wrong);
        if (wrong.isEmpty()) {
            passed++;
        } else {
            failed++;
        }
        String line = String.join(
                        "\t",
                        ENVIRONMENT.getOrDefault("STEP", "peers"),
                        attempt.peer,
                        attempt.program,
                        attempt.direction,
                        attempt.device,
                        kernel(),
                        attempt.what,
                        result,
                        Long.toString(seconds))
                + "\n";
        Path file = folder().resolve("results.tsv");
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
