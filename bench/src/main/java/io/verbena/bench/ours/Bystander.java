package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import java.util.concurrent.locks.LockSupport;

/// The other side of WRITEs, READs and atomics. Its program has nothing to do; a software device that takes packets
/// from a socket works fastest while it is polled, one that shares memory does not need this side at all.
final class Bystander implements Loop {
    private static final long NAP_NS = 1_000_000;

    private final Link link;
    private final boolean polls;

    Bystander(Link link, boolean polls) {
        this.link = link;
        this.polls = polls;
        new Ending(link).expect();
    }

    @Override
    public void run(Samples samples) {
        if (polls) {
            link.awaitReceived(1);
            return;
        }
        while (link.tally.received < 1) {
            LockSupport.parkNanos(NAP_NS);
            link.poll();
        }
    }
}
