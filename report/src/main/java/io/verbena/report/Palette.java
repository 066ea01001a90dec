package io.verbena.report;

import java.util.List;

/// The colours of plots, for light and dark screens: the viewer's setting decides.
final class Palette {
    private static final List<String> ON_LIGHT =
            List.of("#1f6fb2", "#d9730d", "#2a8f4f", "#8a4fc7", "#c93a3a", "#0f8b8d", "#8c6239", "#c2418c");
    private static final List<String> ON_DARK =
            List.of("#5aa9e6", "#f2a154", "#5fcf8a", "#b98cf0", "#f07878", "#4fc7c9", "#c9a07a", "#ee86bf");
    private static final List<String> DASHES = List.of("", "7 4", "2 3");

    private Palette() {}

    static String style() {
        return """
                svg { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 12px; }
                .title { font-size: 17px; font-weight: 600; }
                .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
                .line.faint { stroke-width: 1.2; opacity: 0.75; }
                .line.strong { stroke-width: 3.6; }
                text.strong { font-weight: 600; }
                .grid { stroke-width: 1; }
                .point { stroke-width: 1.5; }
                .point:hover { stroke-width: 6; }
                """
                + colours("#ffffff", "#14181d", "#5a626d", "#e4e7eb", "#9aa1ab", ON_LIGHT)
                + "@media (prefers-color-scheme: dark) {\n"
                + colours("#14181d", "#f2f4f6", "#a4acb7", "#2a3037", "#5f6873", ON_DARK)
                + "}\n";
    }

    private static String colours(String paper, String ink, String dim, String grid, String axis, List<String> lines) {
        StringBuilder css = new StringBuilder();
        css.append(".paper { fill: ").append(paper).append("; }\n");
        css.append(".ink { fill: ").append(ink).append("; }\n");
        css.append(".dim { fill: ").append(dim).append("; }\n");
        css.append(".grid { stroke: ").append(grid).append("; }\n");
        css.append(".axis { stroke: ").append(axis).append("; }\n");
        for (int i = 0; i < lines.size(); i++) {
            String colour = lines.get(i);
            css.append(".").append(of(i)).append(" { stroke: ").append(colour);
            css.append("; fill: ").append(colour).append("; }\n");
        }
        return css.toString();
    }

    /// The CSS class of the n-th line.
    static String of(int index) {
        return "c" + index % ON_LIGHT.size();
    }

    /// Lines of one colour differ by their dashes; faint ones are dotted.
    static String dashes(Chart.Line line) {
        String dashes = line.weight() == Chart.Weight.FAINT
                ? DASHES.getLast()
                : DASHES.get(line.colour() / ON_LIGHT.size() % DASHES.size());
        return dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"";
    }
}
