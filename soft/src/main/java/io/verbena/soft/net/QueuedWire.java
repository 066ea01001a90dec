package io.verbena.soft.net;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// A wire of a local address whose frames wait in a [FrameQueue] until they are flushed.
abstract class QueuedWire implements Wire {
    final FrameQueue queue = new FrameQueue();
    final InetAddress local;
    private final int maxPayload;

    QueuedWire(InetAddress local, int maxPayload) {
        this.local = local;
        this.maxPayload = maxPayload;
    }

    @Override
    public final InetAddress localAddress() {
        return local;
    }

    @Override
    public final int sourcePort() {
        return Wires.PORT;
    }

    @Override
    public final int maxPayload() {
        return maxPayload;
    }

    @Override
    public final MemorySegment sendMemory() {
        return queue.memory();
    }

    @Override
    public final ByteBuffer sendBytes() {
        return queue.bytes();
    }

    @Override
    public final int claim() {
        return queue.claim();
    }
}
