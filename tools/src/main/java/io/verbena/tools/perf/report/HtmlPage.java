package io.verbena.tools.perf.report;

import io.verbena.report.ChartDrawing;
import io.verbena.report.Numbers;
import io.verbena.report.Page;
import io.verbena.report.Svg;
import io.verbena.report.XmlText;
import io.verbena.tools.perf.report.SavedResult.Size;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// An HTML page with the plot, and all figures in a table below it.
final class HtmlPage {
    private HtmlPage() {}

    static String of(List<SavedResult> results) {
        Svg body = new Svg().raw(ChartDrawing.inline(Charts.of(results)));
        results.forEach(result -> addTable(body, result));
        return Page.of("verbena perf", "", body.toString());
    }

    private static void addTable(Svg page, SavedResult result) {
        List<Metric> metrics = List.of(Metric.values()).stream()
                .filter(metric ->
                        result.sizes().stream().anyMatch(size -> size.values().containsKey(metric)))
                .toList();
        page.raw("<h2>" + XmlText.escape(result.name() + ": " + result.test()) + "</h2>");
        page.raw("<p>" + XmlText.escape(text(result.environment())) + "</p>");
        page.raw("<p>" + XmlText.escape(text(result.parameters())) + "</p>");
        page.raw("<div class=\"wide\"><table><tr><th>bytes</th>"
                + metrics.stream()
                        .map(metric -> "<th>" + XmlText.escape(metric.label()) + "<br/>" + XmlText.escape(metric.unit())
                                + "</th>")
                        .collect(Collectors.joining())
                + "</tr>");
        for (Size size : result.sizes()) {
            page.raw("<tr><td>" + size.bytes() + "</td>"
                    + metrics.stream()
                            .map(metric -> "<td>" + cell(size.values().get(metric)) + "</td>")
                            .collect(Collectors.joining())
                    + "</tr>");
        }
        page.raw("</table></div>");
    }

    private static String cell(Double value) {
        return value == null ? "-" : Numbers.plain(value);
    }

    private static String text(Map<String, Object> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + " " + ResultComparison.text(field.getValue()))
                .collect(Collectors.joining(" · "));
    }
}
