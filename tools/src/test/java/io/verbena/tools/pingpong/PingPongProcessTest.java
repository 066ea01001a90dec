package io.verbena.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.ProgramProcess;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two processes, as people run it. The client finds its device by itself.
@Timeout(120)
@Tag("slow")
class PingPongProcessTest {
    private static final String ENDLESS = "100000000";

    private final String address = LoopbackAddress.any();

    private ProgramProcess startServer(String iterations) throws IOException {
        var server =
                ProgramProcess.start("pingpong", "rc", "--device", address, "-e", "--timeout", "4", "-n", iterations);
        server.awaitLine("server listens");
        return server;
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "srq"})
    void shouldExchangeMessagesBetweenTwoProcesses(String kind) throws Exception {
        try (var server =
                ProgramProcess.start("pingpong", kind, "--device", address, "--once", "-e", "-n", "200", "--verify")) {
            server.awaitLine("server listens");
            try (var client = ProgramProcess.start("pingpong", kind, address, "-e", "-n", "200", "--verify")) {
                client.awaitLine("200 iters in ");
                assertEquals(0, client.await(), client::output);
                server.awaitLine("200 iters in ");
                assertEquals(0, server.await(), server::output);
            }
        }
    }

    @Test
    void shouldEndSoonWhenTheServerIsKilledAndPrintWhatWasDone() throws Exception {
        try (var server = startServer(ENDLESS);
                var client = ProgramProcess.start("pingpong", "rc", address, "-e", "-n", ENDLESS)) {
            client.awaitLine("remote address");
            server.kill();
            client.awaitLine("verbena: ");
            assertEquals(1, client.await(), client::output);
        }
    }

    @Test
    void shouldServeOnWhenAClientIsKilled() throws Exception {
        try (var server = startServer(ENDLESS)) {
            try (var client = ProgramProcess.start("pingpong", "rc", address, "-e", "-n", ENDLESS)) {
                client.awaitLine("remote address");
                client.kill();
                server.awaitLine("rc: "); // the line that says what happened to that client
            }
            try (var next = ProgramProcess.start("pingpong", "rc", address, "-e", "-n", ENDLESS)) {
                next.awaitLine("remote address");
            }
        }
    }

    @Test
    void shouldPrintTheResultSoFarWhenStopped() throws Exception {
        try (var server = startServer(ENDLESS);
                var client = ProgramProcess.start("pingpong", "rc", address, "-e", "-n", ENDLESS, "--json")) {
            server.awaitLine("remote address");
            client.stop();
            client.awaitLine("\"stopped\": true");
            client.awaitLine("\"ok\": true");
        }
    }
}
