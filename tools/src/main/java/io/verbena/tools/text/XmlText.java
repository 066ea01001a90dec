package io.verbena.tools.text;

/// Text from outside as a part of XML, in ASCII, so that it does not matter how the document is stored.
public final class XmlText {
    private XmlText() {}

    /// Characters that mean something to XML by their number; those it cannot have, and controls, as a question mark.
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
