package io.verbena.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Report report = new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    private List<Message> sent() {
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> Message.parse("client", line).orElseThrow())
                .toList();
    }

    @Test
    void shouldHoldEventsBackUntilTheStepIsOver() {
        report.event("post %s", "SEND");
        assertTrue(sent().isEmpty());
        report.step("next");
        assertEquals(
                List.of(Report.Kind.EVENT, Report.Kind.FLUSHED, Report.Kind.STEP),
                sent().stream().map(Message::kind).toList());
    }

    @Test
    void shouldCarryHistogramsFromChildToParent() {
        Histogram histogram = new Histogram(3);
        histogram.recordValue(7_000);
        histogram.recordValue(9_000);
        report.histogram("verbena", histogram);
        var results = new Results();
        sent().forEach(results::onMessage);
        assertEquals(7.0, results.microseconds("verbena")[0], 0.01);
        assertEquals(9.0, results.microseconds("verbena")[4], 0.01);
    }

    @Test
    void shouldCompareTheRowsThatAreShown() {
        var results = new Results();
        for (double[] pair : new double[][] {{1, 2}, {3, 3}, {4, 2}}) {
            report.value("verbena GB/s", pair[0]);
            report.value("datagrams GB/s", pair[1]);
        }
        sent().forEach(results::onMessage);
        assertEquals(1.5, results.bandwidthRatio());
        assertEquals(2.0, results.bandwidth("datagrams"));
        assertEquals(3.0, results.bandwidth("verbena"));
    }

    @Test
    void shouldJudgeTheGoalsByTheRatios() {
        assertTrue(judged(8_000, 9_000, 1.0, 1.2));
        assertFalse(judged(9_100, 9_000, 1.0, 1.2), "slower than TCP");
        assertFalse(judged(8_000, 9_000, 0.7, 1.0), "less than 0.8 of the datagrams");
    }

    @Test
    void shouldShowBothWaysOfTheRoundTripsAndOfTheStream() {
        Results shared = measured("shared memory", 1_000, 12.5);
        Results udp = measured("UDP", 9_000, 2.25);
        var text = new StringWriter();
        new ResultTable(new PrintWriter(text, true), shared, udp).print(new PeerOptions(1, 1, 1 << 20, 1, 0));
        for (String row : List.of(
                "Verbena SEND, shared memory +\\d.*",
                "Verbena SEND, UDP +\\d.*",
                "1 MiB RDMA WRITE, shared memory +12\\.50",
                "1 MiB RDMA WRITE, UDP +2\\.25")) {
            assertEquals(
                    1,
                    text.toString()
                            .lines()
                            .filter(line -> line.strip().matches(row))
                            .count(),
                    text.toString());
        }
    }

    private Results measured(String path, long roundTripNs, double gigabytesPerSecond) {
        bytes.reset();
        report.send(Report.Kind.PATH, path);
        for (String name : List.of("verbena", "tcp")) {
            Histogram histogram = new Histogram(3);
            histogram.recordValue(roundTripNs);
            report.histogram(name, histogram);
        }
        report.value("verbena GB/s", gigabytesPerSecond);
        report.value("datagrams GB/s", 1);
        report.value("datagram window", 8);
        var results = new Results();
        sent().forEach(results::onMessage);
        return results;
    }

    private boolean judged(long verbenaNs, long tcpNs, double verbenaGBps, double datagramsGBps) {
        bytes.reset();
        for (var round : Map.of("verbena", verbenaNs, "tcp", tcpNs).entrySet()) {
            Histogram histogram = new Histogram(3);
            histogram.recordValue(round.getValue());
            report.histogram(round.getKey(), histogram);
        }
        report.value("verbena GB/s", verbenaGBps);
        report.value("datagrams GB/s", datagramsGBps);
        var results = new Results();
        sent().forEach(results::onMessage);
        return results.meetsGoals();
    }

    @Test
    void shouldPassOnWhatIsNoReport() {
        assertTrue(Message.parse("client", "hello").isEmpty());
        assertTrue(Message.parse("client", Report.MARK + "\tNO_SUCH_KIND").isEmpty());
    }

    @Test
    void shouldTellAFailureInOneLine() {
        report.failed(new IllegalStateException("first\n  second\tthird"));
        assertEquals(
                "IllegalStateException: first; second third", sent().getLast().text(0));
    }

    @Test
    void shouldShowEventsOfBothSidesInTheOrderOfTime() {
        var text = new StringWriter();
        var timeline = new Timeline(new PrintWriter(text, true));
        timeline.onMessage(new Message("client", Report.Kind.EVENT, List.of("3000000", "third")));
        timeline.onMessage(new Message("client", Report.Kind.EVENT, List.of("1000000", "first")));
        timeline.onMessage(new Message("client", Report.Kind.FLUSHED, List.of("3500000")));
        assertEquals("", text.toString());
        timeline.onMessage(new Message("server", Report.Kind.EVENT, List.of("2000000", "second")));
        timeline.onMessage(new Message("server", Report.Kind.FLUSHED, List.of("2500000")));
        assertFalse(text.toString().contains("third"));
        timeline.finish();
        List<String> words = text.toString().lines().map(String::strip).toList();
        assertEquals("0.000  client  first", words.get(0));
        assertEquals("1.000  server  second", words.get(1));
        assertEquals("2.000  client  third", words.get(2));
    }

    @Test
    void shouldSayWhatAStepIsForOnceOnly() {
        var notes = new StepNotes();
        assertEquals("a place for a message, before it can come", notes.next("post RECEIVE for 16 bytes"));
        assertEquals("", notes.next("post RECEIVE for 16 bytes"));
        assertEquals("", notes.next("something else"));
    }

    @Test
    void shouldLeaveOutFurtherRounds() {
        var notes = new StepNotes();
        String round = "64 RDMA WRITEs of 1 MiB, 8.92 GB/s";
        assertFalse(notes.isFurtherRound(round));
        notes.next(round);
        assertTrue(notes.isFurtherRound("64 RDMA WRITEs of 1 MiB, 7.14 GB/s"));
        assertFalse(notes.isFurtherRound("4,096 bytes: wrong from byte 7 on"));
        assertFalse(notes.isFurtherRound("post RDMA WRITE, 10,000 bytes"));
    }

    @Test
    void shouldFindAnyWrongByte() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(1003);
            Pattern.fill(memory, 5);
            assertEquals(-1, Pattern.mismatch(memory, 5));
            assertEquals(0, Pattern.mismatch(memory, 6));
            for (long at : new long[] {0, 511, 999, 1002}) {
                byte before = memory.get(ValueLayout.JAVA_BYTE, at);
                memory.set(ValueLayout.JAVA_BYTE, at, (byte) (before + 1));
                long found = Pattern.mismatch(memory, 5);
                assertTrue(found >= 0 && found <= at && found > at - 8, at + " found at " + found);
                memory.set(ValueLayout.JAVA_BYTE, at, before);
            }
        }
    }
}
