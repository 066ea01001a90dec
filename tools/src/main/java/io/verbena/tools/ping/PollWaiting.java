package io.verbena.tools.ping;

import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Poller;
import io.verbena.verbs.cm.EventChannel;

/// `--wait poll`: one poller watches the channel of the completions and, where this thread may, that of the
/// connection. Whichever has news ends the sleep, as `poll(2)` on both file descriptors does in C.
final class PollWaiting implements Waiting, AutoCloseable {
    private final CompletionQueue cq;
    private final Poller poller;

    /// @param connection null: another thread looks after the connection
    PollWaiting(CompletionQueue cq, EventChannel connection) {
        this.cq = cq;
        this.poller = connection == null ? Poller.of(cq.channel()) : Poller.of(cq.channel(), connection);
    }

    @Override
    public void arm() {
        cq.arm();
    }

    @Override
    public boolean rest() {
        poller.await(LOOK);
        return cq.channel().tryTake() == null; // else the news is that of a completion
    }

    @Override
    public void close() {
        poller.close();
    }
}
