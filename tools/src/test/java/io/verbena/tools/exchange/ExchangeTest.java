package io.verbena.tools.exchange;

import static io.verbena.tools.CommandRun.assertDone;
import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Client and server on two software devices of this JVM: the packets travel over UDP all the same.
@Timeout(60)
class ExchangeTest {
    private final String address = LoopbackAddress.any();

    private BackgroundCommand startServer(String... more) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("exchange", "--device", address));
        all.addAll(List.of(more));
        return BackgroundCommand.start(all.toArray(String[]::new)).awaitText("server listens on " + address);
    }

    private CommandRun exchange(String... more) {
        List<String> all = new ArrayList<>(List.of(address, "--device", LoopbackAddress.any()));
        all.addAll(List.of(more));
        return CommandRun.of("exchange", all.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "write, 1024, wrote into our memory",
        "read, 1024, 'had in its memory, and we read'",
        "write, 8m, wrote into our memory",
        "read, 1m, 'had in its memory, and we read'"
    })
    void shouldGiveEachSideTheTextOfTheOther(String mode, String size, String how) throws Exception {
        try (var server = startServer("--once", "--verify", "--text", "from the server")) {
            assertDone(
                    exchange("--mode", mode, "--size", size, "--verify", "--text", "vom Client 你好"),
                    how + ": \"from the server\"");
            assertDone(server.await(), how + ": \"vom Client 你好\"");
        }
    }

    @Test
    void shouldSayWhoSpeaksWhenNoTextIsGiven() throws Exception {
        try (var server = startServer("--once")) {
            long pid = ProcessHandle.current().pid();
            assertDone(exchange(), "\"message from passive/server side with pid " + pid + '"');
            assertDone(server.await(), "\"message from active/client side with pid " + pid + '"');
        }
    }

    @Test
    void shouldCutATextThatIsLongerThanTheBuffer() throws Exception {
        try (var server = startServer("--once", "--text", "long text")) {
            assertDone(exchange("--size", "4", "--text", "xy", "--verify"), "\"long\"");
            assertDone(server.await(), "\"xy\"");
        }
    }

    @Test
    void shouldLetTheClientDecideTheMode() throws Exception {
        try (var server = startServer("--once", "--mode", "write")) {
            assertDone(exchange("--mode", "read"), "we read");
            assertDone(server.await(), "asks for mode read, and the client decides");
        }
    }

    @Test
    void shouldServeManyClientsAtOnceAndAgain() throws Exception {
        try (var server = startServer()) {
            List<BackgroundCommand> clients = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                clients.add(BackgroundCommand.start(
                        "exchange",
                        address,
                        "--mode",
                        i % 2 == 0 ? "write" : "read",
                        "--verify",
                        "--text",
                        "client " + i,
                        "--device",
                        LoopbackAddress.any()));
            }
            for (BackgroundCommand client : clients) {
                assertDone(client.await(), "passive/server");
            }
            for (int i = 0; i < 6; i++) {
                server.awaitText("\"client " + i + '"');
            }
        }
    }

    @Test
    void shouldListenOnAFreePortAndSayWhich() throws Exception {
        try (var server = startServer("--once", "-p", "0")) {
            String line = server.awaitText(" port ").out().lines().findFirst().orElseThrow();
            String port = line.substring(line.lastIndexOf(' ') + 1);
            assertTrue(Integer.parseInt(port) > 0, line);
            assertDone(exchange("-p", port), "passive/server");
            assertDone(server.await(), "active/client");
        }
    }

    @Test
    void shouldPrintJsonAndStatistics() throws Exception {
        try (var server = startServer("--once", "--stats")) {
            CommandRun client = exchange("--json", "--verify", "--stats", "--mode", "read");
            assertDone(client, "\"verified\": true");
            assertTrue(client.out().startsWith("{"), client.out());
            assertTrue(client.out().contains("\"mode\": \"read\""), client.out());
            assertTrue(client.out().contains("\"otherCompletions\": 1"), client.out());
            assertDone(server.await(), "2 recv completions, 2 send completions");
        }
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        try (var _ = startServer("-p", "20999")) {
            assertFailed(exchange(), "start the server first: verbena exchange");
        }
    }

    @Test
    void shouldTellBothSidesThatTheyAreDifferentPrograms() throws Exception {
        try (var server = BackgroundCommand.start("exchange", "--device", address, "-p", "20886", "--once")) {
            server.awaitText("server listens");
            assertFailed(
                    CommandRun.of("copy", address, "--device", LoopbackAddress.any()),
                    "the server refuses: this is 'verbena exchange'");
            assertFailed(server.await(), "is refused: this is 'verbena exchange'");
        }
        try (var server = BackgroundCommand.start("copy", "--device", address, "-p", "20887", "--once")) {
            server.awaitText("server listens");
            assertFailed(exchange(), "the server refuses: this is 'verbena copy'");
            assertFailed(server.await(), "is refused: this is 'verbena copy'");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --size 1                    | --size is for clients
            127.0.0.1 --size 0          | Invalid size 0
            127.0.0.1 --size 9m         | Invalid size 9437184
            127.0.0.1 --mode both       | both
            127.0.0.1 --once            | --once is for servers
            127.0.0.1 -p 0              | Invalid port 0
            no-such-host.invalid        | unknown host 'no-such-host.invalid'
            """)
    void shouldRefuseWrongUsage(String arguments, String text) {
        CommandRun run = CommandRun.of("exchange", arguments.split(" +"));
        assertEquals(2, run.exitCode(), run.out() + run.err());
        assertTrue(run.err().contains(text), run.err());
    }

    @Test
    void shouldExplainItselfWithExamples() {
        assertDone(CommandRun.of("exchange", "--help"), "verbena exchange 127.0.0.1 --mode read");
    }
}
