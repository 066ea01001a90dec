package io.verbena.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.demo.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two processes, as people run it. The client finds its device by itself.
@Timeout(60)
class PingPongProcessTest {
    private final String address = LoopbackAddress.any();
    private final List<Process> started = new ArrayList<>();

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JvmCommand.build(List.of()));
        command.add("pingpong");
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private static String readUntil(BufferedReader reader, String text) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            all.append(line).append('\n');
            if (line.contains(text)) {
                return all.toString();
            }
        }
        throw new AssertionError("no '" + text + "' in " + all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "srq"})
    void shouldExchangeMessagesBetweenTwoProcesses(String kind) throws Exception {
        Process server = start(kind, "--device", address, "--once", "-e", "-n", "200", "--verify");
        readUntil(server.inputReader(), "server listens");
        Process client = start(kind, address, "-e", "-n", "200", "--verify");
        readUntil(client.inputReader(), "200 iters in ");
        assertEquals(0, client.waitFor());
        readUntil(server.inputReader(), "200 iters in ");
        assertEquals(0, server.waitFor());
    }

    @Test
    void shouldEndSoonWhenTheServerIsKilledAndPrintWhatWasDone() throws Exception {
        Process server = start("rc", "--device", address, "-e", "-n", "100000000");
        readUntil(server.inputReader(), "server listens");
        Process client = start("rc", address, "-e", "-n", "100000000");
        readUntil(client.inputReader(), "remote address");
        server.destroyForcibly().waitFor();
        readUntil(client.inputReader(), "verbena: ");
        assertTrue(client.waitFor(15, TimeUnit.SECONDS));
        assertEquals(1, client.exitValue());
    }

    @Test
    void shouldServeOnWhenAClientIsKilled() throws Exception {
        Process server = start("rc", "--device", address, "-e", "-n", "1000000");
        readUntil(server.inputReader(), "server listens");
        Process client = start("rc", address, "-e", "-n", "1000000");
        readUntil(client.inputReader(), "remote address");
        client.destroyForcibly().waitFor();
        readUntil(server.inputReader(), "rc: "); // the line that says what happened to that client
        Process next = start("rc", address, "-e", "-n", "1000000");
        readUntil(next.inputReader(), "remote address");
    }

    @Test
    void shouldPrintTheResultSoFarWhenStopped() throws Exception {
        Process server = start("rc", "--device", address, "-e", "-n", "100000000");
        readUntil(server.inputReader(), "server listens");
        Process client = start("rc", address, "-e", "-n", "100000000", "--json");
        readUntil(server.inputReader(), "remote address");
        client.toHandle().destroy(); // as Ctrl-C does, and leaves its output to be read
        String result = readUntil(client.inputReader(), "\"ok\": true");
        assertTrue(result.contains("\"stopped\": true"), result);
    }
}
