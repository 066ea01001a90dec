package io.verbena.tools.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Axis;
import io.verbena.tools.perf.PerfTest;
import io.verbena.tools.program.ProgramException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PlotTest {
    private static final List<SavedResult> LATENCIES = List.of(
            MadeUpRun.saved("old", PerfTest.SEND_LAT, MadeUpRun.realLatency(64, 5, 100_000, 1)),
            MadeUpRun.saved("new", PerfTest.SEND_LAT, MadeUpRun.realLatency(64, 4, 100_000, 2)));

    private static Document parsed(String xml) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        var builder = factory.newDocumentBuilder();
        builder.setErrorHandler(null);
        return builder.parse(new InputSource(new StringReader(xml)));
    }

    private static String svg(List<SavedResult> results) {
        return Plot.text(Plot.Kind.SVG, results);
    }

    private static List<String> texts(Document document, String element) {
        NodeList nodes = document.getElementsByTagName(element);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> nodes.item(i).getTextContent())
                .toList();
    }

    private static SavedResult sweep(String name, PerfTest test, double factor) {
        List<Measurement> sizes = new ArrayList<>();
        for (int bytes = 2; bytes <= 1 << 23; bytes *= 2) {
            sizes.add(
                    test.isLatency()
                            ? MadeUpRun.latency(bytes, factor + bytes / 1e4)
                            : MadeUpRun.bandwidth(bytes, factor * 1e6 / (100 + bytes)));
        }
        return MadeUpRun.saved(name, test, sizes.toArray(Measurement[]::new));
    }

    @Test
    void shouldDrawWellFormedXmlWithTheMarkedPercentiles() throws Exception {
        Document svg = parsed(svg(LATENCIES));
        assertEquals("svg", svg.getDocumentElement().getTagName());
        List<String> titles = texts(svg, "title");
        for (String label : List.of("p50", "p90", "p99", "p99.9", "max")) {
            assertTrue(titles.stream().anyMatch(title -> title.startsWith("new 64 B, " + label + ": ")), label);
        }
        assertTrue(texts(svg, "text")
                .containsAll(List.of("0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %")));
        assertTrue(texts(svg, "text").stream().anyMatch(text -> text.startsWith("latency in µs")));
    }

    @Test
    void shouldPutEveryPointInsideTheChart() throws Exception {
        for (List<SavedResult> results : List.of(
                LATENCIES,
                List.of(sweep("a", PerfTest.WRITE_BW, 1), sweep("b", PerfTest.WRITE_BW, 2)),
                List.of(sweep("a", PerfTest.READ_LAT, 1)),
                List.of(MadeUpRun.saved("one", PerfTest.SEND_BW, MadeUpRun.bandwidth(1, 1))))) {
            NodeList circles = parsed(svg(results)).getElementsByTagName("circle");
            assertTrue(circles.getLength() > 0);
            for (int i = 0; i < circles.getLength(); i++) {
                var attributes = circles.item(i).getAttributes();
                double x = Double.parseDouble(attributes.getNamedItem("cx").getNodeValue());
                double y = Double.parseDouble(attributes.getNamedItem("cy").getNodeValue());
                assertTrue(x >= 92 && x <= 720 && y >= 72 && y <= 72 + 300, x + " " + y);
            }
        }
    }

    @Test
    void shouldDrawBandwidthAtItsSizeAndHeight() throws Exception {
        // 1000 messages a second of 1 MiB: average 1000 MiB/s, peak 2000
        Document svg = parsed(svg(List.of(MadeUpRun.saved(
                "x", PerfTest.WRITE_BW, MadeUpRun.bandwidth(1 << 20, 1), MadeUpRun.bandwidth(1 << 10, 1024)))));
        List<String> titles = texts(svg, "title");
        assertTrue(titles.contains("average, 1 MiB: 1000 MiB/s"), titles.toString());
        assertTrue(titles.contains("peak, 1 KiB: 2000 MiB/s"), titles.toString());
        var circle = svg.getElementsByTagName("circle").item(1).getAttributes();
        assertEquals("720", circle.getNamedItem("cx").getNodeValue()); // the larger size, at the right end
        assertEquals("222", circle.getNamedItem("cy").getNodeValue()); // half of 2000, at half the height
    }

    @Test
    void shouldLeaveOutCurvesThatNobodyCouldTellApart() throws Exception {
        Document svg = parsed(svg(List.of(sweep("a", PerfTest.SEND_LAT, 1))));
        List<String> texts = texts(svg, "text");
        assertTrue(texts.stream().anyMatch(text -> text.contains("13 more sizes are left out here")), texts.toString());
        assertTrue(texts.stream().anyMatch(text -> text.endsWith("latency by size of message")), texts.toString());
        assertTrue(texts(svg, "title").stream().anyMatch(title -> title.startsWith("p99, 8 MiB: ")));
    }

    @Test
    void shouldStandAloneOnLightAndDarkScreens() throws Exception {
        for (Plot.Kind kind : Plot.Kind.values()) {
            String text = Plot.text(kind, LATENCIES);
            assertTrue(text.contains("@media (prefers-color-scheme: dark)"), text);
            assertFalse(text.contains("<script"), text);
            assertFalse(
                    Pattern.compile("(href|src)=|url\\(|@import").matcher(text).find(), text);
            parsed(text);
        }
    }

    @Test
    void shouldListTheFiguresOnThePage() throws Exception {
        Document page = parsed(
                Plot.text(Plot.Kind.HTML, List.of(MadeUpRun.saved("x", PerfTest.READ_LAT, MadeUpRun.latency(64, 1)))));
        List<String> cells = texts(page, "td");
        assertEquals("64", cells.getFirst());
        assertTrue(cells.contains("500.2"), cells.toString()); // p50: three digits of a histogram
    }

    @Test
    void shouldEscapeNamesFromFilesAndDevices() throws Exception {
        var run = MadeUpRun.of(PerfTest.SEND_LAT, 0, "<rxe & \"0\u0001\ud800>");
        String name = "</style><script>alert(1)</script>" + "long".repeat(50);
        var document = ResultDocument.of(PerfTest.SEND_LAT, run, List.of(MadeUpRun.latency(64, 1)), "UDP", null);
        var result = SavedResult.of(name, name, document);
        for (Plot.Kind kind : Plot.Kind.values()) {
            String text = Plot.text(kind, List.of(result, result.withName("other")));
            assertFalse(text.contains("<script"), text);
            parsed(text);
        }
    }

    @Test
    void shouldDrawEveryRangeOfValues() throws Exception {
        for (double factor : new double[] {1e-3, 1, 1e6}) {
            parsed(svg(List.of(MadeUpRun.saved("x", PerfTest.SEND_LAT, MadeUpRun.latency(1, factor)))));
            String svg = svg(List.of(MadeUpRun.saved("x", PerfTest.SEND_BW, MadeUpRun.bandwidth(0, factor))));
            assertFalse(svg.contains("NaN") || svg.contains("\"-\"") || svg.contains("Infinity"), svg);
        }
        assertThrows(ProgramException.class, () -> svg(List.of(MadeUpRun.saved("x", PerfTest.SEND_BW))));
    }

    @Test
    void shouldDrawValuesThatNoClockTells() {
        for (double least : new double[] {0, Double.MIN_VALUE, 1e-300}) {
            for (Axis axis : List.of(Axis.linear("x", least), Axis.logarithmic("x", least, least))) {
                double place = axis.place().applyAsDouble(least);
                assertTrue(place >= 0 && place <= 1, axis.label() + " " + least + " at " + place);
                assertTrue(axis.ticks().size() < 20, axis.ticks()::toString);
            }
        }
    }

    @Test
    void shouldBeTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        String svg = svg(LATENCIES);
        try {
            for (String tag : List.of("de-DE", "ar-EG-u-nu-arab", "tr-TR", "hi-IN-u-nu-deva")) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                assertEquals(svg, svg(LATENCIES), tag);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldKnowTheKindByTheName() {
        assertEquals(Plot.Kind.SVG, Plot.kind(Path.of("a.SVG")).orElseThrow());
        assertEquals(Plot.Kind.HTML, Plot.kind(Path.of("b/c.html")).orElseThrow());
        assertTrue(Plot.kind(Path.of("svg")).isEmpty());
        assertTrue(Plot.kind(Path.of("/")).isEmpty());
    }

    @Test
    void shouldWriteTheFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("ü.svg");
        Plot.write(file, LATENCIES);
        parsed(Files.readString(file));
    }
}
