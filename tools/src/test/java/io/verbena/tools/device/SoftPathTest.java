package io.verbena.tools.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.ProgramProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `--path` on the command line.
@Timeout(120)
class SoftPathTest {
    private static final String PROPERTY = "verbena.soft.path";

    @ParameterizedTest
    @ValueSource(strings = {"ping", "blast", "copy", "exchange", "rping", "perf", "pingpong rc", "demo"})
    void shouldBeAnOptionOfEveryProgram(String program) {
        String[] words = (program + " --help").split(" ");
        String help = run(words).out();
        assertTrue(help.contains("--path=auto|udp|shared"), help);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "ping --path tcp, expected one of [auto; udp; shared] but was 'tcp'",
                "perf send-lat 127.0.0.1 -c XX, expected one of [RC; UC; UD",
                "ping --path udp --provider rdmacore, --path is for the software device; and --provider rdmacore asks",
                "perf --path udp --device native, --path is for the software device; and --device native asks for an",
                "demo --path shared --trace x.pcap, --trace: packets are on UDP only; leave out --path shared",
                "perf send-lat 127.0.0.1 -c UD --path shared, --path shared is for reliable connections; leave it out",
                "pingpong uc --path shared, --path shared is for reliable connections; and uc has none; take rc or srq",
            })
    void shouldRefuseWhatCannotBe(String command, String text) {
        CommandRun run = run(command.split(" "));
        assertEquals(2, run.exitCode(), run.err());
        String said = run.err().lines().findFirst().orElseThrow().replace(',', ';');
        assertTrue(said.contains(text.replace(", ", "; ")), said);
    }

    @Test
    void shouldNotOutliveItsCommand() {
        String before = System.getProperty(PROPERTY);
        CommandRun.of("ping", LoopbackAddress.any(), "--timeout", "1", "--path", "udp");
        assertEquals(before, System.getProperty(PROPERTY));
        assertNull(before, "the tests of this module leave the path to the device");
    }

    @Test
    void shouldSayThatThePeerSharesNoMemory() throws Exception {
        String address = LoopbackAddress.any();
        try (var server = ProgramProcess.start("ping", "--device", address, "--path", "udp")) {
            server.awaitLine("server listens on " + address);
            CommandRun forced =
                    CommandRun.of("ping", address, "--device", LoopbackAddress.any(), "-c", "1", "--path", "shared");
            assertEquals(1, forced.exitCode(), forced.out());
            assertEquals(1, forced.err().lines().count(), forced.err());
            String why = "of " + address + " cannot be reached through shared memory";
            assertTrue(forced.err().contains(why), forced.err());
            CommandRun free =
                    CommandRun.of("ping", address, "--device", LoopbackAddress.any(), "-c", "1", "--path", "auto");
            assertEquals(0, free.exitCode(), free.err());
            assertTrue(free.out().contains(", over UDP"), free.out());
            server.awaitLine("1 round trips of 8 bytes, --cm sync --wait spin, over UDP");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldSayOnBothSidesOfAPingThatItWentThroughSharedMemory() throws Exception {
        String address = LoopbackAddress.any();
        try (var server = BackgroundCommand.start("ping", "--device", address)) {
            server.awaitText("server listens on " + address);
            CommandRun client = CommandRun.of("ping", address, "--device", LoopbackAddress.any(), "-c", "20");
            String line = "20 round trips of 8 bytes, --cm sync --wait spin, over shared memory";
            assertTrue(client.out().contains(line), client.out() + client.err());
            server.awaitText(line);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldReportThePathOfTheMeasuredMessages() throws Exception {
        String address = LoopbackAddress.any();
        try (var server = ProgramProcess.start("perf", "-p", "0", "--device", address)) {
            String port = server.awaitLine("server listens on " + address).replaceAll(".* port (\\d+).*", "$1");
            for (String test : List.of("send-lat", "write-bw", "read-lat")) {
                String[] few = {test, address, "-p", port, "-n", "50", "--warm-up", "0", "--json", "-"};
                assertEquals("shared memory", pathOf(few, "auto"), test);
                assertEquals("UDP", pathOf(few, "udp"), test);
            }
            CommandRun text =
                    CommandRun.of("perf", "send-lat", address, "-p", port, "-n", "50", "--warm-up", "0", "-c", "UD");
            assertTrue(text.out().contains(" Path            : UDP"), text.out() + text.err());
        }
    }

    private static String pathOf(String[] perf, String path) {
        List<String> arguments = new ArrayList<>(List.of(perf));
        arguments.addAll(List.of("--path", path, "--device", LoopbackAddress.any()));
        CommandRun run = CommandRun.of("perf", arguments.toArray(String[]::new));
        assertEquals(0, run.exitCode(), run.err());
        var document = (Map<?, ?>) Json.read(run.out());
        return (String) ((Map<?, ?>) document.get("environment")).get("path");
    }

    private static CommandRun run(String[] words) {
        String[] arguments = new String[words.length - 1];
        System.arraycopy(words, 1, arguments, 0, arguments.length);
        return CommandRun.of(words[0], arguments);
    }
}
