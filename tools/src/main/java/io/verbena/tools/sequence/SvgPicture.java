package io.verbena.tools.sequence;

import io.verbena.report.Svg;
import io.verbena.report.XmlText;
import io.verbena.tools.recording.Arrow;
import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceStep;
import io.verbena.tools.sequence.Layout.PlacedArrow;
import io.verbena.tools.sequence.Layout.PlacedFold;
import io.verbena.tools.sequence.Layout.PlacedStep;
import java.util.Locale;

/// Draws a sequence diagram with four life lines: the program and the device of either side. Text stays text, there is
/// no script, and the colours follow the viewer's choice of light or dark.
final class SvgPicture {
    private static final int MARGIN = 62;
    private static final int LOCAL = 236;
    private static final int WIRE = 180;
    private static final int WIDTH = 2 * MARGIN + 2 * LOCAL + WIRE;
    private static final int BOX_HEIGHT = 26;
    private static final int BOX_WIDTH = 108;
    private static final int TITLE_HEIGHT = 34;
    private static final int PADDING = 14;
    private static final int LEGEND_HEIGHT = 20;

    private static final String STYLE = """
            text{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1f2328}
            .sans{font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
            .title{font-size:15px;font-weight:600}.head{font-size:12px;font-weight:600}
            .paper{fill:#fff}.box{fill:#f6f8fa;stroke:#afb8c1}.life{stroke:#afb8c1;stroke-dasharray:2 3}
            .call{stroke:#57606a;fill:#57606a}text.call{fill:#1f2328}
            .event{stroke:#8250df;fill:#8250df}.done{stroke:#1a7f37;fill:#1a7f37}.bad{stroke:#cf222e;fill:#cf222e}
            .wire{stroke:#0969da;fill:#0969da;stroke-width:1.5}.back{stroke-dasharray:5 3}
            .fold{stroke:#afb8c1}.fold text{fill:#57606a}
            @media (prefers-color-scheme:dark){text,text.call{fill:#e6edf3}
            .paper{fill:#0d1117}.box{fill:#161b22;stroke:#484f58}.life{stroke:#484f58}
            .call{stroke:#8b949e;fill:#8b949e}
            .event{stroke:#d2a8ff;fill:#d2a8ff}.done{stroke:#3fb950;fill:#3fb950}.bad{stroke:#ff7b72;fill:#ff7b72}
            .wire{stroke:#58a6ff;fill:#58a6ff}
            .fold{stroke:#484f58}.fold text{fill:#8b949e}}
            text.call,text.event,text.done,text.bad,text.wire,.fold text,.tip{stroke:none}""";

    private final Svg out = new Svg();
    private final Layout layout;
    private final String title;
    private final String[] roles;
    private final long startNs;

    private SvgPicture(Layout layout, String title, String[] roles, long startNs) {
        this.layout = layout;
        this.title = title;
        this.roles = roles;
        this.startNs = startNs;
    }

    /// The position of the first step, below the heads.
    static int top(String title) {
        return (title.isEmpty() ? PADDING : TITLE_HEIGHT) + BOX_HEIGHT + Layout.ROW + 4;
    }

    /// @param roles of the left side and of the right side
    static String of(Layout layout, String title, String[] roles, long startNs) {
        return new SvgPicture(layout, title, roles, startNs).draw();
    }

