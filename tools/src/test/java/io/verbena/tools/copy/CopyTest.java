package io.verbena.tools.copy;

import static io.verbena.tools.CommandRun.assertDone;
import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Client and server on two software devices of this JVM: the packets travel over UDP all the same.
@Timeout(60)
class CopyTest {
    private final String address = LoopbackAddress.any();

    @TempDir
    private Path folder;

    private BackgroundCommand startServer(String... more) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("copy", "--device", address));
        all.addAll(List.of(more));
        return BackgroundCommand.start(all.toArray(String[]::new)).awaitText("server listens on " + address);
    }

    private CommandRun copy(String... more) {
        List<String> all = new ArrayList<>(List.of(address, "--device", LoopbackAddress.any()));
        all.addAll(List.of(more));
        return CommandRun.of("copy", all.toArray(String[]::new));
    }

    private Path fileOf(int bytes) throws Exception {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return Files.write(folder.resolve("in" + bytes), content);
    }

    @Test
    void shouldShowTheTextThatArrived() throws Exception {
        try (var server = startServer("--once")) {
            CommandRun client = copy("Hello, memory 你好");
            assertDone(client);
            assertTrue(client.out().contains("all 20 bytes are equal"), client.out());
            CommandRun served = server.await();
            assertDone(served);
            assertTrue(served.out().contains("20 bytes arrived: \"Hello, memory 你好\""), served.out());
        }
    }

    @Test
    void shouldCopySomethingWhenNothingIsNamed() throws Exception {
        try (var server = startServer("--once", "--verify")) {
            assertDone(copy());
            assertTrue(server.await().out().contains("Hello from verbena copy"));
        }
    }

    @Test
    void shouldSaveAFileThatIsLongerThanARequest() throws Exception {
        Path in = fileOf(10_000_001);
        Path out = folder.resolve("out");
        try (var server = startServer("--once", "--out", out.toString(), "--stats")) {
            CommandRun client = copy("--file", in.toString(), "--stats");
            assertDone(client);
            assertTrue(client.out().contains("6 RDMA and atomic completions"), client.out());
            assertTrue(client.out().contains("megabits per second"), client.out());
            CommandRun served = server.await();
            assertDone(served);
            assertTrue(served.out().contains("3 RDMA and atomic completions"), served.out());
        }
        assertEquals(-1, Files.mismatch(in, out));
    }

    @Test
    void shouldServeSeveralClientsAtOnceAndNumberTheirFiles() throws Exception {
        Path out = folder.resolve("out");
        byte[] old = {1};
        Files.write(folder.resolve("out.3"), old);
        Path in = fileOf(500_000);
        try (var server = startServer("--out", out.toString(), "--force")) {
            List<BackgroundCommand> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(BackgroundCommand.start(
                        "copy", address, "--file", in.toString(), "--device", LoopbackAddress.any()));
            }
            for (BackgroundCommand client : clients) {
                assertDone(client.await());
            }
            server.awaitText("saved in " + out + ".4");
        }
        for (String name : List.of("out", "out.2", "out.3", "out.4")) {
            assertEquals(-1, Files.mismatch(in, folder.resolve(name)), name);
        }
    }

    @Test
    void shouldOverwriteNothingUnlessForced() throws Exception {
        Path out = Files.writeString(folder.resolve("precious"), "old");
        CommandRun server = CommandRun.of("copy", "--device", address, "--out", out.toString());
        assertFailed(server, "exists already; --force overwrites it");
        try (var forced = startServer("--once", "--force", "--out", out.toString())) {
            assertDone(copy("new"));
            assertDone(forced.await());
        }
        assertEquals("new", Files.readString(out));
    }

    @Test
    void shouldKeepAFileThatAppearedMeanwhile() throws Exception {
        Path out = folder.resolve("out");
        try (var server = startServer("--once", "--out", out.toString())) {
            Files.writeString(out, "precious");
            copy("new");
            assertFailed(server.await(), "exists already");
        }
        assertEquals("precious", Files.readString(out));
    }

    @Test
    void shouldTellBothSidesOfTooMuch() throws Exception {
        try (var server = startServer("--once", "--max", "1k")) {
            CommandRun client = copy("--file", fileOf(1025).toString());
            assertFailed(client, "the server disconnected before it sent its buffer attributes");
            assertTrue(client.err().contains("--max"), client.err());
            assertFailed(server.await(), "the client announces 1025 bytes, but --max is 1024");
        }
    }

    @Test
    void shouldGoOnServingAfterATroublesomeClient() throws Exception {
        try (var server = startServer("--max", "1k")) {
            copy("--file", fileOf(2000).toString());
            assertDone(copy("good"));
            server.awaitText("\"good\"");
        }
    }

    @Test
    void shouldPrintNothingButJsonWhenAskedTo() throws Exception {
        try (var server = BackgroundCommand.start("copy", "--device", address, "--once", "--json", "--verify")) {
            server.awaitError("server listens on " + address);
            CommandRun client = copy("hi", "--json");
            assertDone(client);
            assertTrue(client.out().startsWith("{") && client.out().strip().endsWith("}"), client.out());
            assertTrue(client.out().contains("\"equal\": true,"), client.out());
            CommandRun served = server.await();
            assertTrue(served.out().startsWith("{"), served.out());
            assertTrue(served.out().contains("\"text\": \"hi\","), served.out());
            assertTrue(served.out().contains("\"equal\": true,"), served.out());
        }
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        try (var _ = startServer("-p", "20887")) {
            CommandRun client = copy();
            assertFailed(client, "cannot connect to " + address + ":20886");
            assertTrue(client.err().contains("start the server first: verbena copy"), client.err());
        }
    }

    @Test
    void shouldSayThatThePortIsTaken() throws Exception {
        try (var _ = startServer()) {
            CommandRun second = CommandRun.of("copy", "--device", address);
            assertFailed(second, "20886");
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAFile() throws Exception {
        assertFailed(copy("--file", folder.resolve("none").toString()), "does not exist");
        assertFailed(copy("--file", folder.toString()), "is no file");
        assertFailed(copy("--file", fileOf(0).toString()), "is empty: there is nothing to copy");
    }

    @Test
    void shouldSayThatAFileIsTooLongForTheProtocol() throws Exception {
        Path sparse = folder.resolve("sparse");
        try (var file = new java.io.RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(1L << 32);
        }
        assertFailed(copy("--file", sparse.toString()), "4294967296 bytes; the protocol's length has 32 bits");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --file x                    | --file is for clients
            127.0.0.1 --out x           | --out is for servers
            127.0.0.1 text --file x     | not both
            127.0.0.1 --once            | --once is for servers
            --force                     | --force is for --out
            --max 0                     | --max must be 1 or more
            --max lots                  | is no number of bytes
            127.0.0.1 -p 70000          | Invalid port 70000
            no-such-host.invalid        | unknown host 'no-such-host.invalid'
            127.0.0.1 a b               | unexpected argument
            --timeout -1                | --timeout must be 0 or more
            """)
    void shouldRefuseWrongUsage(String arguments, String text) {
        CommandRun run = CommandRun.of("copy", arguments.split(" +"));
        assertEquals(2, run.exitCode(), run.out() + run.err());
        assertTrue(run.err().contains(text), run.err());
        assertEquals("", run.out());
    }

    @Test
    void shouldRefuseAnEmptyText() {
        assertEquals(2, CommandRun.of("copy", "127.0.0.1", "").exitCode());
    }

    @Test
    void shouldExplainItselfWithExamples() {
        CommandRun run = CommandRun.of("copy", "--help");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("verbena copy 127.0.0.1"), run.out());
        assertFalse(run.out().contains("null"), run.out());
        assertArrayEquals(new byte[0], run.err().getBytes());
    }
}
