package io.verbena.tools.top;

import io.verbena.soft.status.ConnectionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.ArrayList;
import java.util.List;

/// What the numbers of a connection mean, if they mean trouble.
final class Hints {
    private static final long LONG_WAIT_NS = 1_000_000_000;

    private Hints() {}

    static List<String> of(ConnectionRow row) {
        ConnectionStatus status = row.status();
        List<String> hints = new ArrayList<>();
        boolean isConnected = status.state() == QueuePairState.RTS || status.state() == QueuePairState.SQD;
        if (status.waitsForReceiver()) {
            hints.add("The peer has no receive posted; requests wait for the RNR timer. Let the peer post receives"
                    + " before this side sends.");
        } else if (isConnected && row.waitNs() >= LONG_WAIT_NS) {
            hints.add("The oldest request has waited for " + Quantity.time(row.waitNs())
                    + ": the peer does not answer, or this program does not poll its completion queue.");
        }
        if (status.outstanding() >= status.sendCapacity() && isConnected) {
            hints.add("The send queue is full: post returns false until completions are polled.");
        }
        if (isConnected && status.postedReceives() == 0 && status.rnrSent() > 0) {
            hints.add("No receive is posted here, and the peer had to wait for one.");
        }
        if (status.retransmissions() > 0) {
            hints.add("Packets were lost on the way or came too late, and were sent again.");
        }
        if (status.state() == QueuePairState.ERR) {
            hints.add("The queue pair has failed: the first completion that is not a success says why.");
        }
        return hints;
    }
}
