package io.verbena.bench.ours;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EndpointEventSideTest {
    private static final Measurement ROUND_TRIP = Measurement.roundTrip(Operation.SEND, 64);
    private static final int MESSAGES = 16;

    /// A server says that it is ready before its loop begins, and the client may be quicker.
    @Test
    void shouldAnswerMessagesThatComeBeforeTheServerRuns() throws Exception {
        List<String> arguments = List.of("127.77.1.9", "64");
        EndpointEventSide server = new EndpointEventSide(arguments);
        EndpointEventSide client = new EndpointEventSide(arguments);
        String address = server.address();
        CompletableFuture<Void> accepted = CompletableFuture.runAsync(server::accept);
        client.connect(address);
        accepted.get(20, TimeUnit.SECONDS);
        try {
            Samples samples = new Samples();
            server.prepare(ROUND_TRIP, MESSAGES);
            client.prepare(ROUND_TRIP, MESSAGES);
            client.run(ROUND_TRIP, MESSAGES, samples);
            server.run(ROUND_TRIP, MESSAGES, new Samples());
            assertTrue(samples.nanoseconds() > 0);
        } finally {
            client.close();
            server.close();
        }
    }
}
