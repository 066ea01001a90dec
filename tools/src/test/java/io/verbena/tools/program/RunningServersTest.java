package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RunningServersTest {
    private static final String NAME =
            "0000000000000000: 00000002 00000000 00000000 0002 01 1 @verbena-0-00000000000000000000ffff%s-%d-11-0123456789abcdef\n";

    @TempDir
    Path proc;

    @Test
    void shouldNameAddressesOfTheSameProgramOnly() throws IOException {
        process(11, "/jdk/bin/java", "-m", "io.verbena.tools/io.verbena.tools.Main", "ping", "--stats");
        process(12, "/jdk/bin/java", "-m", "io.verbena.tools/io.verbena.tools.Main", "blast");
        process(13, "/jdk/bin/java", "examples/Hello.java");
        Files.createDirectories(proc.resolve("net"));
        Files.writeString(
                proc.resolve("net/unix"),
                NAME.formatted("0a000002", 11)
                        + NAME.formatted("7f000001", 11)
                        + NAME.formatted("7f000002", 12)
                        + NAME.formatted("7f000003", 13)
                        + NAME.formatted("7f000004", 14));
        assertEquals(
                "`verbena ping --stats` (process 11) runs at 10.0.0.2 and 127.0.0.1",
                RunningServers.under(proc).text("ping"));
    }

    @Test
    void shouldSayNothingWhenTheSystemTellsNothing() {
        assertEquals("", RunningServers.under(proc).text("ping"));
    }

    @Test
    @Timeout(60)
    @EnabledOnOs(OS.LINUX)
    void shouldTellAClientOfAServerAtAnotherAddress() throws Exception {
        String address = LoopbackAddress.any();
        String wrong = LoopbackAddress.any();
        try (var server = ProgramProcess.start("ping", "--device", address)) {
            server.awaitLine("listens on");
            String error = CommandRun.of("ping", wrong).err();
            assertTrue(
                    error.startsWith("verbena: cannot connect to " + wrong
                            + ":12321: nobody listens there; start the server first: verbena ping --device " + wrong
                            + ", or check address and port: "),
                    error);
            assertTrue(error.contains(" runs at " + address), error);
        }
    }

    private void process(int pid, String... words) throws IOException {
        Files.createDirectories(proc.resolve(Integer.toString(pid)));
        Files.writeString(proc.resolve(pid + "/cmdline"), String.join("\0", words) + "\0");
    }
}
