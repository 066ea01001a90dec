package io.verbena.report;

import java.io.StringWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/// Writes maps, lists, strings, numbers and booleans as JSON, anything else as its text, and reads them back.
public final class Json {
    /// Deeper than any of our documents, and far from a stack overflow.
    private static final int DEEPEST = 100;

    /// All numbers of so many digits are longs.
    private static final int LONG_DIGITS = 18;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build();
    private static final Pattern UNEXPECTED =
            Pattern.compile("Unexpected character \\((.*) \\(code .*\\)\\): (?:was expecting|expected) (.*)");

    private Json() {}

    /// An object from names and values in turns; keeps their order.
    public static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    public static String write(Object value) {
        return write(value, JsonStyle.INDENTED);
    }

    /// As [#write], on one line.
    public static String line(Object value) {
        return write(value, JsonStyle.ONE_LINE);
    }

    /// As [#write], with all digits of each double and a new line at the end.
    public static String exact(Object value) {
        return write(value, JsonStyle.EXACT) + "\n";
    }

    private static String write(Object value, JsonStyle style) {
        var text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(style, text)) {
            write(value, style, out);
        }
        return text.toString();
    }

    private static void write(Object value, JsonStyle style, JsonGenerator out) {
        switch (value) {
            case null -> out.writeNull();
            case Boolean truth -> out.writeBoolean(truth);
            case Number number -> out.writeRawValue(style.number(number));
            case Map<?, ?> map -> {
                out.writeStartObject();
                map.forEach((name, part) -> write(part, style, out.writeName(String.valueOf(name))));
                out.writeEndObject();
            }
            // one line: long rows of numbers are for programs
            case List<?> list
            when list.stream().allMatch(Number.class::isInstance) ->
                out.writeRawValue(list.stream()
                        .map(number -> style.number((Number) number))
                        .collect(Collectors.joining(", ", "[", "]")));
            case List<?> list -> {
                out.writeStartArray();
                list.forEach(part -> write(part, style, out));
                out.writeEndArray();
            }
            default -> out.writeString(String.valueOf(value));
        }
    }

    /// Reads a document strictly. Objects become maps in their order, arrays lists, numbers doubles; null stays null.
    ///
    /// Throws an [IllegalArgumentException] with a message of one line, which names line and column, when a document is
    /// damaged or nested too deep, is followed by more text, or has a name twice.
    public static Object read(String document) {
        return read(document, false);
    }

    /// As [#read], with whole numbers as longs where they fit: a time in nanoseconds has more digits than a double.
    public static Object readExact(String document) {
        return read(document, true);
    }

    private static Object read(String document, boolean exact) {
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), document)) {
            try {
                if (in.nextToken() == null) {
                    throw wrong(in.currentLocation(), "the document ends too early");
                }
                Object value = value(in, exact);
                if (in.nextToken() != null) {
                    throw wrong(in.currentTokenLocation(), "more text after the end of the document");
                }
                return value;
            } catch (JacksonException e) {
                throw wrong(e.getLocation() == null ? in.currentLocation() : e.getLocation(), reason(e));
            }
        }
    }

    private static Object value(JsonParser in, boolean exact) {
        return switch (in.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                for (String name = in.nextName(); name != null; name = in.nextName()) {
                    in.nextToken();
                    object.put(name, value(in, exact));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(in, exact));
                }
                yield array;
            }
            case VALUE_TRUE, VALUE_FALSE -> in.getBooleanValue();
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                if (exact && in.currentToken() == JsonToken.VALUE_NUMBER_INT && isLong(in.getString())) {
                    yield in.getLongValue();
                }
                if (Double.isInfinite(in.getDoubleValue())) {
                    throw wrong(in.currentTokenLocation(), "a number beyond the range of double");
                }
                yield in.getDoubleValue();
            }
            default -> in.getString();
        };
    }

    /// Of 18 digits or fewer; 19 fit when they are small enough.
    private static boolean isLong(String digits) {
        return digits.length() <= LONG_DIGITS || new BigInteger(digits).bitLength() < Long.SIZE;
    }

    private static IllegalArgumentException wrong(TokenStreamLocation where, String what) {
        return new IllegalArgumentException(
                String.format(Locale.ROOT, "line %d, column %d: %s", where.getLineNr(), where.getColumnNr(), what));
    }

    /// The parser's reason in our words where it is about a character, which is the usual case.
    private static String reason(JacksonException e) {
        if (e instanceof UnexpectedEndOfInputException) {
            return "the document ends too early";
        }
        Matcher unexpected = UNEXPECTED.matcher(e.getOriginalMessage());
        return unexpected.matches()
                ? unexpected.group(2).replace("double-quote to start property name", "'\"'") + " is expected, not "
                        + unexpected.group(1)
                : e.getOriginalMessage();
    }
}
