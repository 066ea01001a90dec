package io.verbena.tools.top;

import java.io.IOException;
import java.io.Reader;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads keys of a terminal. Those without a character come as sequences that begin with ESC.
final class KeyReader {
    /// What a person or the terminal said.
    sealed interface Input {}

    /// A key: its character, or a name such as `up`.
    record Key(String name) implements Input {}

    record Size(int rows, int columns) implements Input {}

    private static final char ESCAPE = 0x1b;
    private static final int LONGEST_SEQUENCE = 24;
    private static final int ESCAPE_ATTEMPTS = 10;
    private static final int ESCAPE_PAUSE_MS = 5;
    private static final Pattern SIZE = Pattern.compile("\\[(\\d{1,5});(\\d{1,5})R");

    private static final Map<String, String> SEQUENCES = Map.ofEntries(
            Map.entry("[A", "up"),
            Map.entry("OA", "up"),
            Map.entry("[B", "down"),
            Map.entry("OB", "down"),
            Map.entry("[C", "right"),
            Map.entry("OC", "right"),
            Map.entry("[D", "left"),
            Map.entry("OD", "left"),
            Map.entry("[5~", "pageup"),
            Map.entry("[6~", "pagedown"),
            Map.entry("[H", "home"),
            Map.entry("OH", "home"),
            Map.entry("[1~", "home"),
            Map.entry("[F", "end"),
            Map.entry("OF", "end"),
            Map.entry("[4~", "end"));

    private final Reader in;

    KeyReader(Reader in) {
        this.in = in;
    }

    /// The next input; null at the end. Sequences that nobody knows are an empty key.
    Input read() throws IOException, InterruptedException {
        int character = in.read();
        return switch (character) {
            case -1 -> null;
            case '\r', '\n' -> new Key("enter");
            case '\t' -> new Key("tab");
            case 0x7f, '\b' -> new Key("backspace");
            case ESCAPE -> followsEscape() ? sequence() : new Key("escape");
            default -> new Key(character < ' ' ? "" : Character.toString(character));
        };
    }

    /// A sequence comes at once; a person who presses Escape is slower.
    private boolean followsEscape() throws IOException, InterruptedException {
        for (int attempt = 0; attempt < ESCAPE_ATTEMPTS && !in.ready(); attempt++) {
            Thread.sleep(ESCAPE_PAUSE_MS);
        }
        return in.ready();
    }

    /// `[`, digits and semicolons, and one more character; or `O` and a letter.
    private Input sequence() throws IOException {
        StringBuilder text = new StringBuilder();
        int character = in.read();
        text.append((char) character);
        if (character == '[' || character == 'O') {
            do {
                character = in.read();
                text.append((char) character);
            } while (character != -1
                    && text.length() < LONGEST_SEQUENCE
                    && (character >= '0' && character <= '9' || character == ';'));
        }
        Matcher size = SIZE.matcher(text);
        return size.matches()
                ? new Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)))
                : new Key(SEQUENCES.getOrDefault(text.toString(), ""));
    }
}
