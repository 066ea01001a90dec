package io.verbena.soft.engine;

import java.util.function.BooleanSupplier;

/// Checks the 16 bits of an ICRC over IPv4 that the receiver cannot check directly: the ICRC covers the identification
/// of the IP header, which sockets hide. The caller computes the identification from the ICRC; this class decides
/// whether the sender can have used it. Senders use 0, number the frames of a cut datagram from 0, or count: Linux for
/// each connected socket, its soft-RoCE for each pair of addresses, with a random step of up to one for each tick of
/// the clock since the last packet. So the last identification is kept for each socket (address and port) and for each
/// pair of addresses, and the next is expected close to either.
///
/// From a socket that is new, or that never counted, any identification is accepted. A jump of a counting socket looks
/// like packet loss and is accepted until a damaged packet was seen. From then on the packet that jumps is dropped, and
/// the packet that continues after it is accepted.
///
/// While other shards have the same address, jumps of a counting source are accepted: its counter steps on with packets
/// that go to them, and that this one does not see.
///
/// Memory is bounded: there are [#PLACES] places. A new source that finds no free place replaces the source that was
/// silent for longest.
final class IdentificationCheck {
    static final int PLACES = 1024;
    private static final int PLACES_TO_TRY = 4;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final IdentificationSequence[] places = new IdentificationSequence[PLACES];
    private final BooleanSupplier isShared;
    private boolean damageSeen;

    /// @param isShared whether packets to this address may go to others; asked when a packet jumps
    IdentificationCheck(BooleanSupplier isShared) {
        this.isShared = isShared;
    }

    /// Whether a packet from this IPv4 address and port, whose ICRC fits this identification, may be undamaged.
    boolean accepts(int source, int port, int destination, int identification, long nowNs) {
        long pair = pair(source, destination);
        IdentificationSequence socket = of(socket(pair, port), nowNs);
        boolean expected = socket.expects(identification, nowNs);
        if (expected && socket.countsSegments(identification)) {
            socket.follow(identification, nowNs);
            return true;
        }
        IdentificationSequence host = of(pair, nowNs);
        boolean isJump = !expected && socket.isKnown() && !host.expects(identification, nowNs);
        if (isJump && damageSeen && !mayMissSome(socket) && !socket.resumesWith(identification, nowNs)) {
            return false;
        }
        socket.follow(identification, nowNs);
        if (!socket.countsSegments(identification)) {
            host.follow(identification, nowNs);
        }
        return true;
    }

    private boolean mayMissSome(IdentificationSequence source) {
        return source.counts() && isShared.getAsBoolean();
    }

    /// A packet was dropped for its ICRC. Only packets of known senders show that the network damages packets.
    void onDamage(int source, int port, int destination) {
        damageSeen |= placeOf(socket(pair(source, destination), port)) >= 0;
    }

    private static long pair(int source, int destination) {
        return ((long) source << 32 | Integer.toUnsignedLong(destination)) * SPREAD;
    }

    private static long socket(long pair, int port) {
        return (pair + port + 1) * SPREAD;
    }

    private IdentificationSequence of(long key, long nowNs) {
        int at = placeOf(key);
        return at >= 0 ? places[at] : take(key, nowNs);
    }

    private int placeOf(long key) {
        int first = first(key);
        for (int i = 0; i < PLACES_TO_TRY; i++) {
            IdentificationSequence sequence = places[first + i];
            if (sequence != null && sequence.key() == key) {
                return first + i;
            }
        }
        return -1;
    }

    private static int first(long key) {
        return (int) (key >>> 40) & PLACES - 1 & -PLACES_TO_TRY;
    }

    private IdentificationSequence take(long key, long nowNs) {
        int oldest = first(key);
        for (int at = oldest; at < first(key) + PLACES_TO_TRY; at++) {
            if (places[at] == null) {
                return places[at] = new IdentificationSequence(key);
            }
            if (places[at].silentNs(nowNs) > places[oldest].silentNs(nowNs)) {
                oldest = at;
            }
        }
        return places[oldest] = new IdentificationSequence(key);
    }
}
