package io.verbena.roce;

import java.util.HexFormat;

/// Bytes written as hexadecimal text, the way packets are printed in documents.
public final class Hex {
    private Hex() {}

    public static byte[] bytes(String text) {
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }

    public static String text(byte[] bytes) {
        return HexFormat.ofDelimiter(" ").formatHex(bytes);
    }
}
