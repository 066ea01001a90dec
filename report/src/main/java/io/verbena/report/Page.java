package io.verbena.report;

/// A self-contained HTML page for light and dark screens, which is well-formed XML, too.
public final class Page {
    private static final String STYLE = """
            :root { color-scheme: light dark; }
            body { margin: 2rem auto; max-width: 1120px; padding: 0 1rem; background: #ffffff; color: #14181d;
                   font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 14px; }
            svg { max-width: 100%; height: auto; }
            .wide { overflow-x: auto; }
            table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
            th, td { padding: 0.3rem 0.7rem; text-align: right; border-bottom: 1px solid #e4e7eb; }
            th:first-child, td:first-child { text-align: left; }
            pre { font-size: 12px; margin: 0; }
            p { color: #5a626d; }
            @media (prefers-color-scheme: dark) {
            body { background: #14181d; color: #f2f4f6; }
            th, td { border-color: #2a3037; }
            p { color: #a4acb7; }
            }
            """;

    private Page() {}

    /// @param moreStyle rules for what only this page has
    /// @param body the markup between the tags of that name
    public static String of(String title, String moreStyle, String body) {
        return new Svg()
                .raw("<!DOCTYPE html>")
                .raw("<html lang=\"en\">")
                .raw("<head><meta charset=\"UTF-8\"/>")
                .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>")
                .raw("<title>" + XmlText.escape(title) + "</title>")
                .raw("<style>\n" + STYLE + Palette.style() + moreStyle + "</style></head>")
                .raw("<body>")
                .raw(body)
                .raw("</body>")
                .raw("</html>")
                .toString();
    }
}
