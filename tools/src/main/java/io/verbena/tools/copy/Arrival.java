package io.verbena.tools.copy;

import java.lang.foreign.MemorySegment;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Says what is in memory: a short text as it is, anything else by its checksum.
final class Arrival {
    private static final int LONGEST_TEXT = 500;
    private static final int PIECE_BYTES = 1 << 26;

    private Arrival() {}

    /// Null when it is long or cannot be printed: what a stranger sent must not command the terminal.
    static String text(MemorySegment bytes) {
        if (bytes.byteSize() > LONGEST_TEXT) {
            return null;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.asByteBuffer())
                    .toString();
            return text.codePoints().allMatch(Arrival::isPrintable) ? text : null;
        } catch (CharacterCodingException noText) {
            return null;
        }
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

    /// As `sha256sum` prints it.
    static String sha256(MemorySegment bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (long at = 0; at < bytes.byteSize(); at += PIECE_BYTES) {
                digest.update(bytes.asSlice(at, Math.min(PIECE_BYTES, bytes.byteSize() - at))
                        .asByteBuffer());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
