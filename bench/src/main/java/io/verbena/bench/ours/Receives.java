package io.verbena.bench.ours;

import io.verbena.verbs.ReceiveRequest;

/// The receives of one run: as many as messages will come, so that the next run finds an empty queue.
final class Receives {
    private final MeasuredConnection connection;
    private final ReceiveRequest[] ring;
    private final long stride;
    private final long expected;
    private long posted;
    private int place;
    private int reading;

    Receives(MeasuredConnection connection, int size, long expected) {
        this.connection = connection;
        this.expected = expected;
        stride = Depth.stride(size);
        ring = new ReceiveRequest[(int) Math.min(expected, Depth.receives(size))];
        for (int i = 0; i < ring.length; i++) {
            ring[i] = connection
                    .qp
                    .newReceiveRequest()
                    .wrId(CompletionCounter.RECEIVE)
                    .into(connection.region, connection.receiveAt + i * stride, size);
        }
        for (int i = 0; i < ring.length; i++) {
            postNext();
        }
    }

    /// Posts the receive of a message that was read. Slots are used in turn.
    void postNext() {
        if (posted < expected) {
            connection.post(ring[place]);
            posted++;
            place = place + 1 == ring.length ? 0 : place + 1;
        }
    }

    /// Offset in the region of the next message that was not read yet.
    long nextOffset() {
        long offset = connection.receiveAt + reading * stride;
        reading = reading + 1 == ring.length ? 0 : reading + 1;
        return offset;
    }
}