    private String draw() {
        boolean hasMemory =
                layout.messages().stream().anyMatch(message -> message.arrow().isMemory());
        int height = layout.end() + PADDING + (hasMemory ? LEGEND_HEIGHT : 0);
        out.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">",
                WIDTH, height, WIDTH, height);
        out.raw("<title>" + XmlText.escape(title.isEmpty() ? "Sequence diagram" : title) + "</title>");
        out.raw("<style>" + STYLE + "</style>");
        out.raw("<defs>" + marker("call") + marker("event") + marker("done") + marker("bad") + marker("wire")
                + "</defs>");
        out.add("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>", WIDTH, height);
        if (!title.isEmpty()) {
            out.raw(text(WIDTH / 2, 22, "sans title", "middle", title));
        }
        heads();
        layout.folds().forEach(this::fold);
        layout.messages().forEach(this::message);
        layout.steps().forEach(this::step);
        if (hasMemory) {
            legend(layout.end() + PADDING);
        }
        out.raw("</svg>");
        return out.toString();
    }

    private static String marker(String name) {
        return format(
                "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\""
                        + " markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"%s tip\" d=\"M0 1 8 4 0 7z\"/></marker>",
                name, name);
    }

    private static int program(Side side) {
        return side == Side.CLIENT ? MARGIN : WIDTH - MARGIN;
    }

    private static int device(Side side) {
        return side == Side.CLIENT ? MARGIN + LOCAL : WIDTH - MARGIN - LOCAL;
    }

    private void heads() {
        for (Side side : Side.values()) {
            head(program(side), roles[side.ordinal()]);
            head(device(side), "its device");
        }
    }

    private void head(int x, String name) {
        int y = title.isEmpty() ? PADDING : TITLE_HEIGHT;
        out.add("<line class=\"life\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", x, y + BOX_HEIGHT, x, layout.end());
        out.add(
                "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>",
                x - BOX_WIDTH / 2, y, BOX_WIDTH, BOX_HEIGHT);
        out.raw(text(x, y + 17, "sans head", "middle", name));
    }

    private void fold(PlacedFold fold) {
        out.add(
                "<g class=\"fold\"><path d=\"M%d %dH%dM%d %dH%d\" stroke-dasharray=\"1 4\"/>%s</g>",
                MARGIN,
                fold.y(),
                WIDTH / 2 - 90,
                WIDTH / 2 + 90,
                fold.y(),
                WIDTH - MARGIN,
                text(
                        WIDTH / 2,
                        fold.y() + 4,
                        "sans",
                        "middle",
                        fold.rounds() + (fold.rounds() == 1 ? " more like this" : " more like these")));
    }

    private void message(PlacedArrow placed) {
        Arrow arrow = placed.arrow();
        int from = device(arrow.origin());
        int to = device(arrow.origin().other());
        out.add(
                "<line class=\"wire%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" marker-end=\"url(#wire)\"/>",
                arrow.isAnswer() ? " back" : "", from, placed.y(), to, placed.y() + Layout.SLANT);
        if (arrow.isMemory()) {
            int x = arrow.isAnswer() ? from : to;
            int y = arrow.isAnswer() ? placed.y() : placed.y() + Layout.SLANT;
            out.add(
                    "<rect class=\"wire\" x=\"%d\" y=\"%d\" width=\"6\" height=\"10\"/>",
                    x == device(Side.CLIENT) ? x - 6 : x, y - 5);
        }
        out.raw(text(WIDTH / 2, placed.y() + Layout.SLANT / 2 - 5, "sans wire", "middle", arrow.label()));
    }

    private void legend(int y) {
        String words = "memory: its device reads or writes it, its program takes no part";
        out.add("<rect class=\"wire\" x=\"%d\" y=\"%d\" width=\"6\" height=\"10\"/>", MARGIN, y);
        out.raw(text(MARGIN + 14, y + 9, "sans wire", "start", words));
    }

    private void step(PlacedStep placed) {
        TraceStep step = placed.step();
        String styleClass = step.isFailure() ? "bad" : step.isCall() ? "call" : step.isCompletion() ? "done" : "event";
        int from = step.isCall() ? program(step.side()) : device(step.side());
        int to = step.isCall() ? device(step.side()) : program(step.side());
        int middle = (from + to) / 2;
        String time = format("%.3f ms  ", (step.timeNs() - startNs) / 1e6);
        out.add(
                "<g><title>%s</title><line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" marker-end=\"url(#%s)\"/>%s</g>",
                XmlText.escape(time + step.verb() + "  " + step.text()),
                styleClass,
                from,
                placed.y(),
                to,
                placed.y(),
                styleClass,
                text(middle, placed.y() - 5, styleClass, "middle", step.label()));
    }

    private static String text(int x, int y, String styleClass, String anchor, String words) {
        return format(
                "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>",
                styleClass, x, y, anchor, XmlText.escape(words));
    }

    /// Formats numbers independently of the locale.
    private static String format(String markup, Object... values) {
        return String.format(Locale.ROOT, markup, values);
    }
}
