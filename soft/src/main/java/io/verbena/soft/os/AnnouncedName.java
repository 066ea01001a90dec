package io.verbena.soft.os;

import io.verbena.verbs.attr.Gid;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// The name under which a device is announced: `verbena-USER-GID-PID-DESCRIPTOR-NONCE`, user, process and descriptor
/// as decimal numbers, the others in hex digits.
final class AnnouncedName {
    private static final int NONCE_DIGITS = 16;
    private static final int MALFORMED = -1;
    private static final HexFormat HEX = HexFormat.of();

    private AnnouncedName() {}

    static String of(int user, Gid gid, Announcement announcement) {
        return prefix(user, gid)
                + announcement.pid()
                + '-'
                + announcement.memoryFd()
                + '-'
                + HEX.toHexDigits(announcement.nonce());
    }

    /// The part that all announcements of one address begin with.
    static String prefix(int user, Gid gid) {
        return "verbena-" + Integer.toUnsignedString(user) + '-' + HEX.toHexDigits(gid.high())
                + HEX.toHexDigits(gid.low()) + '-';
    }

    /// What comes after the prefix, or null when that is malformed: any user can take any name.
    static Announcement parse(byte[] text, int from, int to) {
        int pidEnd = dash(text, from, to);
        int fdEnd = dash(text, pidEnd + 1, to);
        if (to - fdEnd - 1 != NONCE_DIGITS) {
            return null;
        }
        long pid = decimal(text, from, pidEnd);
        long fd = decimal(text, pidEnd + 1, fdEnd);
        String nonce = new String(text, fdEnd + 1, NONCE_DIGITS, StandardCharsets.ISO_8859_1);
        if (pid <= 0 || fd < 0 || !nonce.chars().allMatch(HexFormat::isHexDigit)) {
            return null;
        }
        return new Announcement(pid, (int) fd, HexFormat.fromHexDigitsToLong(nonce));
    }

    /// The place of the next dash, or the end.
    private static int dash(byte[] text, int from, int to) {
        int at = from;
        while (at < to && text[at] != '-') {
            at++;
        }
        return at;
    }

    /// A number from 0 to the largest int, as which the kernel has processes and descriptors.
    private static long decimal(byte[] text, int from, int to) {
        long value = from < to ? 0 : MALFORMED;
        for (int i = from; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return MALFORMED;
            }
            value = 10 * value + digit;
            if (value > Integer.MAX_VALUE) {
                return MALFORMED;
            }
        }
        return value;
    }
}
