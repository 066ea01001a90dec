package io.verbena.tools.perf.report;

import io.verbena.report.Json;
import io.verbena.report.OutputFile;
import io.verbena.tools.perf.PerfListener;
import io.verbena.tools.perf.PerfTest;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The options for the output of a run, and the listeners that write it.
public final class ReportOptions {
    private static final String STANDARD_OUTPUT = "-";

    @Option(
            names = "--json",
            paramLabel = "FILE|-",
            description = {
                "Write each run as a JSON document: to a file, which the next run replaces, or with '-' to the output,"
                        + " then in place of the tables."
            })
    private String json;

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg|.html",
            description = "Draw latency by percentile, bandwidth by size. 'perf plot' draws several results together.")
    private Path plot;

    @Option(
            names = "--report_gbits",
            description =
                    "Show bandwidth in Gbit/s (10^9 bits), not in MB/s (2^20 bytes); with a C peer on both sides.")
    private boolean gigabits;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /// Whether standard output is for a JSON document only.
    public boolean isJsonOnOutput() {
        return STANDARD_OUTPUT.equals(json);
    }

    /// Whether bandwidth is in Gbit/s, in tables and in what perftest's programs send each other.
    public boolean gigabits() {
        return gigabits;
    }

    /// Refuses files that cannot be written, before anything is measured.
    public void check() {
        if (plot != null) {
            Plot.kind(plot).orElseThrow(() -> wrong(Plot.wrongName("--plot", plot)));
            checkFolder("--plot", plot);
        }
        if (json != null && !isJsonOnOutput()) {
            checkFolder("--json", Path.of(json));
        }
    }

    private void checkFolder(String option, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder)) {
            throw wrong(option + ": " + file + " cannot be written: "
                    + (Files.isDirectory(file) ? "it is a folder" : "the folder does not exist"));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /// Creates the listener of one run.
    public PerfListener listener(PerfTest test, PrintWriter out) {
        List<Consumer<Map<String, Object>>> documents = new ArrayList<>();
        if (json != null) {
            documents.add(document -> writeJson(out, Json.write(document) + "\n"));
        }
        if (plot != null) {
            documents.add(this::writePlot);
        }
        Optional<TextReport> tables = isJsonOnOutput() ? Optional.empty() : Optional.of(new TextReport(out, gigabits));
        return new RunReport(test, tables, documents);
    }

    private void writeJson(PrintWriter out, String text) {
        if (isJsonOnOutput()) {
            out.print(text);
            out.flush();
        } else {
            OutputFile.write(Path.of(json), text);
        }
    }

    /// A run that was stopped before its first message has no plot.
    private void writePlot(Map<String, Object> document) {
        var unnamed = SavedResult.of("", "the result", document);
        var result = unnamed.withName(String.valueOf(unnamed.environment().get("device")));
        if (result.sizes().stream().anyMatch(size -> size.messages() > 0)) {
            Plot.write(plot, List.of(result));
        }
    }
}
