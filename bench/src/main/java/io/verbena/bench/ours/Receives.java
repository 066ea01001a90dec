package io.verbena.bench.ours;

import io.verbena.verbs.ReceiveRequest;

/// The receives of one run: as many as messages come, no more, so that the next run finds an empty queue.
final class Receives {
    private final Link link;
    private final ReceiveRequest[] ring;
    private final long stride;
    private final long expected;
    private long posted;
    private int place;
    private int reading;

    Receives(Link link, int size, long expected) {
        this.link = link;
        this.expected = expected;
        stride = Depth.stride(size);
        ring = new ReceiveRequest[(int) Math.min(expected, Depth.receives(size))];
        for (int i = 0; i < ring.length; i++) {
            ring[i] = link.qp
                    .newReceiveRequest()
                    .wrId(Tally.RECEIVE)
                    .into(link.region, link.receiveAt + i * stride, size);
        }
        for (int i = 0; i < ring.length; i++) {
            postNext();
        }
    }

    /// The place of a message that was read may take another one. Places are used in turn.
    void postNext() {
        if (posted < expected) {
            link.post(ring[place]);
            posted++;
            place = place + 1 == ring.length ? 0 : place + 1;
        }
    }

    /// Where the next message that was not yet asked for lies in the region.
    long nextOffset() {
        long offset = link.receiveAt + reading * stride;
        reading = reading + 1 == ring.length ? 0 : reading + 1;
        return offset;
    }
}
