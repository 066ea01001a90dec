package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What the pages say must be so.
class DocumentsTest {
    private static final List<String> PACKAGES =
            List.of("io.verbena.verbs.", "io.verbena.verbs.attr.", "io.verbena.verbs.cm.", "io.verbena.verbs.spi.");

    @Test
    void shouldNameOnlyJavaMethodsThatExist() throws IOException {
        Matcher names = Pattern.compile("`(\\w+)#(\\w+)`").matcher(read("docs/c-to-java.md"));
        List<String> missing = new ArrayList<>();
        int found = 0;
        while (names.find()) {
            found++;
            if (!exists(names.group(1), names.group(2))) {
                missing.add(names.group());
            }
        }
        assertTrue(found > 100, "only " + found + " names");
        assertEquals(List.of(), missing);
    }

    @Test
    void shouldShowTheFirstProgramAsItIs() throws IOException {
        String readme = read("README.md");
        String program = read("examples/Hello.java");
        assertTrue(readme.contains("```java\n" + program + "```"), "README.md and examples/Hello.java differ");
    }

    @Test
    void shouldPointOnlyToFilesThatExist() throws IOException {
        Matcher links = Pattern.compile("]\\(([^)#]+)").matcher(read("README.md"));
        while (links.find()) {
            String target = links.group(1);
            assertTrue(target.startsWith("http") || Files.exists(root().resolve(target)), target);
        }
    }

    private static boolean exists(String type, String method) {
        for (String where : PACKAGES) {
            try {
                Class<?> found = Class.forName(where + type);
                return Arrays.stream(found.getMethods())
                        .anyMatch(m -> m.getName().equals(method));
            } catch (ClassNotFoundException e) {
                // perhaps in the next package
            }
        }
        return false;
    }

    static String read(String file) throws IOException {
        return Files.readString(root().resolve(file));
    }

    /// The root of the source tree: the build runs tests in the folder of their module.
    static Path root() {
        Path folder = new File("").toPath().toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("examples"))) {
            folder = folder.getParent();
        }
        assertTrue(folder != null, "not in the source tree");
        return folder;
    }
}
