package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// README.zh-CN.md says the same as README.md: everything that is not language must be equal, section by section.
class TranslationTest {
    private final Page english = page("README.md");
    private final Page chinese = page("README.zh-CN.md");

    private static Page page(String file) {
        try {
            return Page.of(DocumentsTest.root().resolve(file));
        } catch (IOException e) {
            throw new AssertionError(file, e);
        }
    }

    @Test
    void shouldHaveTheSameSections() {
        assertEquals(levels(english), levels(chinese));
    }

    private static List<String> levels(Page page) {
        return page.headings().stream()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    @Test
    void shouldShowTheSameCommandsAndPrograms() {
        assertEquals(withoutComments(english), withoutComments(chinese));
    }

    @Test
    void shouldTranslateComments() {
        List<String> left = new ArrayList<>();
        for (int i = 0; i < english.blocks().size(); i++) {
            List<String> here = english.blocks().get(i).lines();
            List<String> there = chinese.blocks().get(i).lines();
            for (int n = 0; n < Math.min(here.size(), there.size()); n++) {
                if (!here.get(n).equals(withoutComment(here.get(n)))
                        && here.get(n).equals(there.get(n))) {
                    left.add(there.get(n));
                }
            }
        }
        assertEquals(List.of(), left);
    }

    private static List<Page.Block> withoutComments(Page page) {
        return page.blocks().stream()
                .map(block -> new Page.Block(
                        block.language(),
                        block.lines().stream()
                                .map(TranslationTest::withoutComment)
                                .toList()))
                .toList();
    }

    /// A line of Java or of a shell.
    private static String withoutComment(String line) {
        return line.replaceFirst("(^|\\s)(///?|#) .*", "$1$2");
    }

    @Test
    void shouldPointToTheSamePlacesInEachSection() {
        List<String> here = sections(english);
        List<String> there = sections(chinese);
        for (int i = 0; i < here.size(); i++) {
            assertEquals(
                    all("]\\(([^)]+)\\)", here.get(i)), all("]\\(([^)]+)\\)", there.get(i)), "links of section " + i);
        }
    }

    /// Names of calls, files and options stay as they are in any language.
    @Test
    void shouldNameTheSameThingsInEachSection() {
        List<String> here = sections(english);
        List<String> there = sections(chinese);
        for (int i = 0; i < here.size(); i++) {
            assertEquals(all("`([^`]+)`", here.get(i)), all("`([^`]+)`", there.get(i)), "code of section " + i);
            assertEquals(tableRows(here.get(i)), tableRows(there.get(i)), "rows of the tables in section " + i);
        }
    }

    @Test
    void shouldPointToEachOther() {
        assertTrue(english.links().contains("README.zh-CN.md"));
        assertTrue(chinese.links().contains("README.md"));
    }

    private static List<String> sections(Page page) {
        return List.of(page.text().split("(?m)^#+ .*$"));
    }

    /// Sorted, because sentences put things in another order.
    private static List<String> all(String pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        found.sort(null);
        return found;
    }

    private static long tableRows(String text) {
        return text.lines().filter(line -> line.startsWith("|")).count();
    }
}
