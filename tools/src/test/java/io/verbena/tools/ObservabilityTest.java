package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page about watching programs lists each event of the flight recorder with its fields.
class ObservabilityTest {
    private static final Pattern NAME = Pattern.compile("@Name\\(\"(verbena\\.[\\w.]+)\"\\)");
    private static final Pattern FIELD = Pattern.compile("^ {8}(?:String|long|int|boolean) (\\w+);", Pattern.MULTILINE);

    /// The fields of each event, without those that it inherits.
    private static Map<String, List<String>> events() throws IOException {
        Map<String, List<String>> events = new TreeMap<>();
        for (String module : List.of("verbs", "soft", "rdmacore", "endpoint", "sockets", "spark", "junit", "roce")) {
            Path sources = DocumentsTest.root().resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.exists(sources) ? Files.walk(sources) : Stream.empty()) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    addAll(Files.readString(file), events);
                }
            }
        }
        return events;
    }

    private static void addAll(String source, Map<String, List<String>> events) {
        Matcher name = NAME.matcher(source);
        while (name.find()) {
            int end = source.indexOf("\n    }\n", name.end());
            int empty = source.indexOf("{}\n", name.end());
            String body = source.substring(name.end(), empty >= 0 && empty < end ? empty : end);
            List<String> fields = new ArrayList<>();
            Matcher field = FIELD.matcher(body);
            while (field.find()) {
                fields.add(field.group(1));
            }
            events.put(name.group(1), fields);
        }
    }

    @Test
    void shouldListEveryEventWithItsFields() throws IOException {
        Map<String, List<String>> events = events();
        assertTrue(events.size() > 15, events::toString);
        List<String> missing = new ArrayList<>();
        String page = Files.readString(DocumentsTest.root().resolve("docs/observability.md"));
        events.forEach((name, fields) -> {
            String row = page.lines()
                    .filter(line -> line.startsWith("| `" + name + "` |"))
                    .findFirst()
                    .orElse("");
            if (row.isEmpty()) {
                missing.add(name);
            }
            fields.stream()
                    .filter(field -> !row.contains("`" + field + "`"))
                    .forEach(field -> missing.add(name + "." + field));
        });
        assertEquals(List.of(), missing);
    }

    @Test
    void shouldListOnlyEventsThatExist() throws IOException {
        Set<String> unknown = new TreeSet<>();
        Matcher named = Pattern.compile("^\\| `(verbena\\.[\\w.]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(DocumentsTest.root().resolve("docs/observability.md")));
        while (named.find()) {
            unknown.add(named.group(1));
        }
        unknown.removeAll(events().keySet());
        assertEquals(Set.of(), unknown);
    }
}
