package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.verbs.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@RdmaTest
@Timeout(120)
class QueueLimitTest {
    /// Three connections have room in the longest shared receive queue of the software device.
    private static final EndpointOptions OPTIONS =
            EndpointOptions.defaults().credits(1 << 14).bufferBytes(128);

    @Test
    void shouldServeMoreClientsThanOneSharedReceiveQueueHasRoomFor(LoopbackDevices devices) {
        try (Context device = devices.open();
                EndpointServer server = Endpoint.listen(devices.address(device).getHostAddress(), 0, OPTIONS)) {
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> server.serve(connection -> {
                        for (Message message : connection) {
                            connection.send(message);
                        }
                    }));
            List<Connection> clients = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                clients.add(Endpoint.connect(devices.address(device).getHostAddress(), server.port()));
            }
            for (int i = 0; i < clients.size(); i++) {
                clients.get(i).send("client " + i);
            }
            for (int i = 0; i < clients.size(); i++) {
                try (Message echo = clients.get(i).receive(Duration.ofSeconds(60))) {
                    assertEquals("client " + i, echo.text());
                }
            }
            clients.forEach(Connection::close);
        }
    }
}
