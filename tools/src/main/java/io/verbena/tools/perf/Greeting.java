package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The first 16 bytes that each side sends: its version as a string, then zeros. Verbena puts its name behind the
/// terminating zero of the string, which C programs ignore. Two Verbena sides recognize each other by it and then agree
/// on the parameters.
record Greeting(String version, boolean isVerbena) {
    static final int BYTES = 16;
    /// Newer perftest programs speak the protocol of 6.06 with a peer of this version.
    static final String VERSION = "6.06";

    private static final double OLDEST = 5.70;
    private static final byte[] NAME = "verbena1".getBytes(StandardCharsets.US_ASCII);
    private static final int NAME_AT = VERSION.length() + 1;

    static byte[] bytes(boolean asVerbena) {
        byte[] bytes = new byte[BYTES];
        byte[] version = VERSION.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(version, 0, bytes, 0, version.length);
        if (asVerbena) {
            System.arraycopy(NAME, 0, bytes, NAME_AT, NAME.length);
        }
        return bytes;
    }

    static Greeting parse(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        String version = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
        if (end == bytes.length || !version.matches("\\d{1,3}\\.\\d{1,4}")) {
            throw new ProgramException(
                    "the peer speaks another protocol: it begins with \"" + printable(bytes) + "\", not with a version;"
                            + " it must be 'verbena perf' or a program of perftest, such as ib_send_lat");
        }
        if (Double.parseDouble(version) < OLDEST) {
            throw new ProgramException("the peer is perftest " + version + ", which is too old: it takes " + OLDEST
                    + " or newer (Debian 12 has " + VERSION + ")");
        }
        boolean verbena = Arrays.equals(bytes, NAME_AT, NAME_AT + NAME.length, NAME, 0, NAME.length);
        return new Greeting(version, verbena);
    }

    private static String printable(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".");
    }
}
