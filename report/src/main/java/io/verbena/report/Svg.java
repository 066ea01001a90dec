package io.verbena.report;

import java.util.Locale;

/// The text of an SVG or HTML document, or of a part of one.
public final class Svg {
    private final StringBuilder text = new StringBuilder();

    public Svg() {}

    /// Adds markup with numbers formatted independently of the locale. Text from outside must be escaped by
    /// [XmlText#escape] first.
    public Svg add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    public Svg raw(String markup) {
        text.append(markup).append('\n');
        return this;
    }

    /// A coordinate in pixels, with one decimal.
    static String px(double coordinate) {
        return Numbers.fixed(coordinate, 1).replaceFirst("\\.0$", "");
    }

    /// Shortens a text by leaving out its middle.
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
