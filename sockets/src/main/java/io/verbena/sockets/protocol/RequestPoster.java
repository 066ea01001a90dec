package io.verbena.sockets.protocol;

/// The queue pair of a connection, as the protocol sees it. The protocol counts the requests, so there is room for each
/// of them.
public interface RequestPoster {
    /// Posts an RDMA WRITE with a word as immediate data. A length of 0 has no local bytes.
    void writeWithWord(
            RegisteredMemory from,
            long offset,
            int length,
            long remoteAddress,
            int remoteKey,
            int word,
            int number,
            boolean signaled);

    /// Posts an RDMA WRITE of which the peer's program is not told.
    void write(
            RegisteredMemory from,
            long offset,
            int length,
            long remoteAddress,
            int remoteKey,
            int number,
            boolean signaled);

    /// Posts receives without a buffer.
    void postReceives(int count);
}
