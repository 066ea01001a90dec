package io.verbena.bench.side;

/// Numbers of bytes as people write them.
public final class Sizes {
    public static final int KIB = 1 << 10;
    public static final int MIB = 1 << 20;

    private Sizes() {}

    public static String text(long bytes) {
        if (bytes >= MIB && bytes % MIB == 0) {
            return bytes / MIB + " MiB";
        }
        return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
    }
}
