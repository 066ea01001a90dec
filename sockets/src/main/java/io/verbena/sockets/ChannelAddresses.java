package io.verbena.sockets;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;

/// Checks the addresses that programs give to channels, with the exceptions of the JDK's channels.
final class ChannelAddresses {
    private ChannelAddresses() {}

    static InetSocketAddress local(SocketAddress address, ProtocolFamily family) {
        if (!(address instanceof InetSocketAddress local)) {
            throw new UnsupportedAddressTypeException();
        }
        if (local.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        if (family == StandardProtocolFamily.INET && local.getAddress() instanceof Inet6Address) {
            throw new UnsupportedAddressTypeException();
        }
        return local;
    }

    static InetSocketAddress remote(SocketAddress address, ProtocolFamily family) {
        if (address == null) {
            throw new NullPointerException("the address is null");
        }
        InetSocketAddress remote = local(address, family);
        InetAddress host = remote.getAddress();
        return host.isAnyLocalAddress()
                ? new InetSocketAddress(LocalAddresses.loopback(host), remote.getPort())
                : remote;
    }

    static Hub hub(InetSocketAddress address) throws IOException {
        try {
            return Hubs.at(address.getAddress());
        } catch (RdmaException e) {
            throw bindFailure(e);
        }
    }

    static void bind(ConnectionId id, InetSocketAddress address, SocketSettings settings) throws IOException {
        try {
            if (settings.get(StandardSocketOptions.SO_REUSEADDR)) {
                id.option(ConnectionOption.REUSE_ADDRESS, 1);
            }
            id.bind(address);
        } catch (RdmaException e) {
            throw bindFailure(e);
        }
    }

    static IOException bindFailure(RdmaException e) {
        SocketException failure = switch (e.errno()) {
            case Errno.EADDRINUSE -> new BindException("Address already in use: " + e.getMessage());
            case Errno.EADDRNOTAVAIL, Errno.ENODEV ->
                new BindException("Cannot assign requested address: " + e.getMessage());
            default -> new SocketException(e.getMessage());
        };
        failure.initCause(e);
        return failure;
    }

    static long remaining(ByteBuffer[] buffers, int offset, int length) {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            total += buffers[i].remaining();
        }
        return total;
    }
}
