package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// A wire of a local address whose frames wait in a [FrameQueue] until they are flushed.
abstract class QueuedWire implements Wire {
    final FrameQueue queue = new FrameQueue();
    final InetAddress local;
    final Groups groups;
    private final int maxPayload;
    /// Written by the owner alone.
    volatile long sendFailures;

    QueuedWire(InetAddress local, int maxPayload) {
        this.local = local;
        groups = new Groups(local);
        this.maxPayload = maxPayload;
    }

    @Override
    public final InetAddress localAddress() {
        return local;
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

    @Override
    public final long sendFailures() {
        return sendFailures;
    }

    @Override
    public final void join(long groupHigh, long groupLow) {
        Gid group = new Gid(groupHigh, groupLow);
        groups.require(group);
        if (groups.add(group)) {
            try {
                enter(group);
            } catch (RuntimeException e) {
                groups.remove(group);
                throw e;
            }
        }
    }

    @Override
    public final void leave(long groupHigh, long groupLow) {
        Gid group = new Gid(groupHigh, groupLow);
        if (groups.remove(group)) {
            exit(group);
        }
    }

    /// Becomes a member of a group.
    abstract void enter(Gid group);

    /// Ends the membership.
    abstract void exit(Gid group);
}
