package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// How continuous integration judges skipped tests.
@EnabledOnOs(OS.LINUX)
class AllowedSkipsTest {
    private static final Path CI = Path.of("..", ".ci").toAbsolutePath();
    private static final String ALLOWED = """
            # a comment
            Queue.*\tno device
            """;

    @TempDir
    private Path folder;

    private List<String> complaints(String... skipped) throws Exception {
        Path allowed = Files.writeString(folder.resolve("allowed"), ALLOWED);
        StringBuilder report = new StringBuilder();
        for (String one : skipped) {
            report.append("<testcase name=\"shouldWork(int)[1]\" classname=\"org.example.QueueTest\" time=\"0\">\n")
                    .append(one)
                    .append("\n</testcase>\n");
        }
        Path reports = Files.writeString(folder.resolve("TEST-x.xml"), report);
        Process awk = new ProcessBuilder(
                        "awk", "-f", CI.resolve("skips.awk").toString(), allowed.toString(), reports.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(awk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(true, awk.waitFor(10, TimeUnit.SECONDS));
        List<String> lines = new ArrayList<>(output.lines().toList());
        assertEquals(lines.isEmpty() ? 0 : 1, awk.exitValue());
        return lines;
    }

    @Test
    void shouldAcceptSkipsThatAreOnTheList() throws Exception {
        assertEquals(
                List.of(),
                complaints(
                        "<skipped type=\"x\"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: no device here",
                        "<skipped message=\"no device\"/>"));
    }

    @Test
    void shouldNameTestsThatAreSkippedForAnotherReason() throws Exception {
        assertEquals(
                List.of("skipped: QueueTest.shouldWork: tshark is not installed", "skipped: QueueTest.shouldWork: "),
                complaints("<skipped><![CDATA[Assumption failed: tshark is not installed]]></skipped>", "<skipped/>"));
    }
}
