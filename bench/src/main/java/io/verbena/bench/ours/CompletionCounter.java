package io.verbena.bench.ours;

import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;

/// Counts completions. The number of a completed request says what it stands for: a receive, or that many send
/// requests, of which only the last was signaled.
final class CompletionCounter implements WorkCompletionHandler {
    static final long RECEIVE = -1;
    /// Number of a receive of [Neighbours], which is no request of the measured connection.
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

    /// Number of messages to neighbours since the last call.
    long takeNeighbours() {
        long count = neighbours;
        neighbours = 0;
        return count;
    }
}
