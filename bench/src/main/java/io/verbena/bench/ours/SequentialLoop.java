package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;

/// READs, FETCH_ADDs and other requests without the peer's program, one at a time: the next is posted when the last has
/// completed.
final class SequentialLoop implements RunLoop {
    private final Sends sends;
    private final MeasuredConnection connection;
    private final long messages;
    private final EndMessage end;

    SequentialLoop(MeasuredConnection connection, long messages, Sends.Operation operation) {
        this.connection = connection;
        this.messages = messages;
        sends = new Sends(connection, 1, messages, operation);
        end = new EndMessage(connection);
    }

    @Override
    public void run(Samples samples) {
        samples.begin();
        for (long n = 1; n <= messages; n++) {
            sends.postNext();
            samples.record();
            connection.awaitSent(n);
            samples.endRoundTrip();
        }
        samples.end();
        end.send(messages);
    }
}
