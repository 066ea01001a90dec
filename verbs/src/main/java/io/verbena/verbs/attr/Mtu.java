package io.verbena.verbs.attr;

import java.util.Objects;

/// Path MTU: how many payload bytes one packet carries. Counterpart of `enum ibv_mtu`.
public enum Mtu {
    MTU_256(1, 256),
    MTU_512(2, 512),
    MTU_1024(3, 1024),
    MTU_2048(4, 2048),
    MTU_4096(5, 4096);

    private static final Mtu[] BY_CODE = {null, MTU_256, MTU_512, MTU_1024, MTU_2048, MTU_4096};

    private final int code;
    private final int bytes;

    Mtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /// The number used by verbs and on the wire in connection requests.
    public int code() {
        return code;
    }

    /// How many payload bytes a packet carries.
    public int bytes() {
        return bytes;
    }

    /// The MTU with that number, 1 to 5.
    public static Mtu ofCode(int code) {
        if (code < 1 || code > 5) {
            throw new IllegalArgumentException("MTU code " + code + ": codes are 1 (256 bytes) to 5 (4096 bytes)");
        }
        return BY_CODE[code];
    }

    /// The largest path MTU not above `bytes`.
    public static Mtu largestWithin(int bytes) {
        for (int code = 5; code > 0; code--) {
            if (BY_CODE[code].bytes <= bytes) {
                return BY_CODE[code];
            }
        }
        throw new IllegalArgumentException("no path MTU fits into " + bytes + " bytes; the smallest is 256");
    }

    /// The smaller of the two.
    public static Mtu min(Mtu a, Mtu b) {
        Objects.requireNonNull(a, "the first MTU is null");
        Objects.requireNonNull(b, "the second MTU is null");
        return a.code <= b.code ? a : b;
    }
}
