package io.verbena.tools.rping;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.ProgramProcess;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two processes, as people run it.
@Timeout(120)
@Tag("slow")
class RpingProcessTest {
    private final String address = LoopbackAddress.any();

    private ProgramProcess startServer(String more) throws IOException {
        var server = ProgramProcess.start("rping", "-s", more, "-a", address);
        server.awaitLine("server listens");
        return server;
    }

    @Test
    void shouldPingBetweenTwoProcesses() throws Exception {
        try (var server = startServer("-V");
                var client = ProgramProcess.start("rping", "-c", "-V", "-a", address, "-C", "100", "-S", "4096")) {
            client.awaitLine("client DISCONNECT EVENT...");
            assertEquals(0, client.await(), client::output);
            server.awaitLine("server DISCONNECT EVENT...");
            assertEquals(0, server.await(), server::output);
        }
    }

    @Test
    void shouldEndSoonWhenTheServerIsKilled() throws Exception {
        try (var server = startServer("-v");
                var client = ProgramProcess.start("rping", "-c", "-v", "-a", address, "--timeout", "4")) {
            client.awaitLine("rdma-ping-10:");
            server.kill();
            client.awaitLine("verbena: ping ");
            assertEquals(1, client.await(), client::output);
        }
    }

    @Test
    void shouldSayGoodbyeAndPrintTheResultWhenTheClientIsStopped() throws Exception {
        try (var server = startServer("-v");
                var client = ProgramProcess.start("rping", "-c", "--json", "-a", address)) {
            server.awaitLine("rdma-ping-10:");
            client.stop();
            client.awaitLine("\"stopped\": true");
            client.awaitLine("\"ok\": true");
            server.awaitLine("server DISCONNECT EVENT...");
            server.await();
        }
    }
}
