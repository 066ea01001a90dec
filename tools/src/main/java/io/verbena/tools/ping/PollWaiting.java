package io.verbena.tools.ping;

import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Poller;
import io.verbena.verbs.cm.EventChannel;

/// `--wait poll`: one poller watches the completion channel and, unless another thread does, the event channel of the
/// connection. An event on either ends the sleep, like `poll(2)` on both file descriptors in C.
final class PollWaiting implements Waiting {
    private final CompletionQueue cq;
    private final Poller poller;

    /// @param connection null: another thread takes the events of the connection
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
        return cq.channel().tryTake() == null; // else there is a completion
    }

    @Override
    public void close() {
        poller.close();
    }
}
