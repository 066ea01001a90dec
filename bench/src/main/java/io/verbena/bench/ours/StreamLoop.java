package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;

/// Keeps many requests in flight. The time ends when all are complete and, with SENDs, when the receiver has confirmed
/// the last one.
final class StreamLoop implements RunLoop {
    private final MeasuredConnection connection;
    private final long messages;
    private final int depth;
    private final Sends sends;
    private final boolean answered;
    private final EndMessage end;

    /// @param answered whether the peer's program takes part, and confirms the last message
    StreamLoop(MeasuredConnection connection, int size, long messages, boolean answered, Sends.Operation operation) {
        this.connection = connection;
        this.messages = messages;
        this.answered = answered;
        depth = answered ? Depth.of(size) : Depth.direct(size);
        sends = new Sends(connection, Math.max(1, depth / 2), messages, operation);
        end = new EndMessage(connection);
        if (answered) {
            end.expect();
        }
    }

    @Override
    public void run(Samples samples) {
        samples.begin();
        while (!sends.isAllPosted()) {
            while (!sends.isAllPosted() && sends.posted - connection.counter.sent < depth) {
                sends.postNext();
            }
            connection.poll();
        }
        sends.awaitAll();
        if (answered) {
            connection.awaitReceived(1);
        }
        samples.end();
        if (!answered) {
            end.send(messages);
        }
    }
}
