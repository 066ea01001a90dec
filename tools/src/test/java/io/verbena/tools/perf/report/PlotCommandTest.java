package io.verbena.tools.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.CommandRun;
import io.verbena.tools.perf.PerfTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotCommandTest {
    @TempDir
    private Path folder;

    private String plot(int expectedCode, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "plot";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        var run = CommandRun.of("perf", all);
        assertEquals(expectedCode, run.exitCode(), run.err());
        return run.err();
    }

    @Test
    void shouldDrawResultsOfSeveralTestsTogether() throws IOException {
        Path a = MadeUpRun.file(folder, "a.json", PerfTest.SEND_LAT, MadeUpRun.latency(64, 1));
        Path b = MadeUpRun.file(folder, "b.json", PerfTest.WRITE_LAT, MadeUpRun.latency(64, 2));
        Path c = MadeUpRun.file(folder, "c.json", PerfTest.WRITE_BW, MadeUpRun.bandwidth(4096, 2));
        Path picture = folder.resolve("all.svg");
        plot(0, a.toString(), b.toString(), c.toString(), "-o", picture.toString());
        String svg = Files.readString(picture);
        for (String part : new String[] {"a send-lat 64 B", "b write-lat 64 B", "c write-bw average"}) {
            assertTrue(svg.contains(part), part);
        }
    }

    @Test
    void shouldTellFilesOfOneNameApart() throws IOException {
        Path sub = Files.createDirectory(folder.resolve("sub"));
        Path a = MadeUpRun.file(folder, "a.json", PerfTest.SEND_LAT, MadeUpRun.latency(64, 1));
        Path b = MadeUpRun.file(sub, "a.json", PerfTest.SEND_LAT, MadeUpRun.latency(64, 2));
        Path page = folder.resolve("all.html");
        plot(0, a.toString(), b.toString(), "-o", page.toString());
        assertTrue(Files.readString(page).contains(b + " 64 B"));
    }

    @Test
    void shouldSayWhatIsWrong() throws IOException {
        Path a = MadeUpRun.file(folder, "a.json", PerfTest.SEND_LAT, MadeUpRun.latency(64, 1));
        Path picture = folder.resolve("x.svg");
        assertTrue(
                plot(2, a.toString(), "-o", folder.resolve("x.png").toString()).contains("use .svg or .html"));
        assertTrue(plot(2, folder.resolve("b.json").toString(), "-o", picture.toString())
                .contains("does not exist"));
        assertTrue(plot(2, "-o", picture.toString()).contains("RESULT.json"));
        assertTrue(plot(2, a.toString()).contains("--output"));
        Path empty = MadeUpRun.file(folder, "empty.json", PerfTest.SEND_LAT);
        assertTrue(plot(2, empty.toString(), "-o", picture.toString()).contains("nothing to plot"));
        assertFalse(Files.exists(picture));
        assertTrue(plot(1, a.toString(), "-o", folder.resolve("none/x.svg").toString())
                .contains("write "));
    }
}
