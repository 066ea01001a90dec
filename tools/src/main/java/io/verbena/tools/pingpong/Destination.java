package io.verbena.tools.pingpong;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.SideChannel;
import io.verbena.tools.text.AddressText;
import io.verbena.verbs.attr.Gid;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The address of a queue pair: all that the peer must know to connect to it.
///
/// - `lid`: the port's address in an InfiniBand subnet, 0 on Ethernet
/// - `qpNumber`: which queue pair of the device, 24 bits
/// - `psn`: the sequence number of its first packet, 24 bits, random so that packets of an earlier connection do not
///   match
/// - `gid`: the port's global address, on RoCE its IP address
///
/// On the side channel it is a line of ASCII, `llll:qqqqqq:pppppp:` and the 32 hexadecimal digits of the GID,
/// with a NUL at its end.
record Destination(int lid, int qpNumber, int psn, Gid gid) {
    /// Length of the line, its NUL included.
    static final int BYTES = 52;

    /// Address of an unused queue pair.
    static final Destination NONE = new Destination(0, 0, 0, new Gid(0, 0));

    private static final Pattern LINE =
            Pattern.compile("(\\p{XDigit}{4}):(\\p{XDigit}{6}):(\\p{XDigit}{6}):(\\p{XDigit}{32})\0");

    byte[] line() {
        String text = String.format(
                Locale.ROOT,
                "%04x:%06x:%06x:%s\0",
                lid,
                qpNumber,
                psn,
                HexFormat.of().formatHex(gid.bytes()));
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static Destination parse(byte[] line) {
        Matcher parts = LINE.matcher(new String(line, StandardCharsets.ISO_8859_1));
        if (!parts.matches()) {
            throw new ProgramException("the peer sent " + SideChannel.quote(line)
                    + " where the address of its queue pair should be: it is another program");
        }
        return new Destination(
                HexFormat.fromHexDigits(parts.group(1)),
                HexFormat.fromHexDigits(parts.group(2)),
                HexFormat.fromHexDigits(parts.group(3)),
                Gid.of(HexFormat.of().parseHex(parts.group(4))));
    }

    /// The text that the C programs print.
    String text() {
        return String.format(Locale.ROOT, "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s", lid, qpNumber, psn, gidText());
    }

    /// The GID as `inet_ntop` writes it.
    String gidText() {
        return (gid.isIpv4() ? "::ffff:" : "") + AddressText.of(gid.address());
    }
}
