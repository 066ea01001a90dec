package io.verbena.sockets;

import io.verbena.sockets.protocol.Maps;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The maps of a channel, and its writes to those of the peer.
final class ChannelMaps {
    private static final int STAGING_BYTES = 64 * 1024;

    private final RdmaStream stream;
    private final ReentrantLock lock = new ReentrantLock();
    private final BitSet used = new BitSet();
    private final Set<RdmaMap> open = new HashSet<>();
    private RegionMemory staging;

    ChannelMaps(RdmaStream stream) {
        this.stream = stream;
    }

    RdmaMap map(MemorySegment memory, long offset) throws IOException {
        if (memory.byteSize() < 1 || memory.byteSize() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a map has 1 to 2^31 - 1 bytes, not " + memory.byteSize());
        }
        lock.lock();
        try {
            int index = used.nextClearBit(0);
            int most = stream.withProtocol(protocol -> protocol.peerMaps());
            if (index >= most) {
                throw new UnsupportedOperationException(
                        "the peer takes %d maps; a C program sets RDMA_IOMAPSIZE".formatted(most));
            }
            MemoryRegion region =
                    stream.hub().device().protectionDomain().register(memory, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            used.set(index);
            RdmaMap map = new RdmaMap(this, region, index);
            open.add(map);
            stream.withProtocol(protocol -> {
                protocol.maps().add(index, offset, region.address(), region.rkey(), (int) region.length());
                protocol.sendAddedMaps();
                return null;
            });
            return map;
        } finally {
            lock.unlock();
        }
    }

    void close(RdmaMap map) {
        lock.lock();
        try {
            if (open.remove(map)) {
                used.clear(map.index());
                map.region().close();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns when the bytes are in the peer's memory.
    int write(ByteBuffer from, long offset) throws IOException {
        lock.lock();
        try {
            int total = 0;
            while (from.hasRemaining()) {
                int n = writeOnce(from, offset + total);
                if (n == 0) {
                    return total;
                }
                total += n;
            }
            return total;
        } finally {
            lock.unlock();
        }
    }

    private int writeOnce(ByteBuffer from, long offset) throws IOException {
        Maps.Target target = stream.withProtocol(protocol -> protocol.maps().find(offset));
        if (target == null) {
            return 0;
        }
        if (staging == null) { // not for a stream that is closed: nobody would close it
            staging = RegionMemory.allocate(stream.hub().device().protectionDomain(), STAGING_BYTES);
        }
        int n = Math.min(Math.min(from.remaining(), target.length()), STAGING_BYTES);
        staging.bytes().put(0, from, from.position(), n);
        long deadlineNs = System.nanoTime() + RdmaSocketChannel.FOR_EVER_NS;
        stream.waits().await(protocol -> protocol.mayWriteRemote(), deadlineNs);
        int number =
                stream.withProtocol(protocol -> protocol.writeRemote(staging, 0, n, target.address(), target.key()));
        stream.waits().awaitCompleted(number, deadlineNs);
        if (!stream.holds(protocol -> protocol.isCompleted(number))) {
            stream.requireWritable();
            throw new IOException("interrupted while writing to the peer's memory");
        }
        from.position(from.position() + n);
        return n;
    }

    /// After the connection is closed.
    void closeAll() {
        lock.lock();
        try {
            open.forEach(map -> map.region().close());
            open.clear();
            if (staging != null) {
                staging.close();
                staging = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
