package io.verbena.bench.ours;

import io.verbena.verbs.CompletionHandler;
import io.verbena.verbs.WorkCompletion;

/// Counts completions. The number that comes back with one says what it stands for: a receive, or so many send
/// requests of which only the last was signaled.
final class Tally implements CompletionHandler {
    static final long RECEIVE = -1;
    /// A receive of a [Neighbours] connection, which stands for no request of the measured one.
    static final long NEIGHBOUR = 0;

    long received;
    long sent;
    private long neighbours;

    void restart() {
        received = 0;
        sent = 0;
    }

    @Override
    public void onCompletion(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException("a request failed: " + completion.status());
        }
        long wrId = completion.wrId();
        if (wrId == RECEIVE) {
            received++;
        } else {
            sent += wrId;
            if (wrId == NEIGHBOUR) {
                neighbours++;
            }
        }
    }

    /// How many messages of neighbours came since the last call.
    long takeNeighbours() {
        long count = neighbours;
        neighbours = 0;
        return count;
    }
}
