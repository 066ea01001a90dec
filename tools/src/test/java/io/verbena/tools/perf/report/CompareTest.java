package io.verbena.tools.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import io.verbena.tools.CommandRun;
import io.verbena.tools.perf.PerfTest;
import io.verbena.tools.perf.report.ResultComparison.Verdict;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareTest {
    @TempDir
    private Path folder;

    private Path old;

    @BeforeEach
    void writeOld() throws IOException {
        old = MadeUpRun.file(folder, "old.json", PerfTest.SEND_LAT, MadeUpRun.latency(64, 1));
    }

    private CommandRun compare(Path now, String... options) {
        String[] arguments = new String[3 + options.length];
        arguments[0] = "compare";
        arguments[1] = old.toString();
        arguments[2] = now.toString();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return CommandRun.of("perf", arguments);
    }

    private CommandRun compareFactor(double factor, String... options) throws IOException {
        return compare(MadeUpRun.file(folder, "new.json", PerfTest.SEND_LAT, MadeUpRun.latency(64, factor)), options);
    }

    private void assertUnusable(Path now, String reason) {
        var run = compare(now);
        assertEquals(2, run.exitCode(), run.out());
        assertTrue(run.err().contains(reason), run.err());
        assertTrue(run.err().startsWith("verbena: "), run.err());
        assertEquals("", run.out());
    }

    @Test
    void shouldFindNothingInTheSameResult() {
        var run = compare(old);
        assertEquals(0, run.exitCode(), run.err());
        assertFalse(run.out().contains("WORSE"), run.out());
        assertEquals("0 worse, 0 better, 6 the same within 5 %", run.lastLine());
    }

    @Test
    void shouldFailWhenAFigureIsWorseThanTheThreshold() throws IOException {
        var run = compareFactor(1.1);
        assertEquals(1, run.exitCode(), run.err());
        assertTrue(
                run.out()
                        .lines()
                        .anyMatch(line -> line.matches(" +64  p50 +us +500\\.\\d+ +55\\d\\.\\d+ +1\\.10\\d  WORSE")),
                run.out());
        assertEquals("4 worse, 0 better, 2 the same within 5 %", run.lastLine());
    }

    @Test
    void shouldTakeTheThresholdInPercent() throws IOException {
        for (String enough : List.of("15%", "15", "10.5 %", "200%")) {
            assertEquals(0, compareFactor(1.1, "--threshold", enough).exitCode(), enough);
        }
        assertEquals(1, compareFactor(1.1, "--threshold", "0%").exitCode());
        for (String wrong : List.of("", "%", "-5%", "five", "NaN", "1e3", "5%%", "1,5")) {
            var run = compareFactor(1.1, "--threshold=" + wrong);
            assertEquals(2, run.exitCode(), wrong);
            assertTrue(run.err().contains("--threshold"), run.err());
        }
    }

    @Test
    void shouldTellWhatIsBetter() throws IOException {
        var run = compareFactor(0.8);
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("0 worse, 4 better, 2 the same within 5 %", run.lastLine());
    }

    @Test
    void shouldKnowThatMoreBandwidthIsBetter() throws IOException {
        old = MadeUpRun.file(folder, "old.json", PerfTest.WRITE_BW, MadeUpRun.bandwidth(65536, 10));
        Path more = MadeUpRun.file(folder, "more.json", PerfTest.WRITE_BW, MadeUpRun.bandwidth(65536, 12));
        Path less = MadeUpRun.file(folder, "less.json", PerfTest.WRITE_BW, MadeUpRun.bandwidth(65536, 9));
        assertEquals(0, compare(more).exitCode());
        assertEquals(1, compare(less).exitCode());
        assertEquals(0, compare(less, "--metric", "cpu,allocated").exitCode());
    }

    @Test
    void shouldJudgeAtTheVeryThreshold() {
        assertEquals(Verdict.SAME, ResultComparison.judge(Metric.LATENCY_P50, 10, 10.5, 0.05, 1_000_000));
        assertEquals(Verdict.WORSE, ResultComparison.judge(Metric.LATENCY_P50, 10, 10.51, 0.05, 1_000_000));
        assertEquals(Verdict.SAME, ResultComparison.judge(Metric.BANDWIDTH_AVERAGE, 1000, 950, 0.05, 1_000_000));
        assertEquals(Verdict.WORSE, ResultComparison.judge(Metric.BANDWIDTH_AVERAGE, 1000, 949, 0.05, 1_000_000));
        assertEquals(Verdict.BETTER, ResultComparison.judge(Metric.BANDWIDTH_AVERAGE, 1000, 1051, 0.05, 1_000_000));
        assertEquals(Verdict.SAME, ResultComparison.judge(Metric.ALLOCATED, 0, 0.5, 0.05, 1_000_000));
        assertEquals(Verdict.WORSE, ResultComparison.judge(Metric.ALLOCATED, 0, 24, 0.05, 1_000_000));
        assertEquals(Verdict.WORSE, ResultComparison.judge(Metric.BANDWIDTH_AVERAGE, 1000, 0, 0.99, 1_000_000));
    }

    @Test
    void shouldNotJudgeWhatAShortRunCannotTell() {
        assertEquals(Verdict.UNCLEAR, ResultComparison.judge(Metric.CPU, 10, 30, 0.05, 1000)); // two ticks of 10 ms
        assertEquals(Verdict.WORSE, ResultComparison.judge(Metric.CPU, 10, 30, 0.05, 10_000));
        assertEquals(Verdict.UNCLEAR, ResultComparison.judge(Metric.ALLOCATED, 0, 24, 0.05, 1000));
        assertEquals(Verdict.UNCLEAR, ResultComparison.judge(Metric.CPU, 0.602, 1.2, 0.05, 1000));
        assertEquals(Verdict.SAME, ResultComparison.judge(Metric.CPU, 0.602, 0.603, 0.05, 1000));
    }

    @Test
    void shouldNotJudgeTheLuckOfAFewSamples() throws IOException {
        Path now = edited(document -> latency(document).put("p99.9", 5000.0)); // of 1000 samples
        assertEquals(0, compare(now).exitCode());
        assertEquals(1, compare(now, "--metric", "p99.9").exitCode());
        assertTrue(Metric.LATENCY_P99_9.isToldBy(10_000));
    }

    @Test
    void shouldRemarkThatARunEndedEarly() throws IOException {
        Path now = edited(document -> document.put("error", "the peer is gone"));
        assertTrue(compare(now).out().contains("note: the new run ended early: the peer is gone"));
    }

    @Test
    void shouldPrintNothingThatCommandsTheTerminal() throws IOException {
        Path now = edited(document -> {
            document.put("error", "a\u001b[2Jb\nc");
            object(document, "environment").put("device\u0007", "\u009b31m");
        });
        String out = compare(now).out();
        assertTrue(out.contains("ended early: a?[2Jb?c"), out);
        assertTrue(out.contains("environment device? differs: - and ?31m"), out);
    }

    @Test
    void shouldJudgeTheLargestSampleOnlyWhenAsked() throws IOException {
        Path now = edited(document -> latency(document).put("max", 5000.0));
        assertEquals(0, compare(now).exitCode());
        assertTrue(compare(now).out().contains("(not judged)"));
        assertEquals(1, compare(now, "--metric", "p50,max").exitCode());
        assertEquals(2, compare(now, "--metric", "p51").exitCode());
    }

    @Test
    void shouldRemarkWhatElseDiffers() throws IOException {
        Path now = edited(document -> {
            object(document, "parameters").put("txDepth", 2.0);
            object(document, "environment").put("device", "mlx5_0");
        });
        var run = compare(now);
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("note: parameter txDepth differs: 1 and 2"), run.out());
        assertTrue(run.out().contains("note: environment device differs: rxe0 and mlx5_0"), run.out());
    }

    @Test
    void shouldCompareTheSizesThatBothHave() throws IOException {
        Path now = MadeUpRun.file(
                folder, "new.json", PerfTest.SEND_LAT, MadeUpRun.latency(8, 1), MadeUpRun.latency(64, 1));
        var run = compare(now);
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("only the new result has the sizes 8"), run.out());
    }

    @Test
    void shouldWriteTheComparisonAsJson() throws IOException {
        var run = compareFactor(1.1, "--json");
        assertEquals(1, run.exitCode());
        Map<?, ?> document = (Map<?, ?>) Json.read(run.out());
        assertEquals(true, document.get("worse"));
        assertEquals(0.05, document.get("threshold"));
        Map<?, ?> first = (Map<?, ?>) ((List<?>) document.get("figures")).getFirst();
        assertEquals("min", first.get("metric"));
        assertEquals("shown", first.get("verdict"));
    }

    @Test
    void shouldSayWhyFilesCannotBeCompared() throws IOException {
        assertUnusable(folder.resolve("none.json"), "none.json does not exist");
        assertUnusable(folder, "is no file");
        assertUnusable(
                Files.writeString(folder.resolve("a"), ""), "is no JSON: line 1, column 1: the document ends too");
        assertUnusable(Files.writeString(folder.resolve("a"), "{\"format\": oops}"), "is no JSON: line 1, column 12");
        assertUnusable(Files.write(folder.resolve("a"), new byte[] {(byte) 0xff, 0}), "not text in UTF-8");
        assertUnusable(Files.writeString(folder.resolve("a"), "[1, 2]"), "is no result of 'verbena perf --json'");
        assertUnusable(Files.writeString(folder.resolve("a"), "{\"devices\": []}"), "is no result of");
        assertUnusable(edited(document -> document.put("formatVersion", 2)), "version 2, this one reads 1");
        assertUnusable(
                MadeUpRun.file(folder, "a", PerfTest.WRITE_LAT, MadeUpRun.latency(64, 1)),
                "the tests differ: send-lat and write-lat");
        assertUnusable(MadeUpRun.file(folder, "a", PerfTest.SEND_LAT, MadeUpRun.latency(32, 1)), "sizes [64] and [32]");
        assertUnusable(MadeUpRun.file(folder, "a", PerfTest.SEND_LAT), "sizes [64] and []");
        assertUnusable(
                MadeUpRun.file(folder, "a", PerfTest.SEND_LAT, MadeUpRun.latency(64, 1), MadeUpRun.latency(64, 1)),
                "has the size 64 twice");
    }

    @Test
    void shouldNameTheFieldThatIsWrong() throws IOException {
        assertUnusable(edited(document -> document.remove("results")), "results is no list");
        assertUnusable(edited(document -> document.put("results", List.of(7))), "something else");
        assertUnusable(edited(document -> document.put("environment", "x")), "environment is no object");
        assertUnusable(edited(document -> document.put("test", 5)), "test is no text");
        assertUnusable(edited(document -> latency(document).put("p50", "fast")), "latencyUs.p50 is no number");
        assertUnusable(edited(document -> latency(document).put("p50", -1)), "latencyUs.p50 is no number from 0");
        assertUnusable(edited(document -> latency(document).put("p50", 1e300)), "latencyUs.p50 is no number");
        assertUnusable(edited(document -> result(document).put("latencyUs", List.of())), "something else");
        assertUnusable(edited(document -> result(document).remove("bytes")), "bytes is missing");
        assertUnusable(
                edited(document -> object(result(document), "latencyCurve").put("us", List.of(1))),
                "percentiles for 1");
    }

    /// Characters replaced at random: a result or one line that says why not.
    @Test
    void shouldWithstandDamagedFiles() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String whole = Files.readString(old);
        SavedResult before = SavedResult.read(old);
        for (int i = 0; i < 500; i++) {
            StringBuilder damaged = new StringBuilder(whole);
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                damaged.setCharAt(random.nextInt(damaged.length()), "0519-.e\"{}[],: xÿ".charAt(random.nextInt(17)));
            }
            Path now = Files.writeString(folder.resolve("new.json"), damaged);
            try {
                SavedResult after = SavedResult.read(now);
                ResultComparison.of(before, after, 0.05, (metric, samples) -> true);
                Plot.text(Plot.Kind.SVG, List.of(before, after));
            } catch (ProgramException e) {
                assertEquals(1, e.getMessage().lines().count(), () -> "seed " + seed + ": " + e);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private Path edited(Consumer<Map<String, Object>> change) throws IOException {
        Map<String, Object> document = copy(Json.read(Files.readString(old)));
        change.accept(document);
        return Files.writeString(folder.resolve("edited.json"), Json.write(document));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> copy(Object object) {
        return (Map<String, Object>) object;
    }

    private static Map<String, Object> object(Map<String, Object> document, String name) {
        return copy(document.get(name));
    }

    private static Map<String, Object> result(Map<String, Object> document) {
        return copy(((List<?>) document.get("results")).getFirst());
    }

    private static Map<String, Object> latency(Map<String, Object> document) {
        return object(result(document), "latencyUs");
    }
}
