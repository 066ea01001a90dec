package io.verbena.soft.event;

import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;

/// Tells the flight recorder what happens. To be called on rare paths only: the check whether somebody records takes a
/// few nanoseconds. Texts are made only when an event is written.
///
/// The module `jdk.jfr` is optional. Without it these methods do nothing, and the classes that need it are never
/// loaded.
public final class SoftEvents {
    private static final boolean PRESENT = OptionalModule.isReadable("jdk.jfr");

    private SoftEvents() {}

    // ---- connections ----

    /// @param openingNs how long it took from the request on
    /// @param isAccepted whether this side is the server
    public static void connected(Gid device, int qp, Gid peer, int peerQp, boolean isAccepted, long openingNs) {
        if (PRESENT) {
            ConnectionEvents.connected(device, qp, peer, peerQp, isAccepted, openingNs);
        }
    }

    /// @param reason makes a sentence with cause and remedy
    public static void connectFailed(Gid device, Gid peer, boolean isAccepted, TextSource reason, long openingNs) {
        if (PRESENT) {
            ConnectionEvents.connectFailed(device, peer, isAccepted, reason, openingNs);
        }
    }

    /// @param cause null when one of the sides closed the connection in order
    public static void disconnected(
            Gid device, int qp, Gid peer, int peerQp, boolean isByThisSide, TextSource cause, long ageNs) {
        if (PRESENT) {
            ConnectionEvents.disconnected(device, qp, peer, peerQp, isByThisSide, cause, ageNs);
        }
    }

    // ---- queue pairs ----

    /// @param isLocal whether requests went through shared memory before
    /// @param flushed how many posted requests were flushed
    public static void stateChanged(
            QueuePairFacts qp, boolean isLocal, QueuePairState from, QueuePairState to, String cause, int flushed) {
        if (PRESENT) {
            QueuePairEvents.stateChanged(qp, isLocal, from, to, cause, flushed);
        }
    }

    public static void errorCompletion(
            QueuePairFacts qp, long wrId, String operation, long bytes, CompletionStatus status) {
        if (PRESENT) {
            QueuePairEvents.errorCompletion(qp, wrId, operation, bytes, status);
        }
    }

    /// @param packets how many are sent again
    public static void retransmission(QueuePairFacts qp, String cause, int psn, int packets, int retriesLeft) {
        if (PRESENT) {
            QueuePairEvents.retransmission(qp, cause, psn, packets, retriesLeft);
        }
    }

    /// The peer had no receive, so this side waits.
    ///
    /// @param retriesLeft 7 for any number
    public static void receiverNotReady(QueuePairFacts qp, long waitNs, int retriesLeft) {
        if (PRESENT) {
            QueuePairEvents.receiverNotReady(qp, waitNs, retriesLeft);
        }
    }

    /// This side had no receive, so the peer waits.
    public static void noReceive(QueuePairFacts qp) {
        if (PRESENT) {
            QueuePairEvents.noReceive(qp);
        }
    }

    public static void pathChosen(QueuePairFacts qp, String reason) {
        if (PRESENT) {
            QueuePairEvents.pathChosen(qp, reason);
        }
    }

    // ---- devices ----

    /// A peer's request was refused, or dropped without an answer.
    ///
    /// @param limit 0 when it was not for a limit
    public static void refused(
            Gid device, long peerHigh, long peerLow, String what, String decision, String reason, long limit) {
        if (PRESENT) {
            DeviceEvents.refused(device, peerHigh, peerLow, what, decision, reason, limit);
        }
    }

    /// The program reached a limit.
    public static void limitReached(String what, String decision, String reason, long limit) {
        if (PRESENT) {
            DeviceEvents.refused(null, 0, 0, what, decision, reason, limit);
        }
    }

    /// A thread goes to sleep. Returns what [#endWait] takes; null when nobody wants to know.
    public static Object beginWait() {
        return PRESENT ? DeviceEvents.beginWait() : null;
    }

    public static void endWait(Object begun, String what) {
        if (begun != null) {
            DeviceEvents.endWait(begun, what);
        }
    }

    /// From now on the recorder asks the device for its counters, as often as a recording wants.
    public static void add(CountedDevice device) {
        if (PRESENT) {
            CounterEvents.add(device);
        }
    }

    public static void remove(CountedDevice device) {
        if (PRESENT) {
            CounterEvents.remove(device);
        }
    }
}
