package io.verbena.tools.perf;

import java.util.List;

/// Creates and connects the queue pairs of an [PerfEndpoint]: without the connection manager, by the numbers that both
/// sides exchange, or with it (`-R`).
interface Wiring extends AutoCloseable {
    /// Creates the queue pairs and adds them to the endpoint. With the connection manager this also connects them.
    ///
    /// @param handshake for the barriers around it
    void create(PerfEndpoint endpoint, Handshake handshake);

    /// Moves the queue pairs to RTS, with the key lines of the peer.
    void connect(PerfEndpoint endpoint, List<KeyLine> peers);

    /// Whether the connection manager connects the queue pairs (`-R`). Then key lines are sent as C structs.
    default boolean isManaged() {
        return false;
    }

    /// Disconnects after a successful run; the queue pairs cannot be used any more. Without the connection manager
    /// closing the side channel is enough.
    default void disconnect() {}

    /// Closes the objects of the wiring itself, after the endpoint.
    @Override
    default void close() {}
}
