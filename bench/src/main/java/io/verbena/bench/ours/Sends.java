package io.verbena.bench.ours;

import io.verbena.verbs.SendRequest;

/// The send requests of one run: the same request again and again, signaled now and then and at the end.
final class Sends {
    private final MeasuredConnection connection;
    private final SendRequest quiet;
    private final SendRequest signaled;
    private final int every;
    private final long total;
    long posted;
    private long reported;

    /// Sets everything in a request but the signaled flag.
    interface Operation {
        SendRequest fill(SendRequest request);
    }

    Sends(MeasuredConnection connection, int every, long total, Operation operation) {
        this.connection = connection;
        this.every = every;
        this.total = total;
        quiet = operation.fill(connection.qp.newSendRequest()).unsignaled();
        signaled = operation.fill(connection.qp.newSendRequest()).signaled();
    }

    void postNext() {
        posted++;
        if (posted - reported == every || posted == total) {
            connection.post(signaled.wrId(posted - reported));
            reported = posted;
        } else {
            connection.post(quiet);
        }
    }

    boolean isAllPosted() {
        return posted == total;
    }

    void awaitAll() {
        connection.awaitSent(total);
    }
}
