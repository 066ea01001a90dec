package io.verbena.tools.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reads what [Json] writes, and every other JSON document (RFC 8259), strictly.
///
/// Objects become maps in their order, arrays lists, numbers doubles; null stays null. The line and the column are
/// given when a document is damaged or nested too deep, is followed by more text, or has a name twice.
public final class JsonReader {
    /// Deeper than any of our documents, and far from a stack overflow.
    private static final int DEEPEST = 100;

    private final String text;
    private int at;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /// Throws an [IllegalArgumentException] with a message of one line.
    public static Object read(String document) {
        var reader = new JsonReader(document);
        Object value = reader.value();
        if (reader.at < document.length()) {
            throw reader.wrong("more text after the end of the document");
        }
        return value;
    }

    private Object value() {
        skipSpace();
        Object value = switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
        skipSpace();
        return value;
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        open('{');
        while (next('}', object.isEmpty())) {
            skipSpace();
            int start = at;
            String name = string();
            skipSpace();
            take(':');
            Object value = value();
            if (object.containsKey(name)) {
                at = start;
                throw wrong("a name is there twice");
            }
            object.put(name, value);
        }
        return object;
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        open('[');
        while (next(']', array.isEmpty())) {
            array.add(value());
        }
        return array;
    }

    private void open(char bracket) {
        take(bracket);
        if (++depth > DEEPEST) {
            throw wrong("nested deeper than " + DEEPEST);
        }
        skipSpace();
    }

    /// Whether one more element follows; consumes the comma before it, or the closing bracket.
    private boolean next(char close, boolean first) {
        if (peek() == close) {
            at++;
            depth--;
            return false;
        }
        if (!first) {
            take(',');
        }
        return true;
    }

    private String string() {
        take('"');
        StringBuilder string = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                at--;
                throw wrong("a control character in a string");
            }
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("no escape is called " + shown(c));
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++, at++) {
            int digit = peek() > 'f' ? -1 : Character.digit(peek(), 16);
            if (digit < 0) {
                throw wrong("\\u takes four hexadecimal digits");
            }
            code = code << 4 | digit;
        }
        return (char) code;
    }

    /// Strictly by the grammar of JSON: no `+1`, `01`, `.5`, `1.`, NaN.
    private Double number() {
        int start = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('-')) {
                skip('+');
            }
            digits();
        }
        double number = Double.parseDouble(text.substring(start, at));
        if (Double.isInfinite(number)) {
            at = start;
            throw wrong("a number beyond the range of double");
        }
        return number;
    }

    private void digits() {
        if (!isDigit(peek())) {
            throw wrong("a value or digit is expected, not " + shown(peek()));
        }
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value is expected");
        }
        at += word.length();
        return value;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean skip(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void take(char c) {
        if (peek() != c) {
            throw wrong(shown(c) + " is expected, not " + shown(peek()));
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("the document ends too early");
        }
        return text.charAt(at);
    }

    private static String shown(char c) {
        return c > ' ' && c < 127 ? "'" + c + "'" : String.format(Locale.ROOT, "character %04x", (int) c);
    }

    private IllegalArgumentException wrong(String what) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < at && i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new IllegalArgumentException(
                String.format(Locale.ROOT, "line %d, column %d: %s", line, at - lineStart + 1, what));
    }
}
