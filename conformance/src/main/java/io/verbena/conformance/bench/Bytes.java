package io.verbena.conformance.bench;

import static org.junit.jupiter.api.Assertions.fail;

import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;

/// Patterns to send, and checks that they arrived and that nothing else changed.
public final class Bytes {
    private Bytes() {}

    /// Bytes that depend on the seed and on their place, so that a shifted copy does not look right.
    public static byte[] pattern(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    public static void put(MemoryRegion region, long offset, byte[] bytes) {
        MemorySegment.copy(bytes, 0, region.memory(), ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    public static byte[] get(MemoryRegion region, long offset, int length) {
        return region.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    public static byte[] all(MemoryRegion region) {
        return region.memory().toArray(ValueLayout.JAVA_BYTE);
    }

    /// Fails, naming the first wrong byte, unless the region holds these bytes at that place.
    public static void assertAt(MemoryRegion region, long offset, byte[] expected) {
        assertEqual(expected, get(region, offset, expected.length), offset);
    }

    /// Fails unless the region is `before` everywhere except for `bytes` at `offset`.
    public static void assertOnlyChanged(byte[] before, MemoryRegion region, int offset, byte[] bytes) {
        byte[] expected = before.clone();
        System.arraycopy(bytes, 0, expected, offset, bytes.length);
        assertEqual(expected, all(region), 0);
    }

    /// Fails unless the region is what it was.
    public static void assertUnchanged(byte[] before, MemoryRegion region) {
        assertEqual(before, all(region), 0);
    }

    private static void assertEqual(byte[] expected, byte[] actual, long base) {
        int first = Arrays.mismatch(expected, actual);
        if (first < 0) {
            return;
        }
        int wrong = 0;
        for (int i = first; i < expected.length; i++) {
            wrong += expected[i] != actual[i] ? 1 : 0;
        }
        fail("byte %d of the region is 0x%02x, expected 0x%02x; %d of %d bytes differ"
                .formatted(base + first, actual[first], expected[first], wrong, expected.length));
    }
}
