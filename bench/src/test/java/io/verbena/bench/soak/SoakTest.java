package io.verbena.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.side.Child;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class SoakTest {
    private static final Duration LONG = Duration.ofSeconds(100);

    @TempDir
    private Path folder;

    private static Child command(String... arguments) throws Exception {
        return Child.java("soak", List.of(), Soak.class, List.of(arguments));
    }

    private static void expectMisuse(String message, String... arguments) throws Exception {
        try (Child child = command(arguments)) {
            assertEquals(2, child.awaitEnd(LONG));
            assertEquals(": verbena: " + message + " | Try './verbena soak --help'.", child.lastWords());
        }
    }

    @Test
    void shouldExplainItself() throws Exception {
        try (Child child = command("--help")) {
            assertEquals(0, child.awaitEnd(LONG));
            assertTrue(child.rest().contains("Examples:"));
        }
    }

    @Test
    void shouldRefuseWrongUsage() throws Exception {
        expectMisuse("Unknown option: '--no-such-option'", "--no-such-option");
        expectMisuse(
                "Invalid value for option '--time': '2 weeks' is no time; write 90s, 2m or 8h", "--time", "2 weeks");
        expectMisuse("Invalid value for option '--time': '0s' is no time; write 90s, 2m or 8h", "--time", "0s");
        Path nowhere = folder.resolve("no/such/folder.json");
        expectMisuse("there is no folder for " + nowhere, "--json", nowhere.toString());
    }

    @Test
    void shouldFindNothingWrongInSeconds() throws Exception {
        Path json = folder.resolve("soak.json");
        try (Child child = command("--time", "3s", "--seed", "1", "--json", json.toString())) {
            int code = child.awaitEnd(LONG);
            List<String> said = child.rest();
            assertEquals(0, code, () -> String.join("\n", said) + child.lastWords());
            assertEquals("Seed 1, 3 s", said.getFirst());
            assertEquals("All is well: no wrong byte, no hang. Seed 1.", said.getLast());
            assertTrue(Files.readString(json).contains("\"failure\": null"));
        }
    }

    @Test
    void shouldNoticeAWrongByte() throws Exception {
        try (Child child = command("--time", "60s", "--seed", "1", "--wrong-byte-in", "3")) {
            int code = child.awaitEnd(LONG);
            String said = String.join("\n", child.rest()) + child.lastWords();
            assertEquals(1, code, said);
            assertTrue(said.contains("WRONG: "), said);
            assertTrue(said.contains("wrong bytes in message 2 of QP "), said);
            assertTrue(said.contains("The same turns again: ./verbena soak --seed 1 --time 60s"), said);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(300)
    void shouldFindNothingWrongInAMinute() throws Exception {
        long seed = Long.getLong("verbena.test.seed", System.currentTimeMillis());
        try (Child child = command("--time", "1m", "--seed", Long.toString(seed))) {
            int code = child.awaitEnd(Duration.ofSeconds(290));
            List<String> said = child.rest();
            said.forEach(System.out::println);
            String end = String.join("\n", said.subList(Math.max(0, said.size() - 20), said.size()));
            assertEquals(0, code, () -> end + child.lastWords());
        }
    }
}
