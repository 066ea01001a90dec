package io.verbena.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Every rule by id, with its text and, while no contract checks it, the reason. Read from `rules.txt`.
public final class RuleCatalog {
    /// `open` says why no contract checks the rule, or is empty.
    public record Entry(String id, String text, String open) {}

    private static final String RESOURCE = "rules.txt";

    private final Map<String, Entry> entries;

    private RuleCatalog(Map<String, Entry> entries) {
        this.entries = entries;
    }

    public static RuleCatalog load() {
        Map<String, Entry> entries = new LinkedHashMap<>();
        try (InputStream in = RuleCatalog.class.getResourceAsStream(RESOURCE);
                var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    Entry entry = parse(line);
                    if (entries.put(entry.id, entry) != null) {
                        throw new IllegalStateException(RESOURCE + " names rule " + entry.id + " twice");
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("read " + RESOURCE, e);
        }
        return new RuleCatalog(entries);
    }

    private static Entry parse(String line) {
        String[] part = line.split("\\|", -1);
        if (part.length < 2 || part.length > 3) {
            throw new IllegalStateException(RESOURCE + " needs `id | text` or `id | text | why open`, not: " + line);
        }
        return new Entry(part[0].strip(), part[1].strip(), part.length == 3 ? part[2].strip() : "");
    }

    /// In the order of the file: by subject, then by number.
    public Iterable<Entry> entries() {
        return entries.values();
    }

    public Entry entry(String id) {
        Entry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalArgumentException("rule " + id + " is not in " + RESOURCE);
        }
        return entry;
    }
}
