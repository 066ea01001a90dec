package io.verbena.report;

/// Escapes text from outside for XML, in ASCII, so that the encoding of the document does not matter.
public final class XmlText {
    private XmlText() {}

    /// Escapes markup and non-ASCII characters by number; characters that XML cannot have, and controls, become
    /// question marks.
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (!isLegal(c)) {
                escaped.append('?');
            } else if (c > '~' || "&<>\"".indexOf(c) >= 0) {
                escaped.append("&#").append(c).append(';');
            } else {
                escaped.append((char) c);
            }
        });
        return escaped.toString();
    }

    private static boolean isLegal(int c) {
        return c >= ' ' && (c < 0x7f || c > 0x9f) && (c < 0xd800 || c > 0xdfff) && (c & 0xfffe) != 0xfffe;
    }
}
