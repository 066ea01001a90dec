package io.verbena.tools.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Text from a peer, if it is safe to print: it must not control the terminal.
public final class PrintableText {
    private static final int LONGEST = 500;

    private PrintableText() {}

    /// The text with a question mark for each character that cannot be printed, or could control the terminal or the
    /// direction of writing.
    public static String mask(String text) {
        return text.codePoints()
                .map(codePoint -> isPrintable(codePoint) ? codePoint : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /// All bytes as UTF-8; null when they are too long or cannot be printed.
    public static String of(MemorySegment bytes) {
        if (bytes.byteSize() > LONGEST) {
            return null;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.asByteBuffer())
                    .toString();
            return text.codePoints().allMatch(PrintableText::isPrintable) ? text : null;
        } catch (CharacterCodingException noText) {
            return null;
        }
    }

    /// As [#of], of the bytes before the first zero; also null when anything but zeros follows.
    public static String beforeZero(MemorySegment bytes) {
        long end = 0;
        while (end < bytes.byteSize() && end <= LONGEST && bytes.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        for (long at = end; at < bytes.byteSize(); at++) {
            if (bytes.get(ValueLayout.JAVA_BYTE, at) != 0) {
                return null;
            }
        }
        return of(bytes.asSlice(0, end));
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
