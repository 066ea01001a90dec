package io.verbena.tools.perf.report;

import io.verbena.report.ChartDrawing;
import io.verbena.report.OutputFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Draws results into a self-contained file: no script, nothing from the network, for light and dark screens.
final class Plot {
    /// The file format, by the extension of the file name.
    enum Kind {
        SVG(results -> ChartDrawing.file(Charts.of(results))),
        HTML(HtmlPage::of);

        private final Function<List<SavedResult>, String> text;

        Kind(Function<List<SavedResult>, String> text) {
            this.text = text;
        }
    }

    private Plot() {}

    static Optional<Kind> kind(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.endsWith(".svg")
                ? Optional.of(Kind.SVG)
                : name.endsWith(".html") || name.endsWith(".htm") ? Optional.of(Kind.HTML) : Optional.empty();
    }

    static String wrongName(String option, Path file) {
        return option + ": cannot tell the format from '" + file + "'; use .svg or .html";
    }

    static void write(Path file, List<SavedResult> results) {
        OutputFile.write(file, text(kind(file).orElseThrow(), results));
    }

    static String text(Kind kind, List<SavedResult> results) {
        return kind.text.apply(results);
    }
}
