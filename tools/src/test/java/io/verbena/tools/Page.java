package io.verbena.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One Markdown file of the source tree, taken apart.
record Page(Path file, List<Block> blocks, List<String> prose) {
    /// Fenced lines; `language` is the word behind the opening fence.
    record Block(String language, List<String> lines) {}

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

    /// Every page for readers: at the root, in docs, examples and beside modules.
    static List<Page> all() throws IOException {
        Path root = DocumentsTest.root();
        List<Path> files = new ArrayList<>();
        for (String folder : List.of("", "docs", "docs/decisions", "docs/guide", "examples")) {
            try (Stream<Path> found = Files.list(root.resolve(folder))) {
                found.filter(file -> file.toString().endsWith(".md")).sorted().forEach(files::add);
            }
        }
        List<Page> pages = new ArrayList<>();
        for (Path file : files) {
            pages.add(of(file));
        }
        return pages;
    }

    static Page of(Path file) throws IOException {
        List<Block> blocks = new ArrayList<>();
        List<String> prose = new ArrayList<>();
        Block open = null;
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("```")) {
                if (open == null) {
                    open = new Block(line.substring(3).strip(), new ArrayList<>());
                    blocks.add(open);
                } else {
                    open = null;
                }
            } else if (open != null) {
                open.lines.add(line);
            } else {
                prose.add(line);
            }
        }
        return new Page(file, blocks, prose);
    }

    String text() {
        return String.join("\n", prose);
    }

    /// The links of the page, without those in code spans.
    List<String> links() {
        List<String> links = new ArrayList<>();
        Matcher found = LINK.matcher(text().replaceAll("`[^`\n]*`", "`"));
        while (found.find()) {
            links.add(found.group(1));
        }
        return links;
    }

    List<String> headings() {
        return prose.stream().filter(line -> line.matches("#+ .*")).toList();
    }

    /// The anchors of the headings.
    List<String> anchors() {
        return headings().stream()
                .map(line -> line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Override
    public String toString() {
        return DocumentsTest.root().relativize(file).toString();
    }
}
