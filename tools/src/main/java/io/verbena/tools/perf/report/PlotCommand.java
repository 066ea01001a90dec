package io.verbena.tools.perf.report;

import io.verbena.report.OutputFile;
import io.verbena.tools.program.ProgramException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Draws several saved results into one plot.
@Command(
        name = "plot",
        mixinStandardHelpOptions = true,
        description = "Draws results of 'perf --json' in one plot: latency by percentile, bandwidth by size.",
        footer = {
            "",
            "Examples:",
            "  verbena perf plot old.json new.json -o both.svg      a picture",
            "  verbena perf plot a.json b.json c.json -o all.html   a page, with the figures in tables",
            "",
            "Exit code 0 when the file was written, 1 when it could not be, 2 when a result cannot be read."
        })
public final class PlotCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "RESULT.json", description = "Results; each is named after its file.")
    private List<Path> files;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE.svg|.html",
            description = "The file to write.")
    private Path output;

    @Spec
    private CommandSpec spec;

    PlotCommand() {}

    @Override
    public Integer call() {
        Plot.Kind kind = Plot.kind(output).orElseThrow(() -> wrong(Plot.wrongName("--output", output)));
        String text;
        try {
            text = Plot.text(kind, named(files.stream().map(SavedResult::read).toList()));
        } catch (ProgramException e) {
            throw wrong(e.getMessage());
        }
        OutputFile.write(output, text);
        return 0;
    }

    /// Files of the same name in different folders are named by their paths.
    private List<SavedResult> named(List<SavedResult> results) {
        boolean unique = results.stream().map(SavedResult::name).distinct().count() == results.size();
        return unique
                ? results
                : IntStream.range(0, results.size())
                        .mapToObj(i -> results.get(i).withName(files.get(i).toString()))
                        .toList();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
