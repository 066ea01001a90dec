package io.verbena.tools.view;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Makes a pcapng file of a pcap file with nanoseconds, as dumpcap would have written it.
final class Pcapng {
    private Pcapng() {}

    static byte[] of(byte[] pcap) {
        ByteBuffer in = ByteBuffer.wrap(pcap);
        var out = new ByteArrayOutputStream();
        out.writeBytes(block(
                0x0A0D0D0A,
                buffer(16)
                        .putInt(0x1A2B3C4D)
                        .putShort((short) 1)
                        .putShort((short) 0)
                        .putLong(-1)));
        ByteBuffer description =
                buffer(20).putShort((short) in.getInt(20)).putShort((short) 0).putInt(0);
        // option 9: timestamps count 10^-9 seconds
        out.writeBytes(block(
                1, description.putShort((short) 9).putShort((short) 1).putInt(9).putInt(0)));
        in.position(24);
        while (in.hasRemaining()) {
            long timeNs = Integer.toUnsignedLong(in.getInt()) * 1_000_000_000L + in.getInt();
            byte[] frame = new byte[in.getInt()];
            int original = in.getInt();
            in.get(frame);
            ByteBuffer packet = buffer(20 + (frame.length + 3) / 4 * 4);
            packet.putInt(0)
                    .putInt((int) (timeNs >>> 32))
                    .putInt((int) timeNs)
                    .putInt(frame.length)
                    .putInt(original);
            out.writeBytes(block(6, packet.put(frame)));
        }
        return out.toByteArray();
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] block(int type, ByteBuffer content) {
        int length = content.capacity() + 12;
        return buffer(length)
                .putInt(type)
                .putInt(length)
                .put(content.array())
                .putInt(length)
                .array();
    }
}
