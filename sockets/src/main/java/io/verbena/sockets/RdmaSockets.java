package io.verbena.sockets;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;

/// Opens channels, sockets and selectors over RDMA. They behave as those of the JDK, and connect with each other and
/// with programs that use librdmacm's rsockets.
///
/// ```java
/// RdmaServerSocketChannel server = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET);
/// server.bind(new InetSocketAddress("127.0.0.1", 7471));
/// RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET);
/// client.connect(new InetSocketAddress("127.0.0.1", 7471));
/// ```
///
/// Selectors of [#openSelector] take channels of the JDK as well. The API is that of JEP 337.
public final class RdmaSockets {
    private static final RdmaSelectorProvider PROVIDER = new RdmaSelectorProvider(TransportRules.RDMA_ALWAYS);

    private RdmaSockets() {}

    /// The provider of all of them, for libraries that take one.
    public static SelectorProvider provider() {
        return PROVIDER;
    }

    /// A channel that is not connected.
    ///
    /// @throws UnsupportedOperationException when the family is neither INET nor INET6
    public static RdmaSocketChannel openSocketChannel(ProtocolFamily family) {
        return new RdmaSocketChannel(PROVIDER, TransportRules.RDMA_ALWAYS, required(family));
    }

    /// A server channel that is not bound.
    ///
    /// @throws UnsupportedOperationException when the family is neither INET nor INET6
    public static RdmaServerSocketChannel openServerSocketChannel(ProtocolFamily family) {
        return new RdmaServerSocketChannel(PROVIDER, TransportRules.RDMA_ALWAYS, required(family));
    }

    /// A selector for channels over RDMA and of the JDK.
    public static Selector openSelector() {
        return new RdmaSelector(PROVIDER);
    }

    /// A socket that is not connected.
    ///
    /// @throws UnsupportedOperationException when the family is neither INET nor INET6
    public static Socket openSocket(ProtocolFamily family) throws IOException {
        return openSocketChannel(family).socket();
    }

    /// A server socket that is not bound.
    ///
    /// @throws UnsupportedOperationException when the family is neither INET nor INET6
    public static ServerSocket openServerSocket(ProtocolFamily family) throws IOException {
        return openServerSocketChannel(family).socket();
    }

    private static ProtocolFamily required(ProtocolFamily family) {
        if (family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6) {
            return family;
        }
        if (family == null) {
            throw new NullPointerException("the protocol family is null");
        }
        throw new UnsupportedOperationException("protocol family " + family.name() + " has no RDMA");
    }
}
