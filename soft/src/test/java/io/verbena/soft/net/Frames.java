package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Sends made-up frames and keeps those that arrive.
final class Frames implements FrameHandler {
    private static final int PSN_AT = 8;

    final List<byte[]> received = new ArrayList<>();
    Gid source;
    int sourcePort;

    @Override
    public void onFrame(
            MemorySegment memory,
            ByteBuffer bytes,
            int offset,
            int length,
            long sourceHigh,
            long sourceLow,
            int fromPort) {
        byte[] copy = new byte[length];
        bytes.get(offset, copy);
        byte[] same = memory.asSlice(offset, length).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        if (!java.util.Arrays.equals(copy, same)) {
            throw new AssertionError("memory and bytes differ");
        }
        received.add(copy);
        source = new Gid(sourceHigh, sourceLow);
        sourcePort = fromPort;
    }

    /// The PSNs of all received frames.
    List<Integer> psns() {
        return received.stream().map(Frames::psn).toList();
    }

    /// Receives until `count` frames are there or nothing came for long.
    void await(Wire wire, int count) {
        for (int i = 0; i < 200 && received.size() < count; i++) {
            if (wire.receive(this, 64) == 0) {
                wire.await(10_000_000);
            }
        }
    }

    static int psn(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(PSN_AT);
    }

    static byte[] pattern(int psn, int length) {
        ByteBuffer frame = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            frame.put(i, (byte) (i * 31 + psn));
        }
        if (length >= PSN_AT + Integer.BYTES) {
            frame.put(0, (byte) 4);
            frame.putInt(PSN_AT, psn);
        }
        return frame.array();
    }

    /// Queues a frame.
    static void commit(Wire wire, InetAddress to, int psn, int length) {
        int offset = wire.claim();
        wire.sendBytes().put(offset, pattern(psn, length));
        Gid gid = Gid.of(to);
        wire.commit(offset, length, gid.high(), gid.low());
    }

    static void send(Wire wire, InetAddress to, int psn, int length) {
        commit(wire, to, psn, length);
        wire.flush();
    }
}
