package io.verbena.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleFunction;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.DefaultPrettyPrinter.Indenter;
import tools.jackson.core.util.DefaultPrettyPrinter.NopIndenter;
import tools.jackson.core.util.Separators;

/// The layout of our documents, which scripts may compare by their bytes: a space after each colon, and control
/// characters by their numbers.
final class JsonStyle extends ObjectWriteContext.Base {
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    static final JsonStyle INDENTED = new JsonStyle(INDENTER, JsonStyle::sixDigits);
    static final JsonStyle EXACT = new JsonStyle(INDENTER, String::valueOf);
    static final JsonStyle ONE_LINE = new JsonStyle(NopIndenter.instance(), JsonStyle::sixDigits);

    private final DefaultPrettyPrinter printer;
    private final DoubleFunction<String> fraction;
    private final CharacterEscapes escapes = new Escapes();

    private JsonStyle(Indenter indenter, DoubleFunction<String> fraction) {
        this.fraction = fraction;
        printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                        .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                        .withObjectEmptySeparator("")
                        .withArrayEmptySeparator(""))
                .withObjectIndenter(indenter)
                .withArrayIndenter(indenter);
    }

    /// A printer counts the levels of the one document that it writes.
    @Override
    public PrettyPrinter getPrettyPrinter() {
        return printer.createInstance();
    }

    @Override
    public CharacterEscapes getCharacterEscapes() {
        return escapes;
    }

    /// JSON knows neither NaN nor infinity.
    String number(Number number) {
        return switch (number) {
            case Double value -> Double.isFinite(value) ? fraction.apply(value) : "null";
            default -> number.toString();
        };
    }

    private static String sixDigits(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.6g", value)
                        .replaceFirst("(\\.\\d*?)0+$", "$1")
                        .replaceFirst("\\.$", "");
    }

    private static final class Escapes extends CharacterEscapes {
        private static final long serialVersionUID = 1L;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            Arrays.fill(codes, 0, ' ', ESCAPE_STANDARD);
            return codes;
        }

        @Override
        public SerializableString getEscapeSequence(int character) {
            return null; // only for own sequences
        }
    }
}
