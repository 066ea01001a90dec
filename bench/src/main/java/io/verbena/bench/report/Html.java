package io.verbena.bench.report;

import java.util.Locale;

/// Pieces of HTML and SVG.
final class Html {
    private Html() {}

    static String escape(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /// Formats numbers as SVG needs them.
    static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
