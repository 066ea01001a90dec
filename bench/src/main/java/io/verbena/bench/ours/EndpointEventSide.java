package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.endpoint.Connection;
import io.verbena.endpoint.ConnectionHandler;
import io.verbena.endpoint.Message;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.Semaphore;

/// A program that lets a handler take what comes, in the thread of the library.
final class EndpointEventSide extends EndpointSide implements ConnectionHandler {
    private final Semaphore done = new Semaphore(0);
    private MemorySegment bytes;
    private boolean read;
    private boolean echoes;
    private long left;
    /// Of the client: the first message may come to a server before it runs.
    private Samples samples;

    private RuntimeException problem;

    EndpointEventSide(List<String> arguments) {
        super(arguments);
    }

    @Override
    public void accept() {
        super.accept();
        connection.handle(this);
    }

    @Override
    public void connect(String address) {
        super.connect(address);
        connection.handle(this);
    }

    @Override
    public boolean allocatesElsewhere() {
        return true;
    }

    /// The handler is idle now. It sees what is set here when the first message of the run comes.
    @Override
    public void prepare(Measurement measurement, long messages) {
        super.prepare(measurement, messages);
        bytes = region.memory().asSlice(0, measurement.size());
        read = measurement.read();
        echoes = measurement.kind() == Kind.ROUND_TRIP;
        left = client && !echoes ? 1 : messages;
    }

    @Override
    public void run(Measurement measurement, long messages, Samples times) throws InterruptedException {
        samples = times;
        if (client) {
            samples.begin();
            if (echoes) {
                connection.send(bytes);
            } else {
                for (long n = 0; n < messages; n++) {
                    connection.send(bytes);
                }
            }
        }
        done.acquire();
        if (problem != null) {
            throw problem;
        }
        if (client) {
            samples.end();
        }
    }

    @Override
    public void onMessage(Connection from, Message message) {
        if (read && !(client && !echoes)) {
            payload.check(message.memory(), 0, (int) bytes.byteSize());
        }
        left--;
        if (echoes && client) {
            samples.endRoundTrip();
            if (left > 0) {
                send(bytes);
            }
            samples.record();
        } else if (echoes) {
            send(message.memory());
        } else if (!client && left == 0) {
            send(bytes.asSlice(0, 1)); // the client's clock stops at this confirmation
        }
        if (left == 0) {
            done.release();
        }
    }

    private void send(MemorySegment message) {
        if (!connection.trySend(message)) {
            throw new IllegalStateException("no credit for an answer");
        }
    }

    @Override
    public void onEnd(Connection over, RuntimeException loss) {
        problem = loss;
        done.release();
    }
}
