package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.Gid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The data that both sides exchange about a queue pair: its address, and that of its receive area. On the wire it is a
/// line of hexadecimal numbers.
///
/// `virtualAddress` is the start of the queue pair's receive area, `outstandingReads` the number of READs and atomics
/// that the side serves at once, `sharedReceiveQueue` 0 when there is none. `gid` is null on InfiniBand links without
/// GIDs.
public record KeyLine(
        int lid,
        int outstandingReads,
        int queuePair,
        int packetSequence,
        int rkey,
        long virtualAddress,
        Gid gid,
        int sharedReceiveQueue) {
    static final int BYTES = 108;

    private static final Pattern NUMBERS = Pattern.compile("(\\p{XDigit}{4}):(\\p{XDigit}{4}):(\\p{XDigit}{6}):"
            + "(\\p{XDigit}{6}):(\\p{XDigit}{8}):(\\p{XDigit}{16}):((?:\\p{XDigit}{2}:){16})?(\\p{XDigit}{8}):?");
    private static final HexFormat HEX = HexFormat.of();

    /// The line as it is sent, with the terminating zero.
    byte[] bytes() {
        String line = String.format(
                Locale.ROOT,
                "%04x:%04x:%06x:%06x:%08x:%016x:%s%08x%s",
                lid,
                outstandingReads,
                queuePair,
                packetSequence,
                rkey,
                virtualAddress,
                gid == null ? "" : HexFormat.ofDelimiter(":").formatHex(gid.bytes()) + ":",
                sharedReceiveQueue,
                gid == null ? "" : ":");
        byte[] text = line.getBytes(StandardCharsets.US_ASCII);
        return Arrays.copyOf(text, text.length + 1);
    }

    static KeyLine parse(byte[] bytes) {
        String text = new String(bytes, 0, bytes.length - 1, StandardCharsets.ISO_8859_1);
        Matcher numbers = NUMBERS.matcher(text);
        if (bytes[bytes.length - 1] != 0 || !numbers.matches()) {
            throw new ProgramException("the peer's line about its queue pair is unreadable: \""
                    + text.replaceAll("[^ -~]", ".") + "\"; are test and options equal on both sides?");
        }
        String gid = numbers.group(7);
        return new KeyLine(
                HexFormat.fromHexDigits(numbers.group(1)),
                HexFormat.fromHexDigits(numbers.group(2)),
                HexFormat.fromHexDigits(numbers.group(3)),
                HexFormat.fromHexDigits(numbers.group(4)),
                HexFormat.fromHexDigits(numbers.group(5)),
                HexFormat.fromHexDigitsToLong(numbers.group(6)),
                gid == null ? null : Gid.of(HEX.parseHex(gid.replace(":", ""))),
                HexFormat.fromHexDigits(numbers.group(8)));
    }
}
