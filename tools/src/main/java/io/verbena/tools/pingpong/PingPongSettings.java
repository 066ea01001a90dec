package io.verbena.tools.pingpong;

import io.verbena.verbs.attr.Mtu;
import java.time.Duration;

/// What the options of the command line ask for.
///
/// - `receives`: how many receives are kept posted
/// - `iterations`: messages each way; with several queue pairs, on all together
/// - `gidIndex`, `port`: -1 for those of the address in use
/// - `events`: sleep until the completion queue tells of a completion, do not spin
/// - `check`: the client marks each page, the server looks for the marks
/// - `verify`: every byte is compared
/// - `firstSilence`, `laterSilence`: how long the peer may keep silent, before its first message and after it;
///   zero: for ever
record PingPongSettings(
        Kind kind,
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

    /// A datagram's receive starts with 40 bytes for the header that says where it came from.
    int receiveOffset() {
        return kind == Kind.UD ? 40 : 0;
    }

    /// Length of one receive.
    long receiveBytes() {
        return (long) receiveOffset() + size;
    }

    /// How many places messages arrive at. As in C all receives share one: who does not look at the bytes does not
    /// mind. To be compared, each message needs a place of its own.
    int places() {
        return verify ? receives : 1;
    }

    /// How long to wait for the next message.
    Duration silence(int received) {
        return received == 0 ? firstSilence : laterSilence;
    }

    /// What to do when nothing comes.
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
