package io.verbena.bench.ours;

import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;

/// A message without payload that marks the end of a run.
final class EndMessage {
    private final MeasuredConnection connection;
    private final SendRequest send;
    private final ReceiveRequest receive;

    EndMessage(MeasuredConnection connection) {
        this.connection = connection;
        send = connection.qp.newSendRequest().wrId(1).send().empty().signaled();
        receive = connection
                .qp
                .newReceiveRequest()
                .wrId(CompletionCounter.RECEIVE)
                .empty();
    }

    /// Posts the receive; must be called before the peer can send.
    void expect() {
        connection.post(receive);
    }

    /// @param sentBefore number of requests that completed in this run
    void send(long sentBefore) {
        connection.post(send);
        connection.awaitSent(sentBefore + 1);
    }
}
