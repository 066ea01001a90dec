package io.verbena.tools.perf;

import java.io.IOException;

/// The transport of a [PeerChannel]: a TCP connection, or with `-R` a queue pair.
interface PeerLink extends AutoCloseable {
    /// Sends a message, whole.
    void send(byte[] message) throws IOException;

    /// Waits for the peer's next bytes; only the reading thread calls it. Returns their number, or -1 when the peer
    /// closed the connection.
    int receive(byte[] into) throws IOException;

    /// The peer's address, for thread names and errors.
    String peer();

    @Override
    void close();
}
