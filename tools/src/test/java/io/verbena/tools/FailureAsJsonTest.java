package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// With `--json` a failed command prints one object that says what went wrong.
@Timeout(60)
class FailureAsJsonTest {
    private final String nobody = LoopbackAddress.any();

    private static CommandRun run(String words) {
        String[] all = words.split(" ");
        return CommandRun.of(all[0], Arrays.copyOfRange(all, 1, all.length));
    }

    private static Map<?, ?> read(String document) {
        return (Map<?, ?>) Json.read(document);
    }

    /// The one object of the output, whose error is that of the first line on standard error.
    private static Map<?, ?> requireError(int exitCode, CommandRun run) {
        assertEquals(exitCode, run.exitCode(), run.out() + run.err());
        Map<?, ?> object = read(run.out());
        assertEquals(false, object.get("ok"), run.out());
        assertEquals(
                "verbena: " + object.get("error"), run.err().lines().findFirst().orElseThrow());
        return object;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ping --json --no-such",
                "ping --size x --json",
                "ping --json --timeout -1",
                "blast --json --no-such",
                "copy --json --no-such",
                "exchange --json 127.0.0.1 --once",
                "rping --json",
                "pingpong rc --json --no-such",
                "perf no-such-test 127.0.0.1 --json -",
                "perf send-lat 127.0.0.1 --json=- -s 0",
                "perf compare --json no-such-file no-such-file",
                "devices --json --provider no-such",
                "doctor --json --no-such",
                "demo --json --size 0",
            })
    void shouldTellWrongUsage(String words) {
        requireError(2, run(words));
    }

    @Test
    void shouldTellThatNobodyAnswers() throws Exception {
        String host = nobody + " --json --timeout 1";
        List<BackgroundCommand> clients = List.of(
                BackgroundCommand.start(("ping " + host).split(" ")),
                BackgroundCommand.start(("blast " + host).split(" ")),
                BackgroundCommand.start(("copy " + host).split(" ")),
                BackgroundCommand.start(("exchange " + host).split(" ")),
                BackgroundCommand.start(("rping -c -a " + host).split(" ")),
                BackgroundCommand.start(("pingpong rc " + host).split(" ")),
                BackgroundCommand.start(("perf send-lat --timeout 1 --json - " + nobody).split(" ")));
        for (BackgroundCommand client : clients) {
            var object = requireError(1, client.await());
            assertEquals("client", object.get("role"));
        }
    }

    @Test
    void shouldTellThatAServerCannotListen() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral(nobody))) {
            String options = " --json --device " + nobody + " -p " + taken.getLocalPort();
            requireError(1, run("pingpong rc" + options));
        }
    }

    @Test
    void shouldTellThatThereIsNoSuchDevice() {
        assertEquals(List.of(), requireError(1, run("devices no-such --json")).get("devices"));
    }

    /// A result of an earlier run would be mistaken for that of this one.
    @Test
    void shouldReplaceTheResultOfPerfByTheError(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("result.json"), "{\"ok\": true}");
        CommandRun run = run("perf write-bw " + nobody + " --timeout 1 --json " + file);
        assertEquals(1, run.exitCode(), run.err());
        assertEquals("", run.out());
        Map<?, ?> document = read(Files.readString(file));
        assertEquals("verbena-perf", document.get("format"));
        assertEquals("write-bw", document.get("test"));
        assertEquals("verbena: " + document.get("error"), run.err().strip());
        assertEquals(List.of(), document.get("results"));
        CommandRun compared = run("perf compare " + file + " " + file);
        assertEquals(2, compared.exitCode());
        assertTrue(compared.err().contains("; the new run ended early: cannot connect to "), compared.err());
    }

    @Test
    void shouldLeaveTheOutputAloneWhereNobodyAskedForJson() {
        assertEquals("", run("ping --no-such").out());
        assertEquals("", run("perf no-such-test 127.0.0.1 --json file.json").out());
        assertEquals("", run("pingpong rc " + nobody).out());
    }
}
