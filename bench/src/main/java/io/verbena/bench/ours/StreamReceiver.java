package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;

/// The other side of a stream of SENDs: takes all, reads them if so asked, and says when it has the last one.
final class StreamReceiver implements Loop {
    private final Link link;
    private final Payload payload;
    private final int size;
    private final boolean read;
    private final long messages;
    private final Receives receives;
    private final Ending ending;

    StreamReceiver(Link link, Payload payload, Measurement measurement, long messages) {
        this.link = link;
        this.payload = payload;
        this.size = measurement.size();
        this.read = measurement.read();
        this.messages = messages;
        receives = new Receives(link, size, messages);
        ending = new Ending(link);
    }

    @Override
    public void run(Samples samples) {
        for (long taken = 0; taken < messages; ) {
            link.awaitReceived(taken + 1);
            for (; taken < link.tally.received; taken++) {
                if (read) {
                    payload.check(link.region.memory(), receives.nextOffset(), size);
                }
                receives.postNext();
            }
        }
        ending.tell(0);
    }
}
