package io.verbena.bench.soak;

import io.verbena.verbs.MemoryRegion;
import java.nio.ByteBuffer;

/// The private data of connect and accept.
///
/// - `token`: the purpose of the connection, which strangers do not know
/// - `index`: number of the connection in its [ConnectionGroup]
/// - `seed`: determines the bytes of its messages
/// - `address`, `rkey`: its memory
record PrivateData(long token, int index, long seed, long address, int rkey) {
    private static final int BYTES = 3 * Long.BYTES + 2 * Integer.BYTES;

    static PrivateData of(long token, int index, long seed, MemoryRegion memory) {
        return new PrivateData(token, index, seed, memory.address(), memory.rkey());
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(token)
                .putInt(index)
                .putLong(seed)
                .putLong(address)
                .putInt(rkey)
                .array();
    }

    static PrivateData decode(byte[] privateData) {
        ByteBuffer data = ByteBuffer.wrap(privateData);
        if (data.remaining() < BYTES) {
            return new PrivateData(0, 0, 0, 0, 0);
        }
        return new PrivateData(data.getLong(), data.getInt(), data.getLong(), data.getLong(), data.getInt());
    }
}
