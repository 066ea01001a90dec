package io.verbena.bench.ours;

import io.verbena.verbs.SendRequest;

/// The requests of one run: the same one again and again, signaled once in a while and at the end.
final class Sends {
    private final Link link;
    private final SendRequest quiet;
    private final SendRequest signaled;
    private final int every;
    private final long total;
    long posted;
    private long reported;

    /// What a request does besides being signaled.
    interface Operation {
        SendRequest fill(SendRequest request);
    }

    Sends(Link link, int every, long total, Operation operation) {
        this.link = link;
        this.every = every;
        this.total = total;
        quiet = operation.fill(link.qp.newSendRequest()).unsignaled();
        signaled = operation.fill(link.qp.newSendRequest()).signaled();
    }

    void postNext() {
        posted++;
        if (posted - reported == every || posted == total) {
            link.post(signaled.wrId(posted - reported));
            reported = posted;
        } else {
            link.post(quiet);
        }
    }

    boolean isAllPosted() {
        return posted == total;
    }

    void awaitAll() {
        link.awaitSent(total);
    }
}
