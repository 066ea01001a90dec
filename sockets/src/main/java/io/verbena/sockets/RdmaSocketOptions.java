package io.verbena.sockets;

import java.net.SocketOption;

/// Options of RDMA channels and sockets beside the standard ones. They take effect when they are set before the channel
/// is connected; those of a server channel go to the connections that it accepts.
public final class RdmaSocketOptions {
    /// How many requests the send queue holds. Counterpart of `RDMA_SQSIZE` in rsockets.
    public static final SocketOption<Integer> RDMA_SQSIZE = new Option("RDMA_SQSIZE");

    /// How many messages the peer may send ahead. Counterpart of `RDMA_RQSIZE` in rsockets.
    public static final SocketOption<Integer> RDMA_RQSIZE = new Option("RDMA_RQSIZE");

    /// Up to how many bytes a message is copied into its request. Counterpart of `RDMA_INLINE` in rsockets.
    public static final SocketOption<Integer> RDMA_INLINE = new Option("RDMA_INLINE");

    private RdmaSocketOptions() {}

    private record Option(String name) implements SocketOption<Integer> {
        @Override
        public Class<Integer> type() {
            return Integer.class;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
