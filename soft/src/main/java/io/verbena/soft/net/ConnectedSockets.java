package io.verbena.soft.net;

import java.net.InetAddress;

/// The connected sockets of a [LinuxWire], for destinations that get many frames. Each destination has one place,
/// which others may want too: it goes to one that gets more, so that there are never more sockets than places.
final class ConnectedSockets {
    /// Frames before a destination gets a socket. Opening one takes about as long as looking up the way to as many.
    static final int FRAMES = 256;

    static final int PLACES = 64;

    /// Where there cannot be a socket it is tried again after this many.
    private static final int FRAMES_AFTER_FAILURE = 1 << 20;

    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(PLACES);

    private final InetAddress local;
    private final SocketAddresses addresses;
    private final long[] high = new long[PLACES];
    private final long[] low = new long[PLACES];

    /// How much the destination is ahead of others that want the place.
    private final int[] frames = new int[PLACES];

    private final ConnectedSocket[] sockets = new ConnectedSocket[PLACES];

    ConnectedSockets(InetAddress local, SocketAddresses addresses) {
        this.local = local;
        this.addresses = addresses;
    }

    /// Counts a frame, and returns the socket of its destination, or null when there is none.
    ///
    /// @param mayClose false while frames wait in sockets
    ConnectedSocket of(long destinationHigh, long destinationLow, boolean mayClose) {
        int place = (int) ((destinationHigh * 31 + destinationLow) * SPREAD >>> SHIFT);
        if (low[place] != destinationLow || high[place] != destinationHigh) {
            onStranger(place, destinationHigh, destinationLow, mayClose);
            return null;
        }
        if (frames[place] < FRAMES && ++frames[place] == FRAMES && sockets[place] == null) {
            open(place);
        }
        return sockets[place];
    }

    private void onStranger(int place, long destinationHigh, long destinationLow, boolean mayClose) {
        if (frames[place] > 0) {
            frames[place]--;
        } else if (mayClose && isOne(destinationHigh, destinationLow)) {
            forget(place);
            high[place] = destinationHigh;
            low[place] = destinationLow;
            frames[place] = 1;
        }
    }

    /// Groups have members, and are rare.
    private boolean isOne(long destinationHigh, long destinationLow) {
        return addresses.reaches(destinationHigh, destinationLow)
                && !SocketAddresses.isGroup(destinationHigh, destinationLow);
    }

    private void open(int place) {
        sockets[place] = ConnectedSocket.open(local, addresses, high[place], low[place]);
        if (sockets[place] == null) {
            frames[place] = -FRAMES_AFTER_FAILURE;
        }
    }

    /// Does without a socket that the system takes no datagrams from.
    void giveUp(ConnectedSocket socket) {
        for (int place = 0; place < PLACES; place++) {
            if (sockets[place] == socket) {
                forget(place);
                frames[place] = -FRAMES_AFTER_FAILURE;
            }
        }
    }

    void close() {
        for (int place = 0; place < PLACES; place++) {
            forget(place);
        }
    }

    private void forget(int place) {
        if (sockets[place] != null) {
            sockets[place].close();
            sockets[place] = null;
        }
    }
}
