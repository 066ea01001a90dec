package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;

/// Requests that the other side's program has no part in, such as READ and FETCH_ADD: one, its completion, the
/// next.
final class OneAtATime implements Loop {
    private final Sends sends;
    private final Link link;
    private final long messages;
    private final Ending ending;

    OneAtATime(Link link, long messages, Sends.Operation operation) {
        this.link = link;
        this.messages = messages;
        sends = new Sends(link, 1, messages, operation);
        ending = new Ending(link);
    }

    @Override
    public void run(Samples samples) {
        samples.begin();
        for (long n = 1; n <= messages; n++) {
            sends.postNext();
            samples.record();
            link.awaitSent(n);
            samples.endRoundTrip();
        }
        samples.end();
        ending.tell(messages);
    }
}
