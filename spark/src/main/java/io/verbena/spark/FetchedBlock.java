package io.verbena.spark;

import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.util.ByteBufferInputStream;

/// A block in registered memory, as Spark wants it.
final class FetchedBlock extends ManagedBuffer {
    private final Lease lease;
    private final ByteBuffer bytes;
    private final AtomicInteger users = new AtomicInteger(1);

    FetchedBlock(Lease lease, long offset, long length) {
        this.lease = lease;
        this.bytes = lease.region().memory().asSlice(offset, length).asByteBuffer();
    }

    @Override
    public long size() {
        return bytes.remaining();
    }

    @Override
    public ByteBuffer nioByteBuffer() {
        return bytes.duplicate();
    }

    @Override
    public InputStream createInputStream() {
        return new ByteBufferInputStream(bytes.duplicate());
    }

    @Override
    public ManagedBuffer retain() {
        users.incrementAndGet();
        return this;
    }

    @Override
    public ManagedBuffer release() {
        if (users.decrementAndGet() == 0) {
            lease.release();
        }
        return this;
    }

    @Override
    public Object convertToNetty() {
        return Unpooled.wrappedBuffer(bytes.duplicate());
    }

    @Override
    public Object convertToNettyForSsl() {
        return convertToNetty();
    }
}
