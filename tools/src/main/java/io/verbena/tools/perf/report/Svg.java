package io.verbena.tools.perf.report;

import java.util.Locale;

/// Text of an SVG document. It is also right inside a page of HTML.
final class Svg {
    private final StringBuilder text = new StringBuilder();

    /// Adds markup, numbers in the same form in every locale. Texts from outside go through [#escape] first.
    Svg add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    Svg raw(String markup) {
        text.append(markup).append('\n');
        return this;
    }

    /// A coordinate with a tenth of a pixel.
    static String px(double coordinate) {
        return Numbers.fixed(coordinate, 1).replaceFirst("\\.0$", "");
    }

    /// Characters that mean something to XML, and those it cannot have at all.
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isLegal(c) ? c : 0xfffd);
            }
        });
        return escaped.toString();
    }

    private static boolean isLegal(int c) {
        return c >= ' ' && (c < 0x7f || c > 0x9f) && (c < 0xd800 || c > 0xdfff) && (c & 0xfffe) != 0xfffe;
    }

    /// As much of it as fits, with the middle left out.
    static String shorten(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int head = (most - 1) / 2;
        return text.substring(0, head) + "…" + text.substring(text.length() - (most - 1 - head));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
