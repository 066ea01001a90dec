package io.verbena.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A self-contained page: bars for the goals, curves by size, and the tables below.
public final class HtmlReport {
    private static final String STYLE = "report.css";

    private HtmlReport() {}

    public static String of(BenchReport report) {
        StringBuilder page = new StringBuilder();
        page.append("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n")
                .append("<meta name='viewport' content='width=device-width, initial-scale=1'>\n")
                .append("<title>Verbena side by side</title>\n<style>\n")
                .append(style())
                .append("</style></head><body>\n<h1>Verbena side by side</h1>\n");
        page.append(Html.format(
                "<p><b>%s.</b> Medians of %d rounds; ratios are of runs in the same round.<br>%s</p>%n",
                report.summary(),
                report.timing().rounds(),
                Html.escape(report.machine().toString())));
        page.append("<h2>Goals</h2>\n<div class='card'>")
                .append(GoalBars.of(report.outcomes()))
                .append("</div>\n");
        for (Curves curves : Curves.values()) {
            List<CurveChart.Series> series = curves.series(report.records());
            if (!series.isEmpty()) {
                page.append(Html.format("<h2>%s</h2>%n<div class='card'>", Html.escape(curves.title())))
                        .append(CurveChart.of(curves.axis(), curves::text, series))
                        .append("</div>\n");
            }
        }
        page.append("<h2>Numbers</h2>\n<div class='card'><pre>")
                .append(Html.escape(TextReport.of(report)))
                .append("</pre></div>\n</body></html>\n");
        return page.toString();
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream(STYLE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + STYLE, e);
        }
    }
}
