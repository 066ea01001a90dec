package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RdmaTest
class EndpointEventsTest extends EndpointFixture {
    @TempDir
    private Path folder;

    @BeforeEach
    void useLoopback(LoopbackDevices devices) {
        address = devices.address().getHostAddress();
        clientOptions = clientOptions.timeout(Duration.ofSeconds(30));
        serverOptions = serverOptions.timeout(Duration.ofSeconds(30));
    }

    private interface Program {
        void run() throws Exception;
    }

    private List<RecordedEvent> record(Program program) throws Exception {
        try (Recording recording = new Recording()) {
            for (String name : List.of("Connect", "Disconnect", "Error", "SlowWait")) {
                recording.enable("verbena.endpoint." + name);
            }
            recording.start();
            program.run();
            recording.stop();
            return read(recording);
        }
    }

    private List<RecordedEvent> read(Recording recording) throws IOException {
        Path file = folder.resolve("events.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("verbena.endpoint." + name))
                .toList();
    }

    private static RecordedEvent error(List<RecordedEvent> events, String what) {
        return of(events, "Error").stream()
                .filter(event -> event.getString("what").equals(what))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no error of '" + what + "' in " + events));
    }

    @Test
    void shouldRecordBothEndsOfAConnectionThatIsClosedInGoodOrder() throws Exception {
        List<RecordedEvent> events = record(() -> {
            Ends ends = connectBoth();
            try (ends) {
                ends.client().send("hello");
                ends.served().receive().close();
            }
            server.close();
        });
        assertEquals(
                List.of(false, true),
                of(events, "Connect").stream()
                        .map(event -> event.getBoolean("accepted"))
                        .sorted()
                        .toList());
        assertEquals(2, of(events, "Disconnect").size());
        assertTrue(of(events, "Disconnect").stream().allMatch(event -> event.getBoolean("orderly")));
        assertEquals(List.of(), of(events, "Error"));
    }

    @Test
    void shouldRecordAHandlerThatThrows() throws Exception {
        List<RecordedEvent> events = record(() -> {
            serve(_ -> {
                throw new IllegalStateException("out of tea");
            });
            try (Connection client = connect()) {
                RdmaException end = assertThrows(RdmaException.class, client::receive);
                assertEquals(Errno.ECONNRESET, end.errno());
            }
            server.close();
        });
        RecordedEvent error = error(events, "the handler");
        assertEquals("out of tea", error.getString("reason"));
        assertTrue(
                of(events, "Disconnect").stream()
                        .anyMatch(event -> !event.getBoolean("orderly")
                                && event.getString("reason").contains("its program failed")),
                events::toString);
        assertTrue(error.getString("peer").startsWith("127."), error::toString);
    }

    @Test
    void shouldRecordARefusalOnBothSides() throws Exception {
        serverOptions = serverOptions.mostConnections(1);
        List<RecordedEvent> events = record(() -> {
            serve(EndpointFixture::echo);
            try (Connection _ = connect()) {
                assertThrows(RdmaException.class, this::connect);
            }
            server.close();
        });
        assertTrue(error(events, "accept").getString("reason").contains("the most that it accepts"), events::toString);
        RecordedEvent refused = error(events, "connect");
        assertEquals(address + ":" + server.port(), refused.getString("peer"));
        assertTrue(refused.getString("reason").contains("the most that it accepts"), events::toString);
    }

    @Test
    void shouldRecordFailedConnectionsWithAddressesAsPeopleReadThem() throws Exception {
        List<RecordedEvent> events = record(() -> assertThrows(
                RdmaException.class, () -> Endpoint.connect("::1", 7479, clientOptions.awaitServer(false))));
        assertEquals("[::1]:7479", error(events, "connect").getString("peer"));
    }

    @Test
    void shouldRecordAThreadThatSleptLong() throws Exception {
        List<RecordedEvent> events = record(() -> {
            Ends ends = connectBoth();
            try (ends) {
                assertThrows(RdmaException.class, () -> ends.client().receive(SHORT));
            }
        });
        assertTrue(
                of(events, "SlowWait").stream()
                        .anyMatch(event -> event.getDuration().toMillis() >= 100),
                events::toString);
    }
}
