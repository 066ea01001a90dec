package io.verbena.tools.blast;

import static io.verbena.tools.CommandRun.assertDone;
import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Client and server on two software devices of this JVM: the packets travel over UDP all the same.
@Timeout(60)
class BlastTest {
    private final String address = LoopbackAddress.any();

    private BackgroundCommand startServer(String program, String... more) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of(program, "--device", address));
        all.addAll(List.of(more));
        return BackgroundCommand.start(all.toArray(String[]::new)).awaitText("server listens on " + address);
    }

    private CommandRun run(String program, String... more) {
        List<String> all = new ArrayList<>(List.of(address, "--device", LoopbackAddress.any()));
        all.addAll(List.of(more));
        return CommandRun.of(program, all.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 100, 16",
        "1000, 1, 1",
        "100, 100000, 4",
        "3, 5000, 10",
        "10, 777, 3",
        "500, 20, 100",
        "2, 4000000, 2"
    })
    void shouldBringEveryByteOfEveryMessage(long count, long size, int buffers) throws Exception {
        try (var server = startServer("blast", "--once", "--verify")) {
            String told = ": %,d messages of %,d bytes, %1$,d acknowledged".formatted(count, size);
            assertDone(run("blast", "-c", "" + count, "-s", "" + size, "-b", "" + buffers), told);
            CommandRun served = server.await();
            assertDone(served, told);
            assertTrue(served.out().contains("every byte verified"), served.out());
        }
    }

    @Test
    void shouldReportThePathOnBothSidesAndTheRateOfTheSecondHalf() throws Exception {
        try (var server = startServer("blast", "--once", "--stats", "--path", "udp")) {
            CommandRun client = run("blast", "-c", "101", "--path", "udp", "--json");
            var result = (Map<?, ?>) Json.read(client.out());
            assertEquals("UDP", result.get("path"), client.out());
            assertTrue((Double) result.get("secondHalfMessagesPerSecond") > 0, client.out());
            CommandRun served = server.await();
            assertDone(served, ", over UDP: ");
            assertTrue(served.out().contains(" messages per second in the second half: "), served.out());
        }
    }

    @Test
    void shouldSpinWhenAskedTo() throws Exception {
        try (var server = startServer("blast", "--once", "--spin")) {
            assertDone(run("blast", "-c", "500", "--spin"), "500 acknowledged");
            assertDone(server.await(), "500 acknowledged");
        }
    }

    @Test
    void shouldSurviveLostDoubledAndDamagedPackets() throws Exception {
        System.setProperty("verbena.soft.faults", "loss=0.01,duplicate=0.01,corrupt=0.01,seed=5");
        System.setProperty("verbena.connection.ackTimeout", "14");
        try (var server = startServer("blast", "--once", "--verify")) {
            assertDone(run("blast", "-c", "50", "-s", "20000", "-b", "4"), "50 acknowledged");
            server.await();
        } finally {
            System.clearProperty("verbena.soft.faults");
            System.clearProperty("verbena.connection.ackTimeout");
        }
    }

    @Test
    void shouldPrintWhatTheCoursePrints() throws Exception {
        try (var server = startServer("blast", "--once", "--stats")) {
            CommandRun client = run("blast", "-c", "300", "-b", "1", "--stats");
            assertDone(client, "300 recv completions, 300 send completions");
            assertTrue(client.out().contains("300 chains of 1.0 requests"), client.out());
            assertTrue(client.out().contains("seconds user time"), client.out());
            assertDone(server.await(), "300 recv completions, ");
        }
    }

    @Test
    void shouldServeManyClientsAtOnceAndAgain() throws Exception {
        try (var server = startServer("blast", "--verify")) {
            List<BackgroundCommand> clients = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                clients.add(BackgroundCommand.start(
                        "blast", address, "-c", "200", "-s", "300" + i, "--device", LoopbackAddress.any()));
            }
            for (BackgroundCommand client : clients) {
                assertDone(client.await(), "200 acknowledged");
            }
            for (int i = 0; i < 5; i++) {
                server.awaitText("200 messages of 3,00" + i + " bytes");
            }
            assertDone(run("blast", "-c", "7"), "7 acknowledged");
        }
    }

    @Test
    void shouldPrintNothingButJsonWhenAskedTo() throws Exception {
        try (var _ = startServer("blast", "--once")) {
            CommandRun client = run("blast", "-c", "20", "-b", "4", "--json");
            assertDone(client, "\"acknowledged\": 20,");
            assertTrue(client.out().startsWith("{"), client.out());
            assertTrue(client.out().contains("\"sendCompletions\": 20,"), client.out());
        }
    }

    @Test
    void shouldTellBothSidesThatAPingMetABlast() throws Exception {
        try (var server = startServer("blast", "--once")) {
            assertFailed(run("ping", "-c", "3"), "the server refuses: this is 'verbena blast'");
            assertFailed(server.await(), "is refused: this is 'verbena blast'");
        }
    }

    @Test
    void shouldTellBothSidesThatABlastMetAPing() throws Exception {
        try (var server = startServer("ping", "--once")) {
            assertFailed(run("blast", "-c", "3"), "the server refuses: the client's private data is longer");
            assertFailed(server.await(), "the client's private data is longer than the 16 bytes of ping");
        }
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        try (var _ = startServer("blast", "-p", "12399")) {
            assertFailed(run("blast"), "start the server first: verbena blast");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            127.0.0.1 -c 0              | --count 0 is not within 1 to
            127.0.0.1 -s 0              | --size 0 is not within 1 to
            127.0.0.1 -s 257m           | --size 269484032 is not within
            127.0.0.1 -b 1025           | --buffers 1025 is not within 1 to 1024
            127.0.0.1 -b 3 -s 100m      | --size: 3 buffers of 104857600 bytes are more than
            127.0.0.1 -c many           | many
            127.0.0.1 --once            | --once is for servers
            no-such-host.invalid        | unknown host 'no-such-host.invalid'
            """)
    void shouldRefuseWrongUsage(String arguments, String text) {
        CommandRun run = CommandRun.of("blast", arguments.split(" +"));
        assertEquals(2, run.exitCode(), run.out() + run.err());
        assertTrue(run.err().contains(text), run.err());
    }

    @Test
    void shouldExplainItselfWithExamples() {
        assertDone(CommandRun.of("blast", "--help"), "verbena blast 127.0.0.1 -c 500000 -s 100000 -b 4");
    }
}
