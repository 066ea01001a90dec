package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.Gid;
import java.nio.ByteBuffer;

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

    private static final int PADDING = 4;
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
        int lid = from.getInt();
        int outstandingReads = from.getInt();
        int queuePair = from.getInt();
        int packetSequence = from.getInt();
        int rkey = from.getInt();
        from.position(from.position() + PADDING);
        long virtualAddress = from.getLong();
        byte[] gid = new byte[GID_BYTES];
        from.get(gid);
        return new KeyLine(
                lid, outstandingReads, queuePair, packetSequence, rkey, virtualAddress, Gid.of(gid), from.getInt());
    }
}
