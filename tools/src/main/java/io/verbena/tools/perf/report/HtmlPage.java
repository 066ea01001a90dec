package io.verbena.tools.perf.report;

import io.verbena.tools.perf.report.SavedResult.Size;
import io.verbena.tools.text.XmlText;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// An HTML page with the plot, and all figures in a table below it.
final class HtmlPage {
    private static final String STYLE = """
            :root { color-scheme: light dark; }
            body { margin: 2rem auto; max-width: 980px; padding: 0 1rem; background: #ffffff; color: #14181d;
                   font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 14px; }
            body > svg { max-width: 100%; height: auto; }
            .wide { overflow-x: auto; }
            table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
            th, td { padding: 0.3rem 0.7rem; text-align: right; border-bottom: 1px solid #e4e7eb; }
            th:first-child, td:first-child { text-align: left; }
            p { color: #5a626d; }
            @media (prefers-color-scheme: dark) {
            body { background: #14181d; color: #f2f4f6; }
            th, td { border-color: #2a3037; }
            p { color: #a4acb7; }
            }
            """;

    private HtmlPage() {}

    static String of(List<SavedResult> results) {
        Svg page = new Svg();
        page.raw("<!DOCTYPE html>");
        page.raw("<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">");
        page.raw("<head><meta charset=\"UTF-8\"/>");
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>");
        page.raw("<title>verbena perf</title>");
        page.raw("<style>\n" + STYLE + "</style></head>");
        page.raw("<body>");
        page.raw(Plot.svg(results, false));
        results.forEach(result -> addTable(page, result));
        return page.raw("</body>").raw("</html>").toString();
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
