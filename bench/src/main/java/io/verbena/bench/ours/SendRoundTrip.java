package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;

/// SEND ping-pong. Receives are posted again while the peer works.
final class SendRoundTrip implements RunLoop {
    private static final int SIGNAL_EVERY = 16;
    private static final long GAP_MS = 10;

    private final MeasuredConnection connection;
    private final boolean client;
    private final Payload payload;
    private final int size;
    private final boolean read;
    private final boolean paced;
    private final long messages;
    private final Receives receives;
    private final Sends sends;

    SendRoundTrip(
            MeasuredConnection connection, boolean client, Payload payload, Measurement measurement, long messages) {
        this.connection = connection;
        this.client = client;
        this.payload = payload;
        this.size = measurement.size();
        this.read = measurement.read();
        this.paced = measurement.kind() == Kind.PACED;
        this.messages = messages;
        payload.write(connection.region.memory(), 0, size);
        receives = new Receives(connection, size, messages);
        sends = new Sends(
                connection,
                SIGNAL_EVERY,
                messages,
                request -> request.send().from(connection.region, 0, size).inline(size <= MeasuredConnection.INLINE));
    }

    @Override
    public void run(Samples samples) throws InterruptedException {
        if (client) {
            ask(samples);
        } else {
            answer();
        }
        sends.awaitAll();
    }

    private void ask(Samples samples) throws InterruptedException {
        samples.begin();
        for (long n = 1; n <= messages; n++) {
            if (paced) {
                Thread.sleep(GAP_MS);
                samples.beginRoundTrip();
            }
            sends.postNext();
            samples.record();
            if (n > 1) {
                receives.postNext();
            }
            take(n);
            samples.endRoundTrip();
        }
        samples.end();
    }

    private void answer() {
        for (long n = 1; n <= messages; n++) {
            take(n);
            sends.postNext();
            receives.postNext();
        }
    }

    private void take(long n) {
        connection.awaitReceived(n);
        if (read) {
            payload.check(connection.region.memory(), receives.nextOffset(), size);
        }
    }
}
