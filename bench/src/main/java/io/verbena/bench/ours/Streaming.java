package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;

/// Keeps many requests on their way. The time is over when all are complete and, with SENDs, when the receiver said
/// that it has taken the last one.
final class Streaming implements Loop {
    private final Link link;
    private final long messages;
    private final int depth;
    private final Sends sends;
    private final boolean answered;
    private final Ending ending;

    /// @param answered whether the other side's program takes part, and answers after the last message
    Streaming(Link link, int size, long messages, boolean answered, Sends.Operation operation) {
        this.link = link;
        this.messages = messages;
        this.answered = answered;
        depth = answered ? Depth.of(size) : Depth.direct(size);
        sends = new Sends(link, Math.max(1, depth / 2), messages, operation);
        ending = new Ending(link);
        if (answered) {
            ending.expect();
        }
    }

    @Override
    public void run(Samples samples) {
        samples.begin();
        while (!sends.isAllPosted()) {
            while (!sends.isAllPosted() && sends.posted - link.tally.sent < depth) {
                sends.postNext();
            }
            link.poll();
        }
        sends.awaitAll();
        if (answered) {
            link.awaitReceived(1);
        }
        samples.end();
        if (!answered) {
            ending.tell(messages);
        }
    }
}
