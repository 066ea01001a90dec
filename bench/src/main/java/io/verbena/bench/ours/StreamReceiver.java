package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;

/// The receiver of a stream of SENDs: takes all, reads them if asked to, and confirms the last one.
final class StreamReceiver implements RunLoop {
    private final MeasuredConnection connection;
    private final Payload payload;
    private final int size;
    private final int batch;
    private final boolean read;
    private final long messages;
    private final Receives receives;
    private final EndMessage end;

    StreamReceiver(MeasuredConnection connection, Payload payload, Measurement measurement, long messages) {
        this.connection = connection;
        this.payload = payload;
        this.size = measurement.size();
        this.batch = Depth.batch(size);
        this.read = measurement.read();
        this.messages = messages;
        receives = new Receives(connection, size, messages);
        end = new EndMessage(connection);
    }

    @Override
    public void run(Samples samples) {
        for (long taken = 0; taken < messages; ) {
            connection.awaitReceived(taken + 1, batch);
            for (; taken < connection.counter.received; taken++) {
                if (read) {
                    payload.check(connection.region.memory(), receives.nextOffset(), size);
                }
                receives.postNext();
            }
        }
        end.send(0);
    }
}
