package io.verbena.tools.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EchoTest {
    private static final Pattern PORT = Pattern.compile("port (\\d+)");

    @Test
    void shouldCompareWithAServerOfItsOwn() {
        CommandRun run = CommandRun.of("echo", "-c", "50", "--rounds", "2");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().contains("Echo of 64 bytes with selectors, 100 round trips each"), run.out());
        assertTrue(run.out().contains("Over RDMA a round trip takes "), run.out());
    }

    @Test
    void shouldCompareWithAServerElsewhereAndPrintJson() throws Exception {
        String address = LoopbackAddress.any();
        try (BackgroundCommand server = BackgroundCommand.start("echo", "--serve", address, "-p", "0")) {
            server.awaitText("listens");
            Matcher port = PORT.matcher(server.out());
            assertTrue(port.find(), server.out());
            CommandRun run = CommandRun.of(
                    "echo", address, "-p", port.group(1), "-s", "300000", "-c", "5", "--rounds", "1", "--json");
            assertEquals(0, run.exitCode(), run.err());
            assertTrue(run.out().matches("(?s).*\"rdmaBytes\": ?[1-9][0-9]*.*"), run.out());
            assertTrue(run.out().matches("(?s)\\{.*\"size\": ?300000.*\"ratio\": ?[0-9.]+.*\\}\\s*"), run.out());
        }
    }

    @Test
    void shouldSayHowToStartTheServerWhenThereIsNone() {
        CommandRun run = CommandRun.of("echo", "127.0.0.1", "-p", "1");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("start the server there: verbena echo --serve"), run.err());
    }

    @Test
    void shouldRefuseWrongSizes() {
        assertEquals(2, CommandRun.of("echo", "-s", "3").exitCode());
        assertEquals(2, CommandRun.of("echo", "-c", "0").exitCode());
    }
}
