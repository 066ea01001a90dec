package io.verbena.bench.report;

import io.verbena.report.ChartDrawing;
import io.verbena.report.Page;
import io.verbena.report.Svg;
import io.verbena.report.XmlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/// A self-contained page: bars for the goals, curves by size, and the tables below.
public final class HtmlReport {
    private static final String TITLE = "Verbena side by side";
    private static final String STYLE = "report.css";

    private HtmlReport() {}

    public static String of(BenchReport report) {
        Svg body = new Svg();
        body.add("<h1>%s</h1>", TITLE);
        body.add(
                "<p><b>%s.</b> Medians of %d rounds; ratios are of runs in the same round.<br/>%s</p>",
                report.summary(),
                report.timing().rounds(),
                XmlText.escape(report.machine().toString()));
        body.raw("<h2>Goals</h2>");
        card(body, GoalBars.of(report.outcomes()));
        body.raw("<h2>By size of message</h2>");
        for (Curves curves : Curves.values()) {
            curves.chart(report.records()).ifPresent(chart -> card(body, ChartDrawing.inline(List.of(chart))));
        }
        body.raw("<h2>Numbers</h2>");
        card(
                body,
                TextReport.of(report)
                        .lines()
                        .map(XmlText::escape)
                        .collect(Collectors.joining("\n", "<pre>", "</pre>")));
        return Page.of(TITLE, style(), body.toString());
    }

    private static void card(Svg body, String content) {
        body.raw("<div class='card'>" + content + "</div>");
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream(STYLE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + STYLE, e);
        }
    }
}
