package io.verbena.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.ConformanceReport.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceReportTest {
    @TempDir
    Path folder;

    private static ConformanceReport report(String pairing) {
        ConformanceReport report = new ConformanceReport(RuleCatalog.load());
        report.record("QP-1", "StateContract", "shouldStart", pairing, Result.PASSED, "");
        report.record("QP-1", "StateContract", "shouldStart", pairing, Result.PASSED, "");
        report.record(
                "QP-2",
                "StateContract",
                "shouldRefuse",
                pairing,
                Result.SKIPPED,
                "Assumption failed: no | at 0x12ab here");
        report.record("QP-3", "StateContract", "shouldKnow", pairing, Result.FAILED, null);
        report.differences(pairing, List.of("A: one", "B: two"));
        return report;
    }

    private Path tabs(String name, ConformanceReport report) throws IOException {
        return Files.writeString(folder.resolve(name), report.toTabs());
    }

    @Test
    void shouldGiveTheSameReportWhenReadFromItsResults() throws IOException {
        ConformanceReport report = report("left-right");
        report.unavailable("far-away", "no such device");
        Path out = folder.resolve("out.md");
        ConformanceReport.main(
                new String[] {out.toString(), tabs("one.tsv", report).toString()});
        assertEquals(report.toMarkdown(), Files.readString(out));
    }

    @Test
    void shouldHaveAColumnForEachPairingOfAllRuns() throws IOException {
        Path out = folder.resolve("out.md");
        ConformanceReport.main(new String[] {
            out.toString(),
            tabs("one.tsv", report("b-b")).toString(),
            tabs("two.tsv", report("a-a")).toString()
        });
        List<String> lines = Files.readAllLines(out);
        assertTrue(lines.contains("| Rule | Text | Test | a-a | b-b |"), lines::toString);
        String row = lines.stream()
                .filter(l -> l.contains("shouldStart"))
                .findFirst()
                .orElseThrow();
        assertTrue(row.endsWith(" | StateContract.shouldStart | passed 2 | passed 2 |"), row);
        String skipped = lines.stream()
                .filter(l -> l.contains("shouldRefuse"))
                .findFirst()
                .orElseThrow();
        assertTrue(skipped.endsWith("| skipped (no \\| at 0x... here) | skipped (no \\| at 0x... here) |"), skipped);
        assertTrue(lines.contains("| A: one | a-a, b-b |"), lines::toString);
    }

    @Test
    void shouldRefuseFilesItDoesNotUnderstand() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong.tsv"), "nonsense\tx\n");
        String[] files = {folder.resolve("out.md").toString(), wrong.toString()};
        assertThrows(IOException.class, () -> ConformanceReport.main(files));
    }
}
