package io.verbena.soft.qp;

/// How often something went wrong on a connection and was mended. Each is written by one thread at a time, and read by
/// any. Volatile, because this is rare.
final class TroubleCounters {
    private volatile long retransmissions;
    private volatile long timeouts;
    private volatile long rnrReceived;
    private volatile long rnrSent;

    void onRetransmission() {
        retransmissions++;
    }

    void onTimeout() {
        timeouts++;
    }

    void onRnrReceived() {
        rnrReceived++;
    }

    void onRnrSent() {
        rnrSent++;
    }

    long retransmissions() {
        return retransmissions;
    }

    long timeouts() {
        return timeouts;
    }

    long rnrReceived() {
        return rnrReceived;
    }

    long rnrSent() {
        return rnrSent;
    }
}
