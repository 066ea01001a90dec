package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every public type, method and constructor of the library says what it does, and says so before it names its C
/// counterpart. Broken comments stop `./verbena install`.
class DocCommentsTest {
    /// Those that export packages.
    private static final List<String> MODULES = List.of("verbs", "roce", "soft", "endpoint");

    /// Constants and private fields (of the serialized form) speak for themselves.
    private static final Pattern SPEAKS_FOR_ITSELF =
            Pattern.compile("[A-Z][A-Z0-9_]*\\b(?!\\s*<).*|private .*|public static final .*");

    private static final Pattern MISSING =
            Pattern.compile("(\\S+\\.java:\\d+): warning: no (?:comment|main description)\\R\\s*(.*)");

    private static final Pattern COMMENT = Pattern.compile("(?:^ *///.*\\R)+", Pattern.MULTILINE);
    private static final Pattern STARTS_WITH_C =
            Pattern.compile("Counterpart|`?(struct |enum |union )?(ibv|rdma|IBV|RDMA)_");

    @TempDir
    private Path temporary;

    @Test
    void shouldBeThereForEveryPublicMethod() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "javadoc").toString(),
                "-J-Duser.language=en",
                "-Xdoclint:missing",
                "-Xmaxwarns",
                "100000",
                "-d",
                temporary.resolve("pages").toString(),
                "--module",
                String.join(
                        ",",
                        MODULES.stream().map(module -> "io.verbena." + module).toList())));
        for (String module : MODULES) {
            command.add("--module-source-path");
            command.add("io.verbena." + module + "=" + sources(module));
        }
        Path log = temporary.resolve("log");
        Process javadoc = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        String output = javadoc.waitFor() + "\n" + Files.readString(log);

        assertTrue(output.startsWith("0\n"), output);
        List<String> missing = new ArrayList<>();
        int all = 0;
        for (Matcher found = MISSING.matcher(output); found.find(); all++) {
            if (!SPEAKS_FOR_ITSELF.matcher(found.group(2)).matches()) {
                missing.add(found.group(1) + ": " + found.group(2));
            }
        }
        assertTrue(all > 100, "constants without a comment are reported, or the messages of javadoc changed: " + all);
        assertEquals("", String.join("\n", missing));
    }

    @Test
    void shouldNameCLast() throws IOException {
        List<String> wrong = new ArrayList<>();
        int found = 0;
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(sources(module))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    for (Matcher comment = COMMENT.matcher(Files.readString(file)); comment.find(); ) {
                        String text = comment.group()
                                .strip()
                                .substring("///".length())
                                .strip();
                        found += text.contains("Counterpart of") ? 1 : 0;
                        if (STARTS_WITH_C.matcher(text).lookingAt()) {
                            wrong.add(file.getFileName() + ": " + text);
                        }
                    }
                }
            }
        }
        assertTrue(found > 100, "only " + found + " comments name C");
        assertEquals("", String.join("\n", wrong));
    }

    private static Path sources(String module) {
        return DocumentsTest.root().resolve(module).resolve("src/main/java");
    }
}
