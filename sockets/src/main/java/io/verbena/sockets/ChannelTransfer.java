package io.verbena.sockets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/// Reads and writes for an [RdmaSocketChannel], over RDMA or TCP, and waits where the channel blocks. One thread at a
/// time reads, and one writes.
final class ChannelTransfer {
    private final RdmaSocketChannel channel;
    private final ChannelConnection connection;
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private final ByteBuffer[] oneBuffer = new ByteBuffer[1];
    private volatile boolean isInputShut;
    private volatile boolean isOutputShut;

    ChannelTransfer(RdmaSocketChannel channel, ChannelConnection connection) {
        this.channel = channel;
        this.connection = connection;
    }

    /// Until [#unlock] nobody reads or writes.
    void lock() {
        readLock.lock();
        writeLock.lock();
    }

    void unlock() {
        writeLock.unlock();
        readLock.unlock();
    }

    // ---- reading ----

    /// @param timeoutNs how long a blocking channel over RDMA waits; then 0
    int read(ByteBuffer to, long timeoutNs) throws IOException {
        Objects.requireNonNull(to, "the buffer is null");
        readLock.lock();
        try {
            channel.requireConnected();
            SocketChannel tcp = connection.tcp();
            if (tcp != null) {
                return (int) tcpRead(() -> tcp.read(to));
            }
            if (isInputShut) {
                return -1;
            }
            return to.hasRemaining() ? readRdma(connection.stream(), to, timeoutNs) : 0;
        } finally {
            readLock.unlock();
        }
    }

    private int readRdma(RdmaStream from, ByteBuffer to, long timeoutNs) throws IOException {
        if (!channel.isBlocking()) {
            int n = from.read(to);
            if (n != 0) {
                return n;
            }
            from.hub().poll();
            return from.read(to);
        }
        int n = 0;
        channel.beginWait();
        try {
            n = from.read(to);
            if (n == 0) {
                long deadlineNs = System.nanoTime() + timeoutNs;
                while (n == 0 && channel.isWaiting() && deadlineNs - System.nanoTime() > 0) {
                    from.await(SelectionKey.OP_READ, deadlineNs);
                    n = from.read(to);
                }
            }
        } finally {
            channel.endWait(n > 0 || n < 0 && channel.isOpen());
        }
        return n;
    }

    long read(ByteBuffer[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        readLock.lock();
        try {
            channel.requireConnected();
            SocketChannel tcp = connection.tcp();
            return tcp != null ? tcpRead(() -> tcp.read(to, offset, length)) : scatter(to, offset, length);
        } finally {
            readLock.unlock();
        }
    }

    /// Waits for the first bytes only.
    private long scatter(ByteBuffer[] to, int offset, int length) throws IOException {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (to[i].hasRemaining()) {
                int n = total == 0
                        ? read(to[i], RdmaSocketChannel.FOR_EVER_NS)
                        : connection.stream().read(to[i]);
                total += Math.max(0, n);
                if (n <= 0 || to[i].hasRemaining()) {
                    return total > 0 ? total : n;
                }
            }
        }
        return total;
    }

    // ---- writing ----

    int write(ByteBuffer from) throws IOException {
        Objects.requireNonNull(from, "the buffer is null");
        writeLock.lock();
        try {
            oneBuffer[0] = from;
            return (int) write(oneBuffer, 0, 1);
        } finally {
            oneBuffer[0] = null;
            writeLock.unlock();
        }
    }

    long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        writeLock.lock();
        try {
            channel.requireConnected();
            if (isOutputShut) {
                throw new ClosedChannelException();
            }
            SocketChannel tcp = connection.tcp();
            if (tcp != null) {
                long n = overTcp(() -> tcp.write(from, offset, length));
                SocketCounters.TCP_WRITTEN.add(n);
                return n;
            }
            return writeRdma(connection.stream(), from, offset, length);
        } finally {
            writeLock.unlock();
        }
    }

    private long writeRdma(RdmaStream to, ByteBuffer[] from, int offset, int length) throws IOException {
        long wanted = ChannelAddresses.remaining(from, offset, length);
        if (!channel.isBlocking()) {
            long n = to.write(from, offset, length);
            if (n < wanted) {
                to.hub().poll();
                n += to.write(from, offset, length);
            }
            return n;
        }
        long n = 0;
        channel.beginWait();
        try {
            n = to.write(from, offset, length);
            while (n < wanted && channel.isWaiting()) {
                to.await(SelectionKey.OP_WRITE, System.nanoTime() + RdmaSocketChannel.FOR_EVER_NS);
                n += channel.isOpen() ? to.write(from, offset, length) : 0;
            }
        } finally {
            channel.endWait(n > 0 || wanted == 0);
        }
        return n;
    }

    // ---- over TCP ----

    private interface TcpCall {
        long call() throws IOException;
    }

    private long tcpRead(TcpCall read) throws IOException {
        long n = overTcp(read);
        SocketCounters.TCP_READ.add(Math.max(0, n));
        return n;
    }

    /// An interrupt closes the inner channel; then this one is closed, too.
    private long overTcp(TcpCall call) throws IOException {
        try {
            return call.call();
        } catch (ClosedChannelException e) {
            if (!connection.tcp().isOpen()) {
                channel.close();
            }
            throw e;
        }
    }

    // ---- ending ----

    void shutdownInput() throws IOException {
        SocketChannel tcp = connection.tcp();
        if (tcp != null) {
            tcp.shutdownInput();
        } else if (!isInputShut) {
            connection.stream().shutdownInput();
        }
        isInputShut = true;
    }

    void shutdownOutput() throws IOException {
        SocketChannel tcp = connection.tcp();
        if (tcp != null) {
            tcp.shutdownOutput();
        } else if (!isOutputShut) {
            connection.stream().shutdownOutput();
        }
        isOutputShut = true;
    }

    boolean isInputShut() {
        return isInputShut;
    }

    boolean isOutputShut() {
        return isOutputShut;
    }
}
