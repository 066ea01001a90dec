package io.verbena.sockets;

/// The bytes of one connection. One reader and one writer at a time count.
final class StreamCounters {
    private volatile long read;
    private volatile long written;

    void onRead(int bytes) {
        read += bytes;
        SocketCounters.RDMA_READ.add(bytes);
    }

    void onWritten(int bytes) {
        written += bytes;
        SocketCounters.RDMA_WRITTEN.add(bytes);
    }

    long read() {
        return read;
    }

    long written() {
        return written;
    }
}
