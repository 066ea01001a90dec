package io.verbena.roce.dump;

import java.util.StringJoiner;

/// Addresses in GID form as people write them.
public final class GidText {
    private static final int GROUPS = 8;

    private GidText() {}

    /// An address in GID form as people write it.
    public static String of(long hi, long lo) {
        if (IpUdpHeader.isIpv4(hi, lo)) {
            return (lo >>> 24 & 0xFF) + "." + (lo >>> 16 & 0xFF) + "." + (lo >>> 8 & 0xFF) + "." + (lo & 0xFF);
        }
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            long half = i < GROUPS / 2 ? hi : lo;
            groups[i] = (int) (half >>> 48 - 16 * (i % 4)) & 0xFFFF;
        }
        return compressed(groups);
    }

    /// The longest run of at least two zero groups becomes `::`.
    private static String compressed(int[] groups) {
        int bestStart = 0;
        int bestLength = 1;
        for (int start = 0, i = 0; i < GROUPS; i++) {
            start = groups[i] == 0 ? start : i + 1;
            if (i + 1 - start > bestLength) {
                bestStart = start;
                bestLength = i + 1 - start;
            }
        }
        if (bestLength == 1) {
            return joined(groups, 0, GROUPS);
        }
        return joined(groups, 0, bestStart) + "::" + joined(groups, bestStart + bestLength, GROUPS);
    }

    private static String joined(int[] groups, int from, int to) {
        StringJoiner text = new StringJoiner(":");
        for (int i = from; i < to; i++) {
            text.add(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
