package io.verbena.soft.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/// Checks whether the process at an address of this host has ended: then its port is closed, and a datagram to it
/// causes an error. The system reports that only to connected sockets, so each check opens one. Errors from other hosts
/// could be forged and are ignored.
public final class ClosedPort {
    private ClosedPort() {}

    public static boolean isAt(InetAddress peer) {
        try (DatagramChannel channel = connect(peer)) {
            if (!isOfThisHost(peer, channel)) {
                return false;
            }
            // Shorter than any packet, so a device at that address drops it.
            ByteBuffer datagram = ByteBuffer.allocate(1);
            channel.write(datagram);
            channel.read(datagram.clear());
            return false;
        } catch (PortUnreachableException closed) {
            return true;
        } catch (IOException | RuntimeException unknown) {
            return false;
        }
    }

    /// Whether the peer's address is of this host. Otherwise its port shows nothing.
    public static boolean isOfThisHost(InetAddress peer) {
        try (DatagramChannel channel = connect(peer)) {
            return isOfThisHost(peer, channel);
        } catch (IOException | RuntimeException unknown) {
            return false;
        }
    }

    private static DatagramChannel connect(InetAddress peer) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.configureBlocking(false);
            return channel.connect(new InetSocketAddress(peer, Wires.PORT));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// A route to an address of this host has that address as its source.
    private static boolean isOfThisHost(InetAddress peer, DatagramChannel connected) throws IOException {
        return peer.isLoopbackAddress()
                || connected.getLocalAddress() instanceof InetSocketAddress from
                        && from.getAddress().equals(peer);
    }
}
