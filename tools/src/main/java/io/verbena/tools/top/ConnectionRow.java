package io.verbena.tools.top;

import io.verbena.soft.status.ConnectionStatus;
import io.verbena.tools.text.AddressText;
import io.verbena.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.util.Locale;

/// A connection and what happened on it since the snapshot before. Rates are per second, and NaN in the first snapshot.
///
/// @param program the program that has it
/// @param sentRate messages sent
/// @param receivedRate messages received
/// @param packetsOutRate packets sent, over UDP
/// @param packetsInRate packets received, over UDP
/// @param waitNs how long at least the oldest outstanding request has been waiting
/// @param slowestNs the longest such wait since `top` was started
record ConnectionRow(
        long pid,
        String program,
        String device,
        ConnectionStatus status,
        double sentRate,
        double receivedRate,
        double packetsOutRate,
        double packetsInRate,
        long waitNs,
        long slowestNs) {
    private static final Gid NOBODY = new Gid(0, 0);

    /// The peer's address with its port, or with the number of its queue pair where there is no port.
    String peer() {
        if (status.peer().equals(NOBODY)) {
            return "";
        }
        var address = status.peer().address();
        return status.peerPort() != 0
                ? AddressText.of(new InetSocketAddress(address, status.peerPort()))
                : AddressText.of(address) + " " + hex(status.peerNumber());
    }

    String path() {
        return switch (status.path()) {
            case SHARED_MEMORY -> "shm";
            case UDP -> "UDP";
            case NONE -> "";
        };
    }

    /// The state, and `RNR` while the peer has no receive.
    String state() {
        return status.waitsForReceiver() ? "RNR" : status.state().toString();
    }

    String number() {
        return hex(status.number());
    }

    static String hex(int number) {
        return String.format(Locale.ROOT, "0x%06x", number);
    }

    /// Retransmitted packets and timeouts. A timeout over UDP is followed by a retransmission, a timeout through shared
    /// memory only by more waiting.
    long retries() {
        return Math.max(status.retransmissions(), status.timeouts());
    }

    long rnr() {
        return status.rnrReceived() + status.rnrSent();
    }

    /// The words that a filter is compared with.
    String words() {
        return (pid + " " + program + " " + device + " shard" + status.shard() + " " + number() + " " + peer() + " "
                        + status.path().text() + " " + path() + " " + status.type() + " " + state() + " :"
                        + status.localPort())
                .toLowerCase(Locale.ROOT);
    }
}
