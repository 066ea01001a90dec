package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Sends made-up frames and keeps those that arrive.
final class Frames implements FrameHandler {
    private static final int QP_AT = 4;
    private static final int PSN_AT = 8;

    final List<byte[]> received = new ArrayList<>();
    Gid source;
    int sourcePort;
    Gid destination;
    long traffic;

    @Override
    public void onFrame(Frame frame) {
        byte[] copy = new byte[frame.length()];
        frame.bytes().get(frame.offset(), copy);
        byte[] same = frame.memory().asSlice(frame.offset(), frame.length()).toArray(ValueLayout.JAVA_BYTE);
        if (!Arrays.equals(copy, same)) {
            throw new AssertionError("memory and bytes differ");
        }
        received.add(copy);
        source = new Gid(frame.sourceHigh(), frame.sourceLow());
        sourcePort = frame.sourcePort();
        destination = new Gid(frame.destinationHigh(), frame.destinationLow());
        traffic = frame.traffic();
    }

    /// The PSNs of all received frames.
    List<Integer> psns() {
        return received.stream().map(Frames::psn).toList();
    }

    /// Receives until `count` frames have arrived or none arrived for long.
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
            frame.putInt(QP_AT, 0);
            frame.putInt(PSN_AT, psn);
        }
        return frame.array();
    }

    /// Queues a frame.
    static void commit(Wire wire, InetAddress to, int psn, int length) {
        int offset = wire.claim();
        wire.sendBytes().put(offset, pattern(psn, length));
        Gid gid = Gid.of(to);
        wire.commit(offset, length, gid.high(), gid.low(), Traffic.DEFAULT);
    }

    static void send(Wire wire, InetAddress to, int psn, int length) {
        commit(wire, to, psn, length);
        wire.flush();
    }

    /// Queues a frame with its own traffic class, hop limit and flow label.
    static void send(Wire wire, InetAddress to, int psn, int length, long traffic) {
        int offset = wire.claim();
        wire.sendBytes().put(offset, pattern(psn, length));
        Gid gid = Gid.of(to);
        wire.commit(offset, length, gid.high(), gid.low(), traffic);
        wire.flush();
    }
}
