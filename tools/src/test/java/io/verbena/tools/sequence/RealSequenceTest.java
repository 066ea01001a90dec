package io.verbena.tools.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The diagram of a real run.
@Timeout(60)
class RealSequenceTest {
    @TempDir
    private Path folder;

    @Test
    void shouldDrawWhatRpingDoes() throws Exception {
        String address = LoopbackAddress.any();
        String serverTrace = folder.resolve("server.jsonl").toString();
        String clientTrace = folder.resolve("client.jsonl").toString();
        try (var server = BackgroundCommand.start(
                        "rping", "-s", "-a", address, "--provider", "soft", "--trace-file", serverTrace)
                .awaitText("server listens")) {
            CommandRun client = CommandRun.of(
                    "rping",
                    "-c",
                    "-a",
                    address,
                    "--device",
                    LoopbackAddress.any(),
                    "-C",
                    "1",
                    "--trace",
                    "--trace-file",
                    clientTrace);
            assertEquals(0, client.exitCode(), client.err());
            assertTrue(client.err().contains("< RDMA_CM_EVENT_ESTABLISHED"), client.err());
            assertTrue(client.err().contains("  ibv_post_send "), client.err());
            assertEquals(0, server.await().exitCode());
        }
        CommandRun drawn = CommandRun.of("sequence", clientTrace, serverTrace);
        assertEquals(0, drawn.exitCode(), drawn.err());
        List<String> wire = SequenceTest.texts(drawn.out(), "wire");
        assertEquals(
                List.of(
                        "REQ (connect)",
                        "REP (accept)",
                        "RTU (ready to use)",
                        "SEND 16 bytes",
                        "READ",
                        "data, 64 bytes",
                        "SEND 16 bytes",
                        "SEND 16 bytes",
                        "WRITE 64 bytes",
                        "SEND 16 bytes",
                        "DREQ (disconnect)"),
                wire.subList(0, 11));
    }
}
