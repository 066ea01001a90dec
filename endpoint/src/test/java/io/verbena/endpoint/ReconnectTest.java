package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.Faults;
import io.verbena.junit.RdmaTest;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/// A client that connects again, over a network that loses packets.
@RdmaTest
@Faults("loss=0.03")
@Timeout(60)
class ReconnectTest extends EndpointFixture {
    private static final String DIE = "die";

    @BeforeEach
    void setUp(SimulatedFabric network) {
        ThreadStarter threads = (builder, task) -> network.start(builder, task::run);
        serverOptions = serverOptions
                .threads(threads)
                .connectionManager(network.host("10.0.0.1").connectionManager());
        clientOptions = clientOptions
                .threads(threads)
                .connectionManager(network.host("10.0.0.2").connectionManager())
                .localAddress("10.0.0.2")
                .reconnect(true);
        address = "10.0.0.1";
    }

    /// Answers requests, and loses the connection of a client that asks for it.
    private void answer(int port) {
        server = Endpoint.listen(address, port, serverOptions);
        EndpointServer answering = server;
        start(
                Thread.ofPlatform(),
                () -> answering.handle((connection, message) -> {
                    if (message.text().equals(DIE)) {
                        throw new IllegalStateException("asked to");
                    }
                    message.reply(message.memory());
                }));
    }

    private static String call(Connection connection, String text) {
        try (Message answer = connection.call(text)) {
            return answer.text();
        }
    }

    @RepeatedTest(3)
    void shouldFailWhatIsUnderWayAndConnectAgainForTheNextCall() {
        answer(0);
        try (Connection client = connect()) {
            assertEquals("one", call(client, "one"));
            Pending lost = client.callAsync(DIE.getBytes(StandardCharsets.UTF_8));
            refused(Errno.ECONNRESET, lost::await);
            assertEquals(0, client.reconnections());
            assertEquals("two", call(client, "two"));
            assertEquals(1, client.reconnections());
            assertEquals(1, client.statistics().messagesSent(), "nothing of before was sent again");
        }
    }

    @RepeatedTest(3)
    void shouldConnectAgainAfterACallThatTheServerLeftWithoutAnAnswer() {
        serve(connection -> {
            try (Message request = connection.receive(LONG)) {
                if (request.text().equals("answer")) {
                    request.reply("answered");
                }
            }
        });
        try (Connection client = connect()) {
            refused(Errno.ECONNRESET, () -> call(client, "leave me alone"));
            assertEquals("answered", call(client, "answer"));
        }
    }

    @RepeatedTest(3)
    void shouldConnectAgainToAServerThatWasClosedAndCameBack() {
        answer(0);
        int port = server.port();
        try (Connection client = connect()) {
            assertEquals("one", call(client, "one"));
            server.close();
            assertNull(client.receive(LONG), "the server has closed");
            answer(port);
            assertEquals("two", call(client, "two"));
            assertEquals(1, client.reconnections());
        }
    }

    @RepeatedTest(3)
    void shouldTryAgainWithEachCallWhileNobodyListens() {
        answer(0);
        int port = server.port();
        clientOptions = clientOptions.connectTimeout(Duration.ofSeconds(1));
        try (Connection client = connect()) {
            server.close();
            assertNull(client.receive(LONG), "the server has closed");
            for (int i = 0; i < 2; i++) {
                RdmaException nobody = assertThrows(RdmaException.class, () -> client.call("two"));
                assertTrue(
                        nobody.errno() == Errno.ECONNREFUSED || nobody.errno() == Errno.ETIMEDOUT, nobody::getMessage);
            }
            assertEquals(0, client.reconnections());
            answer(port);
            assertEquals("two", call(client, "two"));
            assertEquals(1, client.reconnections());
        }
    }

    @RepeatedTest(3)
    void shouldStayLostUnlessAskedToConnectAgain() {
        clientOptions = clientOptions.reconnect(false);
        answer(0);
        try (Connection client = connect()) {
            Pending lost = client.callAsync(DIE.getBytes(StandardCharsets.UTF_8));
            refused(Errno.ECONNRESET, lost::await);
            refused(Errno.ECONNRESET, () -> client.call("two"));
            assertEquals(0, client.reconnections());
        }
    }

    @RepeatedTest(3)
    void shouldNotConnectAgainOnceClosed() {
        answer(0);
        Connection client = connect();
        Pending lost = client.callAsync(DIE.getBytes(StandardCharsets.UTF_8));
        refused(Errno.ECONNRESET, lost::await);
        client.close();
        refused(Errno.EBADF, () -> client.call("two"));
        assertEquals(0, client.reconnections());
    }
}
