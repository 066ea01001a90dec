package io.verbena.bench.ours;

import io.verbena.bench.side.Measurement;

/// A stream of SENDs whose two ends one thread drives, step by step, so that it can drive several.
final class BothEnds {
    private final MeasuredConnection sender;
    private final MeasuredConnection receiver;
    private final Payload payload;
    private final int size;
    private final int depth;
    private final long messages;
    private final Sends sends;
    private final Receives receives;
    private long taken;

    BothEnds(
            MeasuredConnection sender,
            MeasuredConnection receiver,
            Payload payload,
            Measurement measurement,
            long messages) {
        this.sender = sender;
        this.receiver = receiver;
        this.payload = payload;
        this.size = measurement.size();
        this.messages = messages;
        depth = Depth.of(size);
        sender.counter.restart();
        receiver.counter.restart();
        payload.write(sender.region.memory(), 0, size);
        receives = new Receives(receiver, size, messages);
        sends = new Sends(
                sender,
                Math.max(1, depth / 2),
                messages,
                request -> request.send().from(sender.region, 0, size).inline(size <= MeasuredConnection.INLINE));
    }

    /// Sends what may be in flight, and takes what has arrived.
    void step() {
        while (!sends.isAllPosted() && sends.posted - sender.counter.sent < depth) {
            sends.postNext();
        }
        receiver.poll();
        for (; taken < receiver.counter.received; taken++) {
            payload.check(receiver.region.memory(), receives.nextOffset(), size);
            receives.postNext();
        }
        sender.poll();
    }

    boolean isDone() {
        return taken == messages && sender.counter.sent == messages;
    }
}
