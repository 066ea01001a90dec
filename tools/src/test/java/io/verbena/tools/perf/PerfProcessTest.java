package io.verbena.tools.perf;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two processes, as people run it.
@Timeout(90)
@Tag("slow")
class PerfProcessTest {
    private final String address = LoopbackAddress.any();
    private final List<Process> started = new ArrayList<>();
    private Process server;
    private String port;

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JvmCommand.build(List.of()));
        command.add("perf");
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    private Process client(String test, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(test, address, "-p", port, "--warm-up", "0.1"));
        arguments.addAll(List.of(options));
        return start(arguments.toArray(String[]::new));
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

    @BeforeEach
    void startServer() throws IOException {
        server = start("-p", "0", "--device", address);
        port = PerfRuns.portOf(readUntil(server.inputReader(), "server listens"));
    }

    @AfterEach
    void stopAll() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void shouldMeasureLatencyAndBandwidthBetweenTwoProcesses() throws Exception {
        Process latency = client("send-lat", "-n", "200", "--verify");
        readUntil(latency.inputReader(), " 2      200 ");
        assertEquals(0, latency.waitFor());
        readUntil(server.inputReader(), "send-lat done");
        Process bandwidth = client("write-bw", "-n", "200", "-s", "4096", "--verify");
        readUntil(bandwidth.inputReader(), " 4096       200 ");
        assertEquals(0, bandwidth.waitFor());
        readUntil(server.inputReader(), "write-bw done");
    }

    @Test
    void shouldEndSoonWhenTheServerIsKilled() throws Exception {
        Process client = client("write-bw", "-D", "80", "--no-warm-up");
        readUntil(server.inputReader(), "write-bw over RC");
        server.destroyForcibly().waitFor();
        readUntil(client.inputReader(), "verbena: the peer left before");
        assertTrue(client.waitFor(20, TimeUnit.SECONDS));
        assertEquals(1, client.exitValue());
    }

    @Test
    void shouldServeOthersWhenAClientIsKilled() throws Exception {
        Process client = client("send-lat", "-D", "80", "--no-warm-up");
        readUntil(server.inputReader(), "send-lat over RC");
        client.destroyForcibly().waitFor();
        readUntil(server.inputReader(), "perf: client 127.0.0.1: the peer left before");
        Process next = client("read-lat", "-n", "50");
        assertEquals(0, next.waitFor());
        readUntil(server.inputReader(), "read-lat done");
    }

    @Test
    void shouldPrintWhatWasMeasuredWhenStopped() throws Exception {
        Process client = client("write-bw", "-D", "1", "--no-warm-up", "-s", "64,128,256,512,1024,2048,4096");
        readUntil(client.inputReader(), " 64 ");
        client.toHandle().destroy(); // as Ctrl-C does, and leaves its output to be read
        String printed = readUntil(client.inputReader(), "ended early: stopped");
        assertTrue(printed.contains("\n size  64 "), printed);
        assertTrue(client.waitFor(20, TimeUnit.SECONDS));
    }
}
