package io.verbena.roce.packet;

/// Tells whether an ICRC mismatch is explained by an IPv4 identification the receiver could not see.
///
/// A UDP socket hides the identification, which the ICRC covers. CRC is linear: the ICRC computed with identification
/// 0 differs from the sender's by the CRC of the two identification bytes followed by zeros. Running the difference
/// backwards over those zeros and over the identification itself leaves the 16 identification bits and nothing else,
/// so any bit in the upper half of the result means damage. One damaged packet in 65536 has none.
///
/// Running backwards is one linear map per length, and so is the other direction. Maps live in a direct-mapped cache: a
/// length that collides rebuilds its slot in place, so memory is bounded and a filled slot is never allocated again.
final class IdentificationResidue {
    static final int DAMAGED = -1;

    private static final int POLYNOMIAL = 0xEDB8_8320;

    /// The polynomial 1 in the reflected notation of CRC-32, where bit 31 is the lowest power.
    private static final int ONE = 0x8000_0000;

    private static final int SLOTS = 256;
    private static final int NIBBLES = 8;
    private static final int NIBBLE_VALUES = 16;

    /// x^-8: takes one zero byte back.
    private static final int BYTE_BACK = byteBack();

    /// x^8: appends one.
    private static final int BYTE_ON = ONE >>> Byte.SIZE;

    private final Maps back = new Maps(BYTE_BACK);
    private final Maps on = new Maps(BYTE_ON);

    /// The identification that explains `difference`, or [#DAMAGED].
    ///
    /// @param bytesFromIdentification covered bytes from the identification, included, to the ICRC
    int explain(int difference, int bytesFromIdentification) {
        int[] map = back.of(bytesFromIdentification);
        int residue = 0;
        for (int nibble = 0; nibble < NIBBLES; nibble++) {
            residue ^= map[nibble * NIBBLE_VALUES + (difference >>> 4 * nibble & 0xF)];
        }
        return residue >>> 16 == 0 ? Short.toUnsignedInt(Short.reverseBytes((short) residue)) : DAMAGED;
    }

    /// The difference in the ICRC that an identification makes.
    int difference(int identification, int bytesFromIdentification) {
        int residue = Short.toUnsignedInt(Short.reverseBytes((short) identification));
        int[] map = on.of(bytesFromIdentification);
        return map[residue & 0xF]
                ^ map[NIBBLE_VALUES + (residue >>> 4 & 0xF)]
                ^ map[2 * NIBBLE_VALUES + (residue >>> 8 & 0xF)]
                ^ map[3 * NIBBLE_VALUES + (residue >>> 12)];
    }

    /// Multiplication by one power of a factor for each length.
    private static final class Maps {
        private final int factor;
        private final int[][] maps = new int[SLOTS][];
        private final int[] lengths = new int[SLOTS];

        Maps(int factor) {
            this.factor = factor;
        }

        int[] of(int length) {
            // Packets are a multiple of 4 long, so neighbouring lengths get neighbouring slots.
            int slot = length >>> 2 & SLOTS - 1;
            if (lengths[slot] != length) {
                if (maps[slot] == null) {
                    maps[slot] = new int[NIBBLES * NIBBLE_VALUES];
                }
                fill(maps[slot], power(factor, length));
                lengths[slot] = length;
            }
            return maps[slot];
        }
    }

    private static void fill(int[] map, int factor) {
        int image = factor;
        for (int bit = Integer.SIZE - 1; bit >= 0; bit--) {
            int base = bit / 4 * NIBBLE_VALUES;
            map[base + (1 << bit % 4)] = image;
            image = timesX(image);
        }
        for (int base = 0; base < map.length; base += NIBBLE_VALUES) {
            for (int value = 1; value < NIBBLE_VALUES; value++) {
                int lowest = value & -value;
                map[base + value] = map[base + lowest] ^ map[base + (value ^ lowest)];
            }
        }
    }

    private static int timesX(int a) {
        return a >>> 1 ^ ((a & 1) == 0 ? 0 : POLYNOMIAL);
    }

    private static int byteBack() {
        int a = ONE;
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            a = a < 0 ? (a ^ POLYNOMIAL) << 1 | 1 : a << 1;
        }
        return a;
    }

    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            product ^= rest < 0 ? shifted : 0;
            shifted = timesX(shifted);
        }
        return product;
    }

    private static int power(int base, int exponent) {
        int result = ONE;
        int square = base;
        for (int rest = exponent; rest != 0; rest >>>= 1) {
            result = (rest & 1) == 0 ? result : multiply(result, square);
            square = multiply(square, square);
        }
        return result;
    }
}
