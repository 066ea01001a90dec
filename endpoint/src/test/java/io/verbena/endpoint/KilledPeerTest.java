package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that is killed while the other side only waits.
@RdmaTest
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class KilledPeerTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private Process child;
    private BufferedReader output;

    @AfterEach
    void end() throws InterruptedException {
        if (child != null) {
            child.destroyForcibly();
            assertTrue(child.waitFor(60, TimeUnit.SECONDS));
        }
    }

    private void startChild(String path, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dverbena.soft.path=" + path,
                "-Dverbena.connection.liveness=2",
                "-cp",
                System.getProperty("java.class.path"),
                KilledProgram.class.getName()));
        command.addAll(List.of(arguments));
        child = new ProcessBuilder(command).redirectErrorStream(true).start();
        output = child.inputReader();
    }

    /// The server is told, and its thread is free again.
    @ParameterizedTest
    @ValueSource(strings = {"auto", "udp"})
    void shouldEndTheConnectionOfAClientThatIsKilled(String path, LoopbackDevices devices) throws Exception {
        String address = devices.address().getHostAddress();
        try (EndpointServer server = Endpoint.listen(address, 0)) {
            startChild(path, "client", address, Integer.toString(server.port()));
            try (Connection connection = server.accept(LONG)) {
                connection.receive(LONG).close();
                child.destroyForcibly();
                RdmaException lost = assertThrows(RdmaException.class, () -> connection.receive(LONG));
                assertEquals(Errno.ECONNRESET, lost.errno(), lost::getMessage);
                assertTrue(lost.getMessage().contains("connect again"), lost::getMessage);
                assertThrows(RdmaException.class, () -> connection.send("gone"));
            }
            assertEquals(0, server.connections());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "udp"})
    void shouldEndTheConnectionToAServerThatIsKilled(String path, LoopbackDevices devices) throws Exception {
        String address = devices.address().getHostAddress();
        startChild(path, "server", address);
        String line = output.readLine();
        int port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
        try (Connection connection = Endpoint.connect(address, port)) {
            connection.send("are you there?");
            connection.receive(LONG).close();
            child.destroyForcibly();
            RdmaException lost = assertThrows(RdmaException.class, () -> connection.receive(LONG));
            assertEquals(Errno.ECONNRESET, lost.errno(), lost::getMessage);
        }
    }
}
