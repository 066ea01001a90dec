package io.verbena.sockets;

/// How long a thread polls before it sleeps. Long while answers come quickly, short where they do not: so a connection
/// with a busy peer needs no wake-ups, and one with a silent peer no processor.
final class SpinBudget {
    static final long MOST_NS = SocketProperties.spinNs();
    private static final long LEAST_NS = MOST_NS / 16;

    private long budgetNs = MOST_NS;

    long budgetNs() {
        return budgetNs;
    }

    /// A wait is over.
    void onWaited(long tookNs) {
        if (tookNs <= 2 * MOST_NS) {
            budgetNs = MOST_NS;
        } else {
            budgetNs = Math.max(LEAST_NS, budgetNs / 2);
        }
    }
}
