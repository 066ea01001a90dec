package io.verbena.bench.ours;

import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;

/// A message without payload that says: that was all.
final class Ending {
    private final Link link;
    private final SendRequest send;
    private final ReceiveRequest receive;

    Ending(Link link) {
        this.link = link;
        send = link.qp.newSendRequest().wrId(1).send().empty().signaled();
        receive = link.qp.newReceiveRequest().wrId(Tally.RECEIVE).empty();
    }

    /// To be called before the other side can tell.
    void expect() {
        link.post(receive);
    }

    /// @param sentBefore how many requests completed in this run
    void tell(long sentBefore) {
        link.post(send);
        link.awaitSent(sentBefore + 1);
    }
}
