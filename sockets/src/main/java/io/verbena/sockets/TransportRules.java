package io.verbena.sockets;

import java.net.InetSocketAddress;

/// Says by which transport an address and port are served and reached.
interface TransportRules {
    TransportRules RDMA_ALWAYS = new TransportRules() {
        @Override
        public Transport of(InetSocketAddress address) {
            return Transport.RDMA;
        }

        @Override
        public Transport ofBind(InetSocketAddress address) {
            return Transport.RDMA;
        }
    };

    /// Of a peer that a client connects to, or of the address of a server.
    Transport of(InetSocketAddress address);

    /// Of the local address of a client, whose peer is not known yet: RDMA only where all peers are reached by it.
    Transport ofBind(InetSocketAddress address);
}
