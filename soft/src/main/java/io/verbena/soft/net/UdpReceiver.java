package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/// Receives frames from one channel of a [UdpWire].
final class UdpReceiver {
    private final DatagramChannel channel;
    private final ByteBuffer incoming;
    private final Frame frame;
    private InetSocketAddress lastSource;

    /// @param destination the only address that the channel receives for
    UdpReceiver(DatagramChannel channel, Gid destination) {
        this.channel = channel;
        MemorySegment memory = FrameQueue.frames(1);
        ByteBuffer bytes = memory.asByteBuffer();
        incoming = bytes.duplicate();
        frame = new Frame(memory, bytes);
        frame.to(destination.high(), destination.low());
    }

    DatagramChannel channel() {
        return channel;
    }

    int receive(FrameHandler handler, int limit) {
        int received = 0;
        while (received < limit && receiveOne(handler)) {
            received++;
        }
        return received;
    }

    private boolean receiveOne(FrameHandler handler) {
        incoming.position(0);
        InetSocketAddress source;
        try {
            source = (InetSocketAddress) channel.receive(incoming);
        } catch (IOException closed) {
            return false;
        }
        if (source == null) {
            return false;
        }
        // The channel returns the same object while the sender stays the same.
        if (source != lastSource) {
            lastSource = source;
            Gid gid = Gid.of(source.getAddress());
            frame.from(gid.high(), gid.low(), source.getPort());
        }
        frame.show(0, incoming.position());
        handler.onFrame(frame);
        return true;
    }
}
