package io.verbena.tools;

import java.util.Iterator;
import java.util.List;

/// Compares the output of a program with what a page shows, without numbers, addresses and the spaces between columns.
final class PrintedText {
    private PrintedText() {}

    /// The line with a sign in place of each number.
    static String pattern(String line) {
        return line.replaceAll("0x\\p{XDigit}+", "#")
                .replaceAll("\\d[\\d.,]*\\d|\\d", "#")
                .replaceAll("\\s+", " ")
                .strip();
    }

    /// Whether the output has the lines, in this order; others may stand between them.
    static boolean has(String output, List<String> lines) {
        Iterator<String> wanted = lines.stream().map(PrintedText::pattern).iterator();
        String next = wanted.hasNext() ? wanted.next() : null;
        for (String line : output.lines().map(PrintedText::pattern).toList()) {
            if (line.equals(next)) {
                next = wanted.hasNext() ? wanted.next() : null;
            }
        }
        return next == null;
    }
}
