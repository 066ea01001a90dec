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
import picocli.CommandLine;

/// The statements of the documentation must be true.
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
    void shouldShowTheFirstProgramsAsTheyAre() throws IOException {
        String readme = read("README.md");
        for (String name : List.of("examples/First.java", "examples/Hello.java")) {
            assertTrue(readme.contains("```java\n" + read(name) + "```"), "README.md and " + name + " differ");
        }
    }

    @Test
    void shouldShowTheVersionOfThisTree() throws IOException {
        Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(read("pom.xml"));
        assertTrue(version.find());
        for (String page : List.of("README.md", "docs/install.md")) {
            Matcher shown = Pattern.compile(
                            "verbena-\\w+</artifactId>\\s*<version>([^<]+)</version>|\"io\\.verbena:[\\w-]+:([^\"]+)\"")
                    .matcher(read(page));
            int found = 0;
            while (shown.find()) {
                found++;
                assertEquals(version.group(1), shown.group(1) != null ? shown.group(1) : shown.group(2), page);
            }
            assertTrue(found >= 2, "snippets for Maven and Gradle in " + page);
        }
    }

    @Test
    void shouldPointOnlyToPlacesThatExist() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Page page : Page.all()) {
            for (String link : page.links()) {
                if (!link.startsWith("http") && !leadsSomewhere(page, link)) {
                    broken.add(page + ": " + link);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean leadsSomewhere(Page page, String link) throws IOException {
        int hash = link.indexOf('#');
        String name = hash < 0 ? link : link.substring(0, hash);
        Path target = name.isEmpty() ? page.file() : page.file().resolveSibling(name);
        return Files.exists(target) && (hash < 0 || Page.of(target).anchors().contains(link.substring(hash + 1)));
    }

    /// Commands are shown in blocks of the language `sh`: each must exist and take the options shown.
    @Test
    void shouldShowOnlyCommandsThatExist() throws IOException {
        List<String> wrong = new ArrayList<>();
        int found = 0;
        for (Page page : Page.all()) {
            for (Page.Block block : page.blocks()) {
                for (String line : block.language().equals("sh") ? block.lines() : List.<String>of()) {
                    List<String> words = words(line);
                    if (!words.isEmpty() && words.getFirst().equals("./verbena")) {
                        found++;
                        String complaint = complaint(words.subList(1, words.size()));
                        if (complaint != null) {
                            wrong.add(page + ": " + line + ": " + complaint);
                        }
                    }
                }
            }
        }
        assertTrue(found > 20, "only " + found + " commands");
        assertEquals(List.of(), wrong);
    }

    /// The words of a shell command, without its comment.
    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)").matcher(line);
        while (word.find() && !word.group().equals("#")) {
            words.add(word.group().replaceAll("^[\"']|[\"']$", ""));
        }
        return words;
    }

    private static String complaint(List<String> words) throws IOException {
        String command = words.isEmpty() ? "" : words.getFirst();
        if (command.equals("run")) {
            return words.size() > 1 && Files.exists(root().resolve(words.get(1))) ? null : "no such file";
        }
        if (read("verbena").contains("\n  " + command + ")\n")) {
            return null; // of the launcher itself
        }
        try {
            Main.commandLine().parseArgs(words.toArray(String[]::new));
            return null;
        } catch (CommandLine.ParameterException e) {
            return e.getMessage();
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
