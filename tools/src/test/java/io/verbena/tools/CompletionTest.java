package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The completion script, in a real bash.
class CompletionTest {
    /// As bash does when TAB is pressed: finds the function of the command, by the last part of its path when the whole
    /// is unknown, and calls it.
    private static final String PRESS_TAB = """
            . "$1"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
            specification=$(complete -p "${1##*/}") || exit 3
            function=${specification#*-F }; function=${function%% *}
            "$function" 2>/dev/null
            printf '%s\\n' "${COMPREPLY[@]}"
            """;

    @TempDir
    private static Path folder;

    private static Path script;

    @BeforeAll
    static void writeScript() throws IOException {
        script = Files.writeString(
                folder.resolve("completion"), CommandRun.of("completion").out());
    }

    private static String bash(int expectedCode, String... arguments) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash here");
        String[] command = new String[arguments.length + 1];
        command[0] = "/bin/bash";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        bash.getOutputStream().close();
        String output = new String(bash.getInputStream().readAllBytes());
        assertTrue(bash.waitFor(20, TimeUnit.SECONDS));
        assertEquals(expectedCode, bash.exitValue(), output);
        return output.strip();
    }

    private static List<String> complete(String... words) throws Exception {
        String[] arguments = new String[words.length + 5];
        System.arraycopy(new String[] {"--norc", "-c", PRESS_TAB, "tab", script.toString()}, 0, arguments, 0, 5);
        System.arraycopy(words, 0, arguments, 5, words.length);
        return bash(0, arguments).lines().toList();
    }

    @Test
    void shouldBeAScriptThatBashParses() throws Exception {
        assertEquals("", bash(0, "-n", script.toString()));
    }

    @Test
    void shouldCompleteCommands() throws Exception {
        for (String name : List.of("verbena", "./verbena", "/opt/verbena/verbena")) {
            assertEquals(List.of("doctor"), complete(name, "doc"), name);
            assertEquals(List.of("perf"), complete(name, "pe"), name);
        }
        assertEquals(List.of("bench"), complete("./verbena", "ben"));
        assertTrue(complete("verbena", "").containsAll(List.of("demo", "devices", "build", "test")));
        assertFalse(complete("verbena", "").contains("demo-peer"), "it is hidden");
    }

    @Test
    void shouldCompleteOptionsAndTheirValues() throws Exception {
        assertEquals(List.of("--verbose", "--version"), complete("verbena", "devices", "--ver"));
        assertEquals(List.of("soft"), complete("verbena", "devices", "--provider", "so"));
        assertEquals(List.of("udp"), complete("verbena", "ping", "--path", "u"));
        assertEquals(List.of("auto", "udp", "shared"), complete("verbena", "perf", "--path", ""));
        assertEquals(List.of("write-lat", "write-bw"), complete("verbena", "perf", "wr"));
        assertEquals(List.of("compare"), complete("verbena", "perf", "co"));
        assertEquals(List.of("--threshold"), complete("verbena", "perf", "compare", "--th"));
    }

    @Test
    void shouldCompleteTheFileToRun() throws Exception {
        Path file = Files.writeString(folder.resolve("Program.java"), "");
        Files.writeString(folder.resolve("Program.txt"), "");
        assertEquals(
                List.of(file.toString()),
                complete("./verbena", "run", folder.resolve("Pro").toString()));
    }

    @Test
    void shouldTellHowToLoadIt() {
        String help = CommandRun.of("completion", "--help").out();
        assertTrue(help.contains("source <(./verbena completion)"), help);
        assertTrue(help.contains(".zshrc"), help);
    }
}
