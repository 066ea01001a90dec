package io.verbena.soft.engine;

import java.util.random.RandomGenerator;

/// The addresses of software devices like this one, recognised by the GUID in their connection messages. The table is
/// only a hint for when to send acknowledgements, so a few slots are enough, and a later address replaces an earlier
/// one. The first engine of a device writes it; others may see an address late.
public final class PeerKinds {
    /// A locally administered EUI-64 begins with 02; one that was made from a MAC address has FFFE in its middle.
    private static final long SIGNATURE = 0x0256_42L << 40;

    private static final int RANDOM_BITS = 40;
    private static final int FROM_MAC = 0xFFFE;
    private static final int SLOTS = 256;

    private final long[] addresses = new long[2 * SLOTS];

    /// A new GUID for each opened device: peers treat a known GUID with an old QP number as a stale connection.
    public static long newGuid(RandomGenerator random) {
        long guid;
        do {
            guid = SIGNATURE | random.nextLong() >>> Long.SIZE - RANDOM_BITS;
        } while (!isOurs(guid));
        return guid;
    }

    static boolean isOurs(long guid) {
        return guid >>> RANDOM_BITS == SIGNATURE >>> RANDOM_BITS && (guid >>> 24 & 0xFFFF) != FROM_MAC;
    }

    private static int slot(long high, long low) {
        return 2 * (int) ((high * 31 + low) * 0x9E37_79B9_7F4A_7C15L >>> 56);
    }

    /// A message from that address carried this GUID.
    public void onGuid(long guid, long high, long low) {
        if (isOurs(guid)) {
            addresses[slot(high, low)] = high;
            addresses[slot(high, low) + 1] = low;
        } else if (isVerbena(high, low)) {
            addresses[slot(high, low)] = 0;
            addresses[slot(high, low) + 1] = 0;
        }
    }

    public boolean isVerbena(long high, long low) {
        int slot = slot(high, low);
        return addresses[slot] == high && addresses[slot + 1] == low;
    }
}
