package io.verbena.tools.copy;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Describes memory that is too large to show.
final class Checksum {
    private static final int PIECE_BYTES = 1 << 26;

    private Checksum() {}

    /// The digest as `sha256sum` prints it.
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
