package io.verbena.roce.packet;

/// The waits a receiver-not-ready NAK can ask for.
public final class RnrTimer {
    /// In units of 10 microseconds. Code 0 is not "at once" but the longest of all.
    private static final int[] TENS_OF_MICROSECONDS = {
        65536, 1, 2, 3, 4, 6, 8, 12,
        16, 24, 32, 48, 64, 96, 128, 192,
        256, 384, 512, 768, 1024, 1536, 2048, 3072,
        4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private RnrTimer() {}

    /// The wait of a 5-bit code; higher bits are ignored, as on the wire.
    public static long nanoseconds(int code) {
        return TENS_OF_MICROSECONDS[code & 0x1F] * 10_000L;
    }
}
