package io.verbena.lab.peers;

import io.verbena.sockets.RdmaServerSocketChannel;
import io.verbena.sockets.RdmaSocketChannel;
import io.verbena.sockets.RdmaSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.time.Duration;

/// Our ends of connections with C programs: on the software device, or on the second device of the kernel. C programs
/// have the first.
///
/// @param isSoft whether it is the software device
record OurSockets(boolean isSoft) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// The address of C programs.
    static String cAddress(boolean isIpv6) {
        return isIpv6 ? "fd77::1" : "10.77.0.1";
    }

    String address(boolean isIpv6) {
        return (isIpv6 ? "fd77::" : "10.77.0.") + (isSoft ? "3" : "2");
    }

    /// As the lists of results have it.
    String device() {
        return isSoft ? "software device" : "rxe through rdma-core";
    }

    private static ProtocolFamily family(boolean isIpv6) {
        return isIpv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }

    private InetSocketAddress local(boolean isIpv6, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address(isIpv6)), port);
    }

    RdmaServerSocketChannel listen(boolean isIpv6, int port) throws IOException {
        RdmaServerSocketChannel server = RdmaSockets.openServerSocketChannel(family(isIpv6));
        server.bind(local(isIpv6, port));
        return server;
    }

    /// Waits for a C client.
    static RdmaSocketChannel accept(RdmaServerSocketChannel server) throws IOException {
        server.socket().setSoTimeout((int) LIMIT.toMillis());
        return (RdmaSocketChannel) server.socket().accept().getChannel();
    }

    /// Connects to a C server.
    RdmaSocketChannel connect(boolean isIpv6, int port) throws IOException {
        RdmaSocketChannel channel = RdmaSockets.openSocketChannel(family(isIpv6));
        try {
            channel.bind(local(isIpv6, 0));
            channel.connect(new InetSocketAddress(InetAddress.ofLiteral(cAddress(isIpv6)), port));
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }
}
