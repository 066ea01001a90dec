package io.verbena.soft.net;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.concurrent.ThreadLocalRandom;

/// A socket that sends to one destination only, from a port of its own. Linux keeps the way to it, which it looks up
/// for every datagram of a socket that is not connected.
///
/// It also gives the IPv4 datagrams of such a socket identifications one after the other, from a random start on, and
/// ICRCs cover them: so the start is found out first, and the datagrams are counted. IPv6 has no such field.
final class ConnectedSocket {
    /// Source ports that RoCEv2 leaves to the sender.
    private static final int FIRST_PORT = 0xC000;

    private static final int PORTS = 0x4000;
    private static final int PORT_ATTEMPTS = 8;
    private static final int CLOSED = -1;

    private final int port;
    private final boolean counts;
    private int fd;

    /// What the datagram that is queued next will carry.
    private int identification;

    private ConnectedSocket(int fd, int port, boolean counts, int identification) {
        this.fd = fd;
        this.port = port;
        this.counts = counts;
        this.identification = identification;
    }

    /// Null when there cannot be one, for whatever reason: the wire's own socket does it, too.
    static ConnectedSocket open(InetAddress local, SocketAddresses addresses, long high, long low) {
        try {
            for (int i = 0; i < PORT_ATTEMPTS; i++) {
                int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
                int fd = LinuxSocket.openConnected(local, addresses, port, high, low);
                if (fd >= 0) {
                    return identified(fd, local, addresses, port);
                }
                if (fd != -Errno.EADDRINUSE.number()) {
                    return null;
                }
            }
        } catch (RdmaException e) {
            Wires.LOG.log(System.Logger.Level.DEBUG, AddressText.of(local) + ": no socket for one destination", e);
        }
        return null;
    }

    private static ConnectedSocket identified(int fd, InetAddress local, SocketAddresses addresses, int port) {
        if (!addresses.isIpv4()) {
            return new ConnectedSocket(fd, port, false, 0);
        }
        ConnectedSocket socket = new ConnectedSocket(fd, port, true, IdentificationProbe.UNKNOWN);
        try {
            socket.identification = IdentificationProbe.next(fd, local, addresses, port);
        } finally {
            if (socket.identification == IdentificationProbe.UNKNOWN) {
                socket.close();
            }
        }
        return socket.isClosed() ? null : socket;
    }

    int fd() {
        return fd;
    }

    int port() {
        return port;
    }

    /// Of the datagram that is queued next.
    int identification() {
        return identification;
    }

    /// Of a frame of the datagram that was queued last.
    int identification(int frame) {
        return counts ? identification - 1 + frame & 0xFFFF : 0;
    }

    void onQueued() {
        identification = counts ? identification + 1 & 0xFFFF : 0;
    }

    boolean isClosed() {
        return fd == CLOSED;
    }

    void close() {
        if (fd != CLOSED) {
            MemorySegment state = Arena.ofAuto().allocate(Libc.stateLayout());
            Libc.close(state, fd);
            fd = CLOSED;
        }
    }
}
