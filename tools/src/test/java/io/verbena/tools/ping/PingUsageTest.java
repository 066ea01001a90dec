package io.verbena.tools.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What people may type wrong: one line each that says what to do.
@Timeout(60)
class PingUsageTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "127.0.0.1 -s 0, --size 0 is not within 1 to 268435456",
                "127.0.0.1 -s 5g, --size 5368709120 is not within 1 to 268435456",
                "127.0.0.1 -s many, 'many' is no number of bytes; write it like 4096",
                "127.0.0.1 -c 0, --count 0 is not within 1 to 4294967295",
                "127.0.0.1 -c -3, --count -3 is not within 1 to 4294967295",
                "-s -1, --size -1 is not within",
                "no-such-host.invalid, unknown host 'no-such-host.invalid'",
                "127.0.0.1 --cm fast, Invalid value for option '--cm'",
                "127.0.0.1 --wait fast, Invalid value for option '--wait'",
                "127.0.0.1 -p 70000, Invalid port 70000",
                "127.0.0.1 --once, --once is for servers",
            })
    void shouldRefuseWrongUsage(String arguments, String text) {
        CommandRun run = CommandRun.of("ping", arguments.split(" "));
        assertEquals(2, run.exitCode(), run.err());
        assertEquals("", run.out());
        assertTrue(run.err().lines().findFirst().orElseThrow().contains(text), run.err());
    }

    @ParameterizedTest
    @CsvSource({"sync", "thread", "poll"})
    void shouldSayThatThePortIsTaken(String cm) throws Exception {
        String address = LoopbackAddress.any();
        try (var _ = BackgroundCommand.start("ping", "--device", address, "--cm", cm)
                .awaitText("server listens on " + address)) {
            CommandRun second = CommandRun.of("ping", "--device", address, "--cm", cm);
            assertEquals(1, second.exitCode(), second.err());
            assertEquals(1, second.err().lines().count(), second.err());
            assertTrue(
                    second.err()
                            .contains("port 12321 of " + address
                                    + " is taken; stop the other server, or take another with -p"),
                    second.err());
        }
    }

    @Test
    void shouldSayThatNobodyAnswers() throws Exception {
        String silent = LoopbackAddress.any();
        CommandRun run;
        try (var _ = new DatagramSocket(new InetSocketAddress(silent, 4791))) {
            run = CommandRun.of("ping", silent, "--device", LoopbackAddress.any(), "--timeout", "1", "--cm", "poll");
        }
        assertEquals(1, run.exitCode());
        assertTrue(
                run.err().contains("no answer; check the address, and start the server first: verbena ping"),
                run.err());
    }
}
