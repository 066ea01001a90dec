package io.verbena.tools.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import io.verbena.tools.perf.PerfListener;
import io.verbena.tools.perf.PerfRun;
import io.verbena.tools.perf.PerfTest;
import io.verbena.tools.perf.report.Measurement.Usage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ReportTest {
    private final StringWriter out = new StringWriter();

    /// As `perf` has it.
    @Command(name = "perf")
    private static final class Options {
        @Mixin
        private ReportOptions report;
    }

    private static ReportOptions options(String... arguments) {
        Options options = new Options();
        new CommandLine(options).parseArgs(arguments);
        return options.report;
    }

    private String report(PerfRun run, String trouble, String[] arguments, Measurement... measurements) {
        PerfListener listener = options(arguments).listener(run.parameters().test(), new PrintWriter(out));
        listener.started(run);
        for (Measurement measurement : measurements) {
            listener.measured(measurement);
        }
        listener.finished(trouble);
        return out.toString();
    }

    private String text(PerfRun run, Measurement... measurements) {
        return report(run, null, new String[0], measurements);
    }

    private static List<String> cellsOf(String text, String lineStart) {
        String line =
                text.lines().filter(l -> l.startsWith(lineStart)).findFirst().orElseThrow();
        return Arrays.asList(line.strip().split("\\s+"));
    }

    @Test
    void shouldDrawThePictureAlsoWhenTheResultCannotBeWritten(@TempDir Path folder) {
        Path picture = folder.resolve("picture.svg");
        String[] arguments = {"--json", folder.resolve("gone/result.json").toString(), "--plot", picture.toString()};
        var error = assertThrows(
                UncheckedIOException.class,
                () -> report(MadeUpRun.of(PerfTest.SEND_LAT), null, arguments, MadeUpRun.latency(64, 1)));
        assertTrue(error.getMessage().startsWith("cannot write "), error.getMessage());
        assertTrue(Files.exists(picture));
    }

    @Test
    void shouldPrintTheColumnsOfPerftestForLatency() {
        String text = text(MadeUpRun.of(PerfTest.SEND_LAT), MadeUpRun.latency(64, 1));
        assertTrue(text.contains(" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"));
        List<String> cells = cellsOf(text, " 64 ");
        assertEquals(List.of("64", "1000"), cells.subList(0, 2));
        // 1 to 1000 us, as exact as three digits are
        double[] expected = {1, 1000, 500, 500.5, 288.7, 990, 999};
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], Double.parseDouble(cells.get(2 + i)), expected[i] * 0.001, "column " + (2 + i));
        }
    }

    @Test
    void shouldPrintTheColumnsOfPerftestForBandwidth() {
        String text = text(MadeUpRun.of(PerfTest.WRITE_BW), MadeUpRun.bandwidth(1 << 20, 3));
        assertTrue(text.contains(" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]"));
        assertEquals(List.of("1048576", "1000", "6000.00", "3000.00", "0.003000"), cellsOf(text, " 1048576"));
        assertEquals(
                List.of("size", "1048576", "25.166", "50.332", "3000", "3.00", "16.00"),
                cellsOf(text, " size  1048576"));
    }

    @Test
    void shouldPrintGigabitsWhenAsked() {
        String text = report(
                MadeUpRun.of(PerfTest.WRITE_BW),
                null,
                new String[] {"--report_gbits"},
                MadeUpRun.bandwidth(125_000, 3));
        assertTrue(text.contains(" #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]"));
        assertEquals(List.of("125000", "1000", "6.00", "3.00", "0.003000"), cellsOf(text, " 125000"));
    }

    @Test
    void shouldPrintTransactionsWhenTheTimeWasGiven() {
        String text = text(MadeUpRun.of(PerfTest.SEND_LAT, 5, "rxe0"), MadeUpRun.latency(64, 1));
        assertTrue(text.contains(" #bytes        #iterations       t_avg[usec]    tps average"));
        List<String> cells = cellsOf(text, " 64 ");
        assertEquals(4, cells.size());
        assertEquals(1e6 / (2 * 500.5), Double.parseDouble(cells.getLast()), 1); // half round trips
    }

    @Test
    void shouldAddPercentilesAndCostsBelowWhereScriptsForPerftestDoNotLook() {
        String text = text(MadeUpRun.of(PerfTest.SEND_LAT), MadeUpRun.latency(64, 1), MadeUpRun.latency(4096, 2));
        assertEquals(
                2, text.lines().filter(line -> line.matches("\\s*\\d+\\s.*")).count(), "rows that begin with a number");
        List<String> cells = cellsOf(text, " size  4096");
        double[] expected = {1000, 1800, 1980, 1998, 2000, 2000, 5, 0};
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], Double.parseDouble(cells.get(2 + i)), expected[i] * 0.001, "column " + (2 + i));
        }
    }

    @Test
    void shouldPrintTheBannerOfPerftest() {
        String text = text(MadeUpRun.of(PerfTest.READ_BW), MadeUpRun.bandwidth(64, 1));
        assertTrue(
                text.startsWith("-".repeat(87) + System.lineSeparator() + " ".repeat(20) + "RDMA_Read BW Test"), text);
        assertTrue(text.lines().takeWhile(line -> !line.contains("#bytes")).count() <= 13, text);
        for (String line : List.of(
                " Device          : rxe0\t\tProvider       : soft",
                " TX depth        : 128\t\tCQ Moderation  : 100",
                " Mtu             : 1024[B]\t\tGID index      : 1",
                " local address: LID 0000 QPN 0x0011 PSN 0x7d8bcc OUT 0x01 RKey 0x000204 VAddr 0x007f0011223000 GID 10.0.0.1")) {
            assertTrue(text.lines().anyMatch(line::equals), line + " in " + text);
        }
    }

    @Test
    void shouldSayWhatIsNotKnown() {
        var empty = new Measurement(8, new Histogram(3), null, new Usage(0, -1, -1), false);
        String text = report(MadeUpRun.of(PerfTest.READ_LAT), "stopped by Ctrl-C", new String[0], empty);
        assertEquals(List.of("8", "0", "-", "-", "-", "-", "-", "-", "-"), cellsOf(text, " 8 "));
        assertTrue(text.contains("stopped before all messages were done"), text);
        assertTrue(text.contains("ended early: stopped by Ctrl-C"), text);
        assertFalse(text.contains("NaN"), text);
    }

    @Test
    void shouldWriteOneJsonDocumentAndNothingElseToTheOutput() {
        String text =
                report(MadeUpRun.of(PerfTest.SEND_LAT), null, new String[] {"--json", "-"}, MadeUpRun.latency(64, 1));
        Map<?, ?> document = (Map<?, ?>) Json.read(text);
        assertEquals("verbena-perf", document.get("format"));
        assertEquals("send-lat", document.get("test"));
        assertEquals(true, document.get("ok"));
        for (String name : List.of("date", "verbena", "java", "os", "arch", "cpus", "provider", "device", "peer")) {
            assertTrue(((Map<?, ?>) document.get("environment")).containsKey(name), name);
        }
        assertEquals(512.0, ((Map<?, ?>) document.get("parameters")).get("rxDepth"));
        Map<?, ?> result = (Map<?, ?>) ((List<?>) document.get("results")).getFirst();
        Map<?, ?> latency = (Map<?, ?>) result.get("latencyUs");
        assertEquals(990, (Double) latency.get("p99"), 1);
        assertEquals(1000, (Double) latency.get("max"), 1);
        assertEquals(5.0, result.get("cpuUsPerMessage"));
        Map<?, ?> curve = (Map<?, ?>) result.get("latencyCurve");
        assertEquals(0.0, ((List<?>) curve.get("percentile")).getFirst());
        assertEquals(100.0, ((List<?>) curve.get("percentile")).getLast());
        assertTrue(((List<?>) curve.get("us")).size() < 100);
    }

    @Test
    void shouldKeepThePercentilesOfALongTailApart() {
        var histogram = new Histogram(3);
        histogram.recordValueWithCount(1000, 100_000_000);
        histogram.recordValue(9000);
        var measured = new Measurement(8, histogram, null, new Usage(1, 1, 1), true);
        Map<?, ?> document = (Map<?, ?>) Json.read(MadeUpRun.json(MadeUpRun.of(PerfTest.READ_LAT), measured));
        var size = SavedResult.of("x", "x", document).sizes().getFirst();
        assertEquals(
                size.percentiles().size(),
                size.percentiles().stream().distinct().count());
        assertEquals(9, size.latenciesUs().getLast(), 0.1);
    }

    @Test
    void shouldWriteJsonAlsoWhenTheRunFailed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("result.json");
        String text =
                report(MadeUpRun.of(PerfTest.SEND_BW), "the peer is gone", new String[] {"--json", file.toString()});
        Map<?, ?> document = (Map<?, ?>) Json.read(Files.readString(file));
        assertEquals(false, document.get("ok"));
        assertEquals("the peer is gone", document.get("error"));
        assertEquals(List.of(), document.get("results"));
        assertTrue(text.contains("Send BW Test"), text);
    }

    /// Ctrl-C interrupts the thread that measures, and that thread writes the files.
    @Test
    void shouldWriteFilesAlsoWhenInterrupted(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("result.json");
        Path plot = folder.resolve("plot.html");
        Thread.currentThread().interrupt();
        try {
            report(
                    MadeUpRun.of(PerfTest.SEND_LAT),
                    "stopped",
                    new String[] {"--json", json.toString(), "--plot", plot.toString()},
                    MadeUpRun.latency(64, 1));
        } finally {
            assertTrue(Thread.interrupted());
        }
        assertEquals("stopped", SavedResult.read(json).error());
        assertTrue(Files.readString(plot).endsWith("</html>\n"));
    }

    @Test
    void shouldWriteNoPlotOfNothing(@TempDir Path folder) {
        Path file = folder.resolve("plot.svg");
        String[] plot = {"--plot", file.toString()};
        report(MadeUpRun.of(PerfTest.READ_BW), null, plot);
        assertFalse(Files.exists(file));
        report(MadeUpRun.of(PerfTest.READ_BW), null, plot, MadeUpRun.bandwidth(64, 1));
        assertTrue(Files.exists(file));
    }

    @Test
    void shouldRefuseFilesThatCannotBeWrittenBeforeTheRun(@TempDir Path folder) {
        for (String[] arguments : new String[][] {
            {"--plot", folder.resolve("plot.png").toString()},
            {"--plot", folder.resolve("none/plot.svg").toString()},
            {"--json", folder.resolve("none/result.json").toString()},
            {"--json", folder.toString()}
        }) {
            var error = assertThrows(ParameterException.class, options(arguments)::check, arguments[1]);
            assertEquals(1, error.getMessage().lines().count());
        }
        options("--json", "-", "--plot", folder.resolve("plot.html").toString()).check();
    }

    @Test
    void shouldBeTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        Function<String, String> both = tag -> {
            Locale.setDefault(Locale.forLanguageTag(tag));
            out.getBuffer().setLength(0);
            text(MadeUpRun.of(PerfTest.WRITE_LAT), MadeUpRun.latency(64, 1));
            text(MadeUpRun.of(PerfTest.WRITE_BW), MadeUpRun.bandwidth(64, 1));
            String json = MadeUpRun.json(MadeUpRun.of(PerfTest.WRITE_LAT), MadeUpRun.latency(64, 1));
            return out + json.replaceFirst("\"date\".*", "");
        };
        try {
            String expected = both.apply("en-US");
            for (String tag : List.of("de-DE", "ar-EG-u-nu-arab", "tr-TR")) {
                assertEquals(expected, both.apply(tag), tag);
            }
        } finally {
            Locale.setDefault(before);
        }
    }
}
