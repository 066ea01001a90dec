package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.RdmaTest;
import io.verbena.junit.Seed;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client that connects as the protocol says, and then sends what it likes. Its connection ends with an error; the
/// server and its other clients go on.
@RdmaTest
@Timeout(120)
class HostilePeerTest {
    private static final Duration LONG = ConnectionLink.FOR_EVER;
    private static final int BYTES = 4096;
    private static final int RECEIVES = 32;

    private EndpointOptions serverOptions;
    private EndpointOptions clientOptions;
    private ConnectionManager clientManager;
    private EndpointServer server;

    @BeforeEach
    void listen(SimulatedFabric network) {
        ThreadStarter threads = (builder, task) -> network.start(builder, task::run);
        serverOptions = EndpointOptions.defaults()
                .credits(4)
                .connectionManager(network.host("10.0.0.1").connectionManager())
                .threads(threads);
        clientManager = network.host("10.0.0.2").connectionManager();
        clientOptions = EndpointOptions.defaults()
                .connectionManager(clientManager)
                .localAddress("10.0.0.2")
                .threads(threads);
        server = Endpoint.listen("10.0.0.1", 0, serverOptions);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /// What a client does with its queue pair.
    private interface Attack {
        void run(QueuePair qp, MemoryRegion memory);
    }

    /// Returns how the server's end was lost; null when it was not.
    private RdmaException attack(Attack attack) {
        try (ConnectionId id = clientManager.createEndpoint(
                        PortSpace.TCP,
                        new InetSocketAddress("10.0.0.2", 0),
                        new InetSocketAddress("10.0.0.1", server.port()),
                        LONG);
                MemoryRegion memory = id.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE)) {
            QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
            for (int i = 0; i < RECEIVES; i++) {
                qp.post(qp.newReceiveRequest().into(memory, BYTES, BYTES));
            }
            id.connect(ConnectionParameters.DEFAULT.withPrivateData(new Handshake(16, BYTES, 4).encode()));
            try (Connection attacked = server.accept(LONG)) {
                attack.run(qp, memory);
                return receiveAll(attacked);
            }
        }
    }

    /// Why nothing more came; null when the peer ended in good order. Messages are not closed.
    private static RdmaException receiveAll(Connection connection) {
        try {
            Message message = connection.receive(Duration.ofSeconds(2));
            while (message != null) {
                message = connection.receive(Duration.ofSeconds(2));
            }
            return null;
        } catch (RdmaException e) {
            return e;
        }
    }

    private static void send(QueuePair qp, MemoryRegion memory, int length) {
        assertTrue(qp.post(qp.newSendRequest().send().from(memory, 0, length).signaled()));
    }

    private static void header(MemoryRegion memory, int kind, int flags, int length, long number) {
        MessageHeader.write(memory.memory(), 0, kind, flags, 0, length, number);
    }

    private void expectHonestClientsToBeServed() {
        try (Connection honest = Endpoint.connect("10.0.0.1", server.port(), clientOptions)) {
            try (Connection served = server.accept(LONG)) {
                honest.send("hello");
                try (Message message = served.receive(LONG)) {
                    assertEquals("hello", message.text());
                }
            }
        }
    }

    @Test
    void shouldEndTheConnectionOfAPeerThatSendsMoreThanItsCredits() {
        RdmaException lost = attack((qp, memory) -> {
            header(memory, MessageHeader.MESSAGE, 0, 0, 0);
            for (int i = 0; i < 8; i++) {
                send(qp, memory, MessageHeader.BYTES);
            }
        });
        assertTrue(lost.getMessage().contains("credits"), lost::getMessage);
        expectHonestClientsToBeServed();
    }

    @Test
    void shouldEndTheConnectionOfAPeerThatLiesAboutLengths() {
        RdmaException lost = attack((qp, memory) -> {
            header(memory, MessageHeader.MESSAGE, 0, 1000, 0);
            send(qp, memory, MessageHeader.BYTES + 10);
        });
        assertTrue(lost.getMessage().contains("no message of the endpoint protocol"), lost::getMessage);
        expectHonestClientsToBeServed();
    }

    @Test
    void shouldEndTheConnectionOfAPeerThatAnnouncesMemoryItDoesNotHave() {
        attack((qp, memory) -> {
            header(memory, MessageHeader.MESSAGE, MessageHeader.LONG, MessageHeader.LONG_BYTES, 0);
            byte[] lie = Announcement.encode(1, 0x1000, 100_000, 0x1234);
            MemorySegment.copy(lie, 0, memory.memory(), ValueLayout.JAVA_BYTE, MessageHeader.BYTES, lie.length);
            send(qp, memory, MessageHeader.BYTES + lie.length);
        });
        expectHonestClientsToBeServed();
    }

    @Test
    void shouldEndTheConnectionOfAPeerThatCountsMessagesItCannotHaveTaken() {
        RdmaException lost = attack((qp, memory) -> {
            header(memory, MessageHeader.END, MessageHeader.COUNTED, 0, 0xFFFF_FFFFL);
            send(qp, memory, MessageHeader.BYTES);
        });
        assertTrue(lost.getMessage().contains("it took 4294967295 of 0 messages"), lost::getMessage);
        expectHonestClientsToBeServed();
    }

    /// Each takes a receive of those that all clients share.
    @Test
    void shouldKeepReceivesForHonestClientsWhenOthersSendTooMuch() {
        for (int i = 0; i < 30; i++) {
            attack((qp, memory) -> {
                header(memory, MessageHeader.MESSAGE, 0, 2 * BYTES - MessageHeader.BYTES, 0);
                send(qp, memory, 2 * BYTES);
            });
        }
        expectHonestClientsToBeServed();
    }

    @RepeatedTest(10)
    void shouldSurviveRandomMessages(Seed seed) {
        Random random = new Random(seed.value());
        attack((qp, memory) -> {
            for (int i = 0; i < 8; i++) {
                byte[] bytes = new byte[random.nextInt(64)];
                random.nextBytes(bytes);
                MemorySegment.copy(bytes, 0, memory.memory(), ValueLayout.JAVA_BYTE, 0, bytes.length);
                if (random.nextBoolean()) {
                    int length = Math.max(0, bytes.length - MessageHeader.BYTES);
                    header(memory, 1 + random.nextInt(11), random.nextInt(8), length, random.nextInt(4));
                    send(qp, memory, MessageHeader.BYTES + length);
                } else {
                    send(qp, memory, bytes.length);
                }
            }
        });
        expectHonestClientsToBeServed();
    }
}
