package io.verbena.tools.pingpong;

import io.verbena.verbs.attr.Mtu;
import java.time.Duration;

/// The values of the command line options.
///
/// - `receives`: how many receives are kept posted
/// - `iterations`: messages in each direction; with several queue pairs, on all together
/// - `gidIndex`, `port`: -1 for those of the address in use
/// - `events`: sleep until a completion event instead of spinning
/// - `check`: the client marks each page, the server checks the marks
/// - `verify`: every byte is compared
/// - `firstSilence`, `laterSilence`: how long the peer may be silent before its first message, and after it; zero: for
///   ever
record PingPongSettings(
        PingPongKind kind,
        boolean isServer,
        int size,
        Mtu mtu,
        int queuePairs,
        int receives,
        int iterations,
        int serviceLevel,
        int gidIndex,
        int port,
        boolean events,
        boolean check,
        boolean verify,
        Duration firstSilence,
        Duration laterSilence) {

    /// A datagram's receive starts with 40 bytes for the header with its source address.
    int receiveOffset() {
        return kind == PingPongKind.UD ? 40 : 0;
    }

    /// Length of one receive.
    long receiveBytes() {
        return (long) receiveOffset() + size;
    }

    /// Number of slots that messages arrive in. As in C all receives share one slot. Only when messages are compared
    /// each needs a slot of its own.
    int slots() {
        return verify ? receives : 1;
    }

    /// How long to wait for the next message.
    Duration silence(int received) {
        return received == 0 ? firstSilence : laterSilence;
    }

    /// The advice when no message arrives.
    String remedy() {
        return switch (kind) {
            case RC -> "the peer hangs, or has other -n or -s, or is no rc pingpong";
            case SRQ -> "the peer hangs, or has other -n, -q or -s, or is no srq pingpong";
            case UC, UD ->
                "a message was lost, which " + kind.text() + " does not send again, or the peer has other -n or -s, or"
                        + " is no " + kind.text() + " pingpong; run again, or take rc";
        };
    }
}
