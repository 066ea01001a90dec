package io.verbena.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.run.Goals;
import io.verbena.report.Axis;
import io.verbena.report.Json;
import io.verbena.report.Scale;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class BenchReportTest {
    private static final List<String> KEYS = List.of("goal", "ours", "peer", "unit", "ratio", "target", "met");

    private final BenchReport report = MadeUpReport.make();

    @Test
    void shouldWriteAnArrayWithOneObjectForEachGoal() {
        List<?> goals = assertInstanceOf(List.class, Json.read(JsonReport.goals(report)));
        assertEquals(Goals.ALL.size(), goals.size());
        for (Object one : goals) {
            Map<?, ?> goal = assertInstanceOf(Map.class, one);
            assertTrue(goal.keySet().containsAll(KEYS), goal.keySet().toString());
            assertInstanceOf(String.class, goal.get("goal"));
            assertInstanceOf(Double.class, goal.get("target"));
            boolean met = assertInstanceOf(Boolean.class, goal.get("met"));
            if (goal.containsKey("skipped")) {
                assertNull(goal.get("ratio"));
                assertFalse(met);
                assertEquals(true, goal.get("skipped"));
                String why = goal.get("why").toString();
                assertTrue(why.contains("apt install") || why.startsWith("not judged: plain copies"), why);
            } else if (!goal.get("unit").equals("B/msg")) { // what a message allocates has no peer
                assertInstanceOf(Double.class, goal.get("ratio"));
                assertInstanceOf(Double.class, goal.get("ours"));
                assertInstanceOf(Double.class, goal.get("peer"));
            }
        }
        Map<?, ?> direct = (Map<?, ?>) goals.get(5);
        assertEquals(4, assertInstanceOf(List.class, direct.get("parts")).size());
    }

    @Test
    void shouldWriteEverythingToTheSecondFile() {
        Map<?, ?> all = assertInstanceOf(Map.class, Json.read(JsonReport.everything(report)));
        assertEquals(report.records().cells().size(), ((List<?>) all.get("measurements")).size());
        assertEquals(7.0, all.get("rounds"));
        assertTrue(all.containsKey("machine") && all.containsKey("skipped"));
    }

    @Test
    void shouldDrawOneBarForEachContestantWithAResult() {
        String picture = Picture.of(report.records());
        assertEquals(3 + 4 + 2 + 3 - 1, count("class=\"value\"", picture), "Aeron has no result");
        assertEquals(4, count("class=\"ours\"", picture));
        assertEquals(4, count("class=\"title\"", picture));
        assertFalse(picture.contains("Aeron"), picture);
        assertFalse(picture.contains("NaN"), picture);
    }

    private static int count(String part, String text) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void shouldEndWithTheGoals() {
        String text = TextReport.of(report);
        assertTrue(
                text.stripTrailing()
                        .endsWith(report.met() + " of " + (Goals.ALL.size() - 3) + " goals measured met, 3 skipped"),
                text);
        assertTrue(text.contains("against Aeron IPC: Aeron IPC: <apt install \"aeron\">"), text);
        assertTrue(text.contains("line ns"), text);
    }

    @Test
    void shouldSayHowManyGoalsWereLeftOut() {
        BenchReport some = MadeUpReport.make(Goals.ALL.subList(0, 4));
        int leftOut = Goals.ALL.size() - 4;
        String end = some.met() + " of 3 goals measured met, " + leftOut + " left out, 1 skipped";
        List<String> lines = TextReport.of(some).lines().toList();
        assertEquals(end, lines.getLast());
        assertEquals(
                leftOut,
                lines.stream()
                        .filter(line -> line.endsWith(": left out by --only"))
                        .count());
        assertEquals(
                leftOut + 1,
                lines.stream().filter(line -> line.startsWith("skipped ")).count());
        assertTrue(HtmlReport.of(some).contains("<b>" + end + ".</b>"));
    }

    @Test
    void shouldDrawAPageThatNeedsNothingElse() throws Exception {
        String page = HtmlReport.of(report);
        assertFalse(page.contains("http:") || page.contains("https:") || page.contains("<script"), "it is all inside");
        assertTrue(page.contains("prefers-color-scheme: dark"));
        assertEquals(1 + Curves.values().length, pictures(page));
        for (String kind : List.of("class='good'", "class='bad'", "none-text")) {
            assertTrue(page.contains(kind), kind);
        }
    }

    /// Each is read as XML, which knows of every tag and every text that is not closed or not escaped.
    private static int pictures(String page) throws Exception {
        Matcher picture = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(page);
        int count = 0;
        while (picture.find()) {
            byte[] bytes = picture.group().getBytes(StandardCharsets.UTF_8);
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(bytes));
            assertFalse(picture.group().contains("NaN"), picture.group());
            count++;
        }
        return count;
    }

    @Test
    void shouldPlaceEqualFactorsAtEqualDistances() {
        Scale axis = Axis.logarithmic("", 1, 100).between(0, 200);
        assertEquals(100, axis.pixel(10), 1e-9);
        assertEquals(200, axis.pixel(1e6), "what is beyond stays at the edge");
        assertEquals(List.of(1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), axis.ticks());
    }
}
