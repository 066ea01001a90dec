package io.verbena.spark.jobs;

import io.verbena.report.Page;
import io.verbena.report.Svg;
import io.verbena.report.XmlText;
import java.util.List;

/// A page with the table of a comparison, and bars of what matters.
final class ComparePage {
    private static final int LEFT = 260;
    private static final int WIDTH = 640;
    private static final int ROW = 20;
    private static final int BAR = 14;
    private static final int NUMBERS = 80;

    private static final String STYLE = """
            .bar { fill: var(--spark-bar, #2a6fbb); } .bar.tcp { fill: #8a94a0; } .bar.sockets { fill: #3a9b6f; }
            svg text { fill: currentColor; font-size: 12px; }
            """;

    private ComparePage() {}

    static String of(Summary summary) {
        Svg body = new Svg().raw("<h1>Spark jobs by TCP and by RDMA</h1>");
        body.raw("<p>Medians. A first run is that of executors that have just started.</p>");
        body.raw(table(summary));
        for (Summary.Column column : List.of(Summary.Column.TIME, Summary.Column.WAIT, Summary.Column.CPU)) {
            body.raw("<h2>" + XmlText.escape(column.title()) + "</h2>").raw(bars(summary.rows(), column));
        }
        return Page.of("Spark by RDMA", STYLE, body.toString());
    }

    private static String table(Summary summary) {
        Svg table = new Svg().raw("<div class=\"wide\"><table><tr><th>job</th><th>way</th><th>runs</th>");
        for (Summary.Column column : Summary.Column.values()) {
            table.raw("<th>" + XmlText.escape(column.title()) + "</th>");
        }
        table.raw("</tr>");
        for (Summary.Row row : summary.rows()) {
            table.add(
                    "<tr><td>%s</td><td>%s</td><td>%d</td>",
                    XmlText.escape(row.label()), XmlText.escape(row.way().title()), row.runs());
            for (Summary.Column column : Summary.Column.values()) {
                table.raw("<td>" + column.format(row.median(column)) + "</td>");
            }
            table.raw("</tr>");
        }
        return table.raw("</table></div>").toString();
    }

    private static String bars(List<Summary.Row> rows, Summary.Column column) {
        double most = rows.stream().mapToDouble(row -> row.median(column)).max().orElse(0);
        Svg svg = new Svg()
                .add(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">",
                        LEFT + WIDTH + NUMBERS, ROW * rows.size());
        int y = 0;
        for (Summary.Row row : rows) {
            double length = most > 0 ? Math.max(0, row.median(column)) / most * WIDTH : 0;
            svg.add(
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
                    LEFT - 8,
                    y + BAR - 2,
                    XmlText.escape(row.label() + ", " + row.way().title()));
            svg.add(
                    "<rect class=\"bar %s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                    row.way().name().toLowerCase(), LEFT, y, length, BAR);
            svg.add(
                    "<text x=\"%.1f\" y=\"%d\">%s</text>",
                    LEFT + length + 6, y + BAR - 2, column.format(row.median(column)));
            y += ROW;
        }
        return svg.raw("</svg>").toString();
    }
}
