package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The form in which a [KeyLine] is sent with `-R`: perftest's C struct, numbers in network order.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 4 | LID |
/// | 4 | 4 | outstanding READs |
/// | 8 | 4 | queue pair |
/// | 12 | 4 | packet sequence number |
/// | 16 | 4 | rkey, then 4 bytes of padding |
/// | 24 | 8 | virtual address |
/// | 32 | 16 | GID |
/// | 48 | 4 | shared receive queue |
/// | 52 | 4 | GID index, which nobody reads |
final class KeyStruct {
    static final int BYTES = 56;

    private static final int GID_AT = 32;
    private static final int GID_BYTES = 16;

    private KeyStruct() {}

    static byte[] bytes(KeyLine line) {
        return ByteBuffer.allocate(BYTES)
                .putInt(line.lid())
                .putInt(line.outstandingReads())
                .putInt(line.queuePair())
                .putInt(line.packetSequence())
                .putInt(line.rkey())
                .putInt(0)
                .putLong(line.virtualAddress())
                .put(line.gid() == null ? new byte[GID_BYTES] : line.gid().bytes())
                .putInt(line.sharedReceiveQueue())
                .putInt(0)
                .array();
    }

    static KeyLine parse(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new ProgramException("the peer's struct about its queue pair has " + bytes.length + " bytes, not "
                    + BYTES + "; are test and options equal on both sides?");
        }
        ByteBuffer from = ByteBuffer.wrap(bytes);
        Gid gid = Gid.of(Arrays.copyOfRange(bytes, GID_AT, GID_AT + GID_BYTES));
        return new KeyLine(
                from.getInt(0),
                from.getInt(4),
                from.getInt(8),
                from.getInt(12),
                from.getInt(16),
                from.getLong(24),
                gid,
                from.getInt(48));
    }
}
