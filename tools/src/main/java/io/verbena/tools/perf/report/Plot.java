package io.verbena.tools.perf.report;

import io.verbena.tools.text.OutputFile;
import io.verbena.tools.text.XmlText;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Draws results into a self-contained file: no script, nothing from the network, for light and dark screens.
final class Plot {
    /// The file format, by the extension of the file name.
    enum Kind {
        SVG(results -> svg(results, true)),
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

    /// @param file whether to make a complete file, else a part of a page
    static String svg(List<SavedResult> results, boolean file) {
        List<Chart> charts = Charts.of(results);
        int height = charts.stream().mapToInt(ChartDrawing::height).sum();
        Svg svg = new Svg();
        if (file) {
            svg.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        }
        svg.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
                ChartDrawing.WIDTH, height, ChartDrawing.WIDTH, height);
        svg.add("<title>%s</title>", XmlText.escape(charts.getFirst().title()));
        svg.raw("<style>\n" + Palette.style() + "</style>");
        svg.add("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>", ChartDrawing.WIDTH, height);
        int offset = 0;
        for (Chart chart : charts) {
            new ChartDrawing(svg, chart).draw(offset);
            offset += ChartDrawing.height(chart);
        }
        return svg.raw("</svg>").toString();
    }
}
