package io.verbena.tools.rping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.demo.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two processes, as people run it.
@Timeout(60)
class RpingProcessTest {
    private final String address = LoopbackAddress.any();

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JvmCommand.build(List.of()));
        command.add("rping");
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
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

    @Test
    void shouldPingBetweenTwoProcesses() throws Exception {
        Process server = start("-s", "-V", "-a", address);
        try {
            readUntil(server.inputReader(), "server listens");
            Process client = start("-c", "-V", "-a", address, "-C", "100", "-S", "4096");
            readUntil(client.inputReader(), "client DISCONNECT EVENT...");
            assertEquals(0, client.waitFor());
            readUntil(server.inputReader(), "server DISCONNECT EVENT...");
            assertEquals(0, server.waitFor());
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void shouldEndSoonWhenTheServerIsKilled() throws Exception {
        Process server = start("-s", "-a", address);
        Process client = null;
        try {
            readUntil(server.inputReader(), "server listens");
            client = start("-c", "-v", "-a", address, "--timeout", "3");
            readUntil(client.inputReader(), "rdma-ping-10:");
            server.destroyForcibly().waitFor();
            assertTrue(readUntil(client.inputReader(), "verbena: ping ").contains("ping"));
            assertTrue(client.waitFor(15, TimeUnit.SECONDS));
            assertEquals(1, client.exitValue());
        } finally {
            server.destroyForcibly();
            if (client != null) {
                client.destroyForcibly();
            }
        }
    }

    @Test
    void shouldSayGoodbyeAndPrintTheResultWhenTheClientIsStopped() throws Exception {
        Process server = start("-s", "-v", "-a", address);
        try {
            readUntil(server.inputReader(), "server listens");
            Process client = start("-c", "--json", "-a", address);
            readUntil(server.inputReader(), "rdma-ping-10:");
            client.toHandle().destroy(); // as Ctrl-C does, and leaves its output to be read
            readUntil(client.inputReader(), "\"ok\": true");
            readUntil(server.inputReader(), "server DISCONNECT EVENT...");
            assertTrue(server.waitFor(15, TimeUnit.SECONDS));
        } finally {
            server.destroyForcibly();
        }
    }
}
