package io.verbena.tools.perf.report;

import java.util.Locale;

/// Text of an SVG document. It is also right inside a page of HTML.
final class Svg {
    private final StringBuilder text = new StringBuilder();

    /// Adds markup, numbers in the same form in every locale. Texts from outside go through
    /// [io.verbena.tools.text.XmlText#escape] first.
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
