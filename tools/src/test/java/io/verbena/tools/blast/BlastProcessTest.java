package io.verbena.tools.blast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.ProgramProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two processes, as people run it.
@Timeout(120)
@Tag("slow")
class BlastProcessTest {
    private static final String ENDLESS = "1000000000";

    private final String address = LoopbackAddress.any();

    private ProgramProcess client(String... more) throws Exception {
        String[] all = new String[more.length + 4];
        System.arraycopy(new String[] {"blast", address, "--device", LoopbackAddress.any()}, 0, all, 0, 4);
        System.arraycopy(more, 0, all, 4, more.length);
        return ProgramProcess.start(all);
    }

    @Test
    void shouldBlastBetweenTwoProcessesAndTellOfAStoppedOne() throws Exception {
        try (var server = ProgramProcess.start("blast", "--device", address, "--verify")) {
            server.awaitLine("server listens");
            try (var client = client("-c", "2000", "-s", "1000")) {
                assertEquals(0, client.await(), client::output);
                assertTrue(client.output().contains("2,000 acknowledged"), client::output);
            }
            server.awaitLine("every byte verified");
            try (var client = client("-c", ENDLESS, "-s", "1")) {
                client.awaitLine("connected to");
                client.stop();
                client.awaitLine("of 1,000,000,000 messages of 1 bytes");
                client.await();
            }
            server.awaitLine("of 1,000,000,000 messages of 1 bytes");
            server.awaitLine("the client disconnected after");
        }
    }

    @Test
    void shouldEndSoonWhenThePeerIsKilled() throws Exception {
        try (var server = ProgramProcess.start("blast", "--device", address, "--timeout", "4")) {
            server.awaitLine("server listens");
            try (var client = client("-c", ENDLESS)) {
                client.awaitLine("connected to");
                client.kill();
            }
            server.awaitLine("blast: client "); // silent, or its device no longer answers
            try (var client = client("-c", ENDLESS)) {
                client.awaitLine("connected to");
                server.kill();
                client.awaitLine("verbena: ");
                assertEquals(1, client.await());
            }
        }
    }
}
