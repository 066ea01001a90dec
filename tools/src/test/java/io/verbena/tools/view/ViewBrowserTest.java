package io.verbena.tools.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.CommandRun;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The page in a real browser, with the recorded troubles of the guide.
@Tag("slow")
class ViewBrowserTest {
    @TempDir
    private static Path folder;

    private static Chromium browser;

    @BeforeAll
    static void start() throws Exception {
        browser = Chromium.start(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    static Path troubles() {
        Path root = new File("").toPath().toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs/guide/troubles"))) {
            root = root.getParent();
        }
        return root.resolve("docs/guide/troubles");
    }

    private static Path page(String trouble) {
        List<String> arguments = new ArrayList<>();
        for (String end : List.of("-client.jsonl", "-server.jsonl", ".pcap")) {
            Path file = troubles().resolve(trouble + end);
            if (Files.exists(file)) {
                arguments.add(file.toString());
            }
        }
        Path page = folder.resolve(trouble + ".html");
        arguments.addAll(List.of("-o", page.toString(), "--no-open", "--title", trouble));
        CommandRun.assertDone(CommandRun.of("view", arguments.toArray(String[]::new)), "events");
        return page;
    }

    /// The first screen answers what went wrong, with which facts, and what to do; nothing was clicked.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    no-receive | The server never posts a receive | 0 posted when the request came | Post receives
                    wrong-key | The client posted rkey 0x63fe4779 | 0x63fe4679, 8192 bytes, LOCAL_WRITE REMOTE_WRITE | use it unchanged
                    overtaken | The client took the wrong completion | RECEIVE, wr_id 2, at 561.438 ms | Wait until both completions
                    peer-killed | The server was probably killed | sent 8 times, no answer | connect again when it is back
                    loss | 5 packets from the client to the server were lost | PSN 0, 1 and 3; PSN 6 and 7 when sent again | Find where packets are dropped
                    """)
    void shouldAnswerOnTheFirstScreen(String trouble, String what, String fact, String remedy) throws Exception {
        browser.open(page(trouble), 1280, 800, "light");
        assertEquals(1.0, browser.evaluate("document.querySelectorAll('.card').length"));
        String card = browser.text(".card");
        for (String words : List.of(what, fact, "What to do: ", remedy)) {
            assertTrue(card.contains(words), card);
        }
        assertEquals(
                true,
                browser.evaluate("document.querySelector('.card .step').getBoundingClientRect().bottom <= innerHeight"),
                "all of it and the first step are in sight");
    }

    /// The worst finding is open: the steps that led to it name the cause, and both sides are on the timeline.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    no-receive | The server's queue pair has 0 receives posted: nothing can take the message
                    wrong-key | The client posts RDMA WRITE wr_id 1 with rkey 0x63fe4779
                    overtaken | The trace ends: the completion of SEND wr_id 1 was not polled
                    peer-killed | The last line of the server's trace
                    loss | The server asks for PSN 0
                    """)
    void shouldLeadToTheCauseOfTheWorstFinding(String trouble, String cause) throws Exception {
        Path page = page(trouble);
        browser.open(page, 1280, 800, "light");
        assertTrue(browser.text(".card").contains(cause), browser.text(".card"));
        assertInSight("view.model.findings[0].steps.map(s => s.event)");
        assertFalse(browser.text("#summary").contains("only the lanes"), "all lanes have room");
        Object event = browser.evaluate("view.model.findings[0].event");
        assertEquals(event, browser.evaluate("view.chosen"));
        // a step leads to its event
        browser.click(".card .step");
        assertEquals(browser.evaluate("view.model.findings[0].steps[0].event"), browser.evaluate("view.chosen"));
        assertFalse(browser.evaluate("view.chosen").equals(event), "another event is chosen");
        assertEquals(
                true, browser.evaluate("document.querySelector('.card li > .step + #details') !== null"), "below it");
        assertEquals(List.of(), browser.requestsBeyond(page));
        assertEquals(List.of(), browser.complaints());
    }

    /// An event of no finding leaves it open: the reader compares what happened with what is around it.
    @Test
    void shouldKeepTheCardOpenUntilItIsClosed() throws Exception {
        browser.open(page("no-receive"), 1280, 800, "light");
        String steps = "document.querySelectorAll('.card .step').length";
        assertEquals(browser.evaluate("view.model.findings[0].steps.length"), browser.evaluate(steps));
        browser.evaluate("view.pick(0)");
        assertEquals(browser.evaluate("view.model.findings[0].steps.length"), browser.evaluate(steps));
        assertTrue(browser.text("#details").contains("Chosen: ibv_get_device_list, client: program"));
        browser.click(".card button");
        assertEquals(0.0, browser.evaluate(steps));
        assertTrue(browser.text("#details").contains("Chosen: ibv_get_device_list"), "the event stays chosen");
        browser.click(".card button");
        assertEquals(browser.evaluate("view.model.findings[0].steps.length"), browser.evaluate(steps));
        assertEquals(browser.evaluate("view.model.findings[0].event"), browser.evaluate("view.chosen"));
    }

    /// There the timeline is far below the card.
    @Test
    void shouldShowTheDetailsWhereTheReaderIsOnANarrowScreen() throws Exception {
        browser.open(page("no-receive"), 390, 844, "light");
        String isInCard = "document.querySelector('.card li > .step + #details') !== null";
        browser.click(".card .step");
        assertEquals(true, browser.evaluate(isInCard));
        browser.evaluate("view.pick(view.model.findings[0].steps[1].event)"); // as a click on the timeline does
        assertEquals(false, browser.evaluate(isInCard));
    }

    /// One digit of eight is easy to overlook.
    @Test
    void shouldMarkTheDigitsInWhichKeysDiffer() throws Exception {
        browser.open(page("wrong-key"), 1280, 800, "light");
        assertEquals(
                "7,6",
                browser.evaluate("[...document.querySelectorAll('.facts mark')].map(m => m.textContent).join()"));
    }

    /// The text of a completion that failed is long, and what helps is at its end.
    @Test
    void shouldShowTheWholeTextOfTheChosenRow() throws Exception {
        browser.open(page("wrong-key"), 1280, 800, "light");
        browser.await("document.querySelector('#rows tr.chosen') !== null");
        assertEquals(
                true,
                browser.evaluate(
                        "(() => { const c = document.querySelector('#rows tr.chosen').cells[3];"
                                + " return c.textContent.endsWith('right') && c.scrollWidth <= c.clientWidth && c.clientHeight > 30; })()"));
    }

    /// The peer may have died since its last line.
    @Test
    void shouldSayThatAStateIsTheLastKnownBehindTheEndOfATrace() throws Exception {
        browser.open(page("peer-killed"), 1280, 800, "light");
        assertTrue(browser.text("#details").contains("RTS (last known)"), browser.text("#details"));
    }

    @Test
    void shouldDrawWhatWasSentAgainOtherThanWhatIsBehindAGap() throws Exception {
        browser.open(page("loss"), 1280, 800, "light");
        String count = "Array.from(view.filter.shown).filter(i => %s(view.model, i)).length";
        assertEquals(3.0, browser.evaluate(count.formatted("isGap")));
        assertEquals(16.0, browser.evaluate(count.formatted("isHollow")));
    }

    /// Half a name at the edge reads like another one.
    @Test
    void shouldKeepNamesInsideTheTimelineWhileItMoves() throws Exception {
        browser.open(page("wrong-key"), 1280, 800, "light");
        browser.await("!view.timeline.pending");
        assertEquals(
                "",
                browser.evaluate("(() => { const t = view.timeline, cut = new Set();"
                        + " const painter = new CanvasPainter(t.canvas.getContext('2d'));"
                        + " for (let n = 0; n < 30; n++) { t.pan(n < 15 ? 13 : -26);"
                        + " for (const [, x, words] of t.svg().matchAll(/<text x=\"([\\d.-]+)\"[^>]*>([a-z]+_[a-z_]+)</g))"
                        + " if (x < t.labels || Number(x) + painter.width(words) > t.width) cut.add(words); }"
                        + " return [...cut].join(); })()"));
    }

    /// So that a reader finds the steps of the card on the timeline.
    @Test
    void shouldNumberTheStepsOnTheTimeline() throws Exception {
        browser.open(page("no-receive"), 1280, 800, "light");
        browser.await("!view.timeline.pending");
        String picture = String.valueOf(browser.evaluate("view.timeline.svg()"));
        double steps = (double) browser.evaluate("view.model.findings[0].steps.length");
        for (int number = 1; number <= steps; number++) {
            assertTrue(picture.contains(" font-weight=\"600\">" + number + "</text>"), number + " in " + picture);
        }
    }

    /// A call that succeeded must not look like the trouble because it is the last one.
    @Test
    void shouldSayWhereATraceEndsInsteadOfNamingItsLastCall() throws Exception {
        browser.open(page("peer-killed"), 1280, 800, "light");
        browser.await("!view.timeline.pending");
        assertTrue(String.valueOf(browser.evaluate("view.timeline.svg()")).contains(">trace ends</text>"));
    }

    /// The marks of all these events are drawn on the visible part of the timeline.
    private static void assertInSight(String events) throws Exception {
        browser.await("!view.timeline.pending");
        assertEquals(
                "",
                browser.evaluate(events + ".filter(i => { const t = view.timeline, x = t.x(t.at(i)), y = t.y(i);"
                        + " return x < t.labels || x > t.width || y < 24 || y > t.height; }).join()"));
    }

    /// The SEND and the answer that overtook it are two requests, and one story.
    @Test
    void shouldShowTheOvertakenRequestWithItsAnswer() throws Exception {
        browser.open(page("overtaken"), 1280, 800, "light");
        // chosen in the list, without the finding
        browser.evaluate("view.pick(view.model.findings[0].event)");
        browser.press("o");
        String shown = "Array.from(view.filter.shown, i => nameOf(view.model, i) + ' ' + view.model.wrId[i])";
        assertTrue(String.valueOf(browser.evaluate(shown)).contains("ibv_post_send 1"), "the SEND");
        assertTrue(String.valueOf(browser.evaluate(shown)).contains("ibv_post_send 11"), "the answer");
        assertTrue(browser.text("#summary").contains("only what belongs together"), browser.text("#summary"));
        browser.press("Escape");
        List<Object> seen = new ArrayList<>();
        for (int step = 0; step < 12; step++) {
            browser.press("b");
        }
        for (int step = 0; step < 12; step++) {
            seen.add(browser.evaluate("textOf(view.model, view.chosen).replace(/.*(wr_id \\d+).*/, '$1')"));
            browser.press("f");
        }
        assertTrue(seen.containsAll(List.of("wr_id 1", "wr_id 2", "wr_id 10", "wr_id 11")), seen.toString());
    }

    /// The lanes of both sides are further apart than the screen is tall.
    @Test
    void shouldShowBothSidesOfAFindingAmongManyLanes() throws Exception {
        List<String> many = new ArrayList<>(Files.readAllLines(troubles().resolve("no-receive-client.jsonl")));
        long later = 1_794_996_990_000_000_000L;
        IntStream.range(0, 100).forEach(n -> many.add(line(later + n, 0x100000 + n, n)));
        Path client = Files.write(folder.resolve("many.jsonl"), many);
        Path page = folder.resolve("many.html");
        Path server = troubles().resolve("no-receive-server.jsonl");
        CommandRun.assertDone(
                CommandRun.of("view", client.toString(), server.toString(), "-o", page.toString(), "--no-open"));
        browser.open(page, 1280, 800, "light");
        assertInSight("view.model.findings[0].steps.map(s => s.event)");
        assertTrue(browser.text("#summary").contains("only the lanes of the finding"), browser.text("#summary"));
        browser.press("Escape");
        assertEquals(true, browser.evaluate("view.timeline.focus === null && view.timeline.rows.length > 100"));
    }

    /// The keys with their rights must not be cut off.
    @ParameterizedTest
    @CsvSource({"1280", "390"})
    void shouldShowTheRightsOfKeysAtAGlance(int width) throws Exception {
        browser.open(page("wrong-key"), width, 844, "light");
        assertTrue(browser.text("#details").contains("LOCAL_WRITE, REMOTE_WRITE"), browser.text("#details"));
        assertEquals(
                true,
                browser.evaluate(
                        "[...document.querySelectorAll('#details table')].every(t => t.scrollWidth <= t.clientWidth)"));
    }

    @Test
    void shouldSayThatNothingWasCaptured() throws Exception {
        browser.open(page("overtaken"), 1280, 800, "light");
        assertTrue(browser.text("#finding-list").contains("nothing was captured"), browser.text("#finding-list"));
        assertTrue(String.valueOf(browser.evaluate("view.timeline.svg()")).contains("no capture was given"));
    }

    @Test
    void shouldOpenAMillionEventsAndScrollThroughThem() throws Exception {
        int requests = 250_000;
        Path page =
                pageOfLines("million", IntStream.range(0, 4 * requests).mapToObj(n -> line(1000L * n, 17 + n % 4, n)));
        long start = System.nanoTime();
        browser.open(page, 1280, 800, "light");
        long openedMs = (System.nanoTime() - start) / 1_000_000;
        assertTrue(browser.text("#summary").startsWith("1000000 of 1000000 events"), browser.text("#summary"));
        assertTrue(openedMs < 5_000, openedMs + " ms to open");
        double slowestMs = ((Number)
                        browser.evaluate("(() => { let slowest = 0; const t = view.timeline, l = view.list;"
                                + " for (let n = 0; n < 20; n++) { const start = performance.now();"
                                + " l.scroller.scrollTop = n * 400000; l.paint(); t.pan(20); t.paintCanvas();"
                                + " slowest = Math.max(slowest, performance.now() - start); } return slowest; })()"))
                .doubleValue();
        assertTrue(slowestMs < 500, slowestMs + " ms for a frame");
        assertEquals(List.of(), browser.complaints());
    }

    @Test
    void shouldFollowARequestFromPostOverPacketsToItsEnd() throws Exception {
        Path page = page("no-receive");
        browser.open(page, 1280, 800, "light");
        int post = ((Number) browser.evaluate(
                        "Array.from(view.filter.shown).find(i => nameOf(view.model, i) === 'ibv_post_send')"))
                .intValue();
        // with the mouse, in the timeline
        List<?> at = (List<?>) browser.evaluate("(() => { const r = document.getElementById('canvas')"
                + ".getBoundingClientRect(), t = view.timeline; return [r.left + t.x(t.at(" + post + ")), r.top + t.y("
                + post + ")]; })()");
        browser.click(((Number) at.get(0)).doubleValue(), ((Number) at.get(1)).doubleValue());
        assertEquals(post, ((Number) browser.evaluate("view.chosen")).intValue());
        List<String> seen = new ArrayList<>();
        for (int step = 0; step < 20; step++) {
            seen.add(String.valueOf(browser.evaluate("nameOf(view.model, view.chosen)")));
            browser.press("f");
        }
        List<String> steps = seen.stream().distinct().toList();
        assertEquals(List.of("ibv_post_send", "SEND ONLY", "RNR NAK", "completion"), steps);
        assertTrue(browser.text("#details").contains("RNR retry counter exceeded"), browser.text("#details"));
    }

    @Test
    void shouldFollowARequestToWhatThePeerSaw() throws Exception {
        browser.open(page("overtaken"), 1280, 800, "light");
        browser.evaluate(
                "view.pick(Array.from(view.filter.shown).find(i => nameOf(view.model, i) === 'ibv_post_send'))");
        assertEquals("client: QP 0x2867", browser.evaluate("view.model.lanes[view.model.lane[view.chosen]].title"));
        browser.press("f");
        assertEquals("server: QP 0x15868", browser.evaluate("view.model.lanes[view.model.lane[view.chosen]].title"));
        assertEquals("RECEIVE", browser.evaluate("view.model.words[view.model.operation[view.chosen]]"));
        browser.press("f");
        assertEquals(
                "completion SUCCESS",
                browser.evaluate(
                        "nameOf(view.model, view.chosen) + ' ' + view.model.words[view.model.status[view.chosen]]"));
        browser.press("o");
        assertEquals(
                "client: QP 0x2867,server: QP 0x15868",
                browser.evaluate("view.timeline.rows.map(lane => view.model.lanes[lane].title).join()"));
    }

    private static void choose(String id, String value) throws Exception {
        browser.evaluate("(() => { const s = document.getElementById('" + id + "'); s.value = " + value
                + "; s.dispatchEvent(new Event('input')); })()");
    }

    @Test
    void shouldFilterByConnectionStatusLevelAndTime() throws Exception {
        browser.open(page("wrong-key"), 1280, 800, "light");
        choose("by-qp", "[...s.options].find(o => o.text.includes('↔')).value");
        assertEquals(
                "23508,236473",
                browser.evaluate(
                        "[...new Set(Array.from(view.filter.shown, i => view.model.qp[i]))].sort((a, b) => a - b).join()"));
        choose("by-status", "[...s.options].find(o => o.text === 'REMOTE_ACCESS_ERROR').value");
        assertEquals(1.0, browser.evaluate("view.filter.shown.length"));
        browser.click("#more-filters summary");
        browser.click("#clear");
        choose("by-level", "'3'");
        assertEquals(true, browser.evaluate("Array.from(view.filter.shown).every(i => view.model.level[i] === 3)"));
        assertEquals(3.0, browser.evaluate("view.filter.shown.length"));
        browser.press("Escape");
        choose("by-from", "'60'");
        choose("by-to", "'130'");
        assertEquals(
                "ibv_post_send,RDMA WRITE ONLY,NAK REMOTE ACCESS",
                browser.evaluate("Array.from(view.filter.shown, i => nameOf(view.model, i)).join()"));
    }

    @Test
    void shouldFilterSearchAndClear() throws Exception {
        browser.open(page("loss"), 1280, 800, "dark");
        double all = (double) browser.evaluate("view.filter.shown.length");
        browser.evaluate("(() => { const s = document.getElementById('by-operation'); s.value = [...s.options]"
                + ".find(o => o.text === 'RDMA_WRITE').value; s.dispatchEvent(new Event('input')); })()");
        assertEquals(
                true,
                browser.evaluate("Array.from(view.filter.shown).every(i =>"
                        + " view.model.words[view.model.operation[i]] === 'RDMA_WRITE')"));
        double writes = (double) browser.evaluate("view.filter.shown.length");
        assertTrue(writes > 0 && writes < all, writes + " of " + all);
        assertTrue(browser.text("#summary").startsWith((int) writes + " of " + (int) all), browser.text("#summary"));
        browser.press("Escape");
        assertEquals(all, browser.evaluate("view.filter.shown.length"));
        browser.press("/");
        for (String letter : "ibv_reg_mr".split("")) {
            browser.press(letter);
        }
        assertEquals(2.0, browser.evaluate("view.filter.shown.length"));
        // also in the field
        browser.press("Escape");
        assertEquals(all, browser.evaluate("view.filter.shown.length"));
        assertEquals("", browser.evaluate("document.getElementById('by-text').value"));
    }

    @ParameterizedTest
    @CsvSource({"psn=3, 1", "psn=0x3, 1", "psn=3j, 0"})
    void shouldTakeWholeNumbersOnly(String words, double count) throws Exception {
        browser.open(page("loss"), 1280, 800, "light");
        browser.evaluate("(() => { const f = document.getElementById('by-text'); f.value = '" + words
                + "'; f.dispatchEvent(new Event('input')); })()");
        assertEquals(count, browser.evaluate("view.filter.shown.length"));
        browser.await("document.getElementById('nothing').hidden === " + (count != 0)); // with the next frame
    }

    @Test
    void shouldShowOneRequestOnBothSides() throws Exception {
        browser.open(page("no-receive"), 1280, 800, "light");
        browser.click("#finding-list button");
        browser.press("o");
        assertEquals(
                "ibv_modify_qp,ibv_post_send,SEND ONLY,RNR NAK,completion",
                browser.evaluate("[...new Set(Array.from(view.filter.shown, i => nameOf(view.model, i)))].join(',')"));
        browser.press("+");
        browser.press("+");
        assertEquals(
                true,
                browser.evaluate("(() => { const t = view.timeline, x = t.x(t.at(view.chosen));"
                        + " return x >= t.labels && x <= t.width; })()"),
                "the chosen event stays in sight");
    }

    @Test
    void shouldSaveWhatIsSeen() throws Exception {
        Path page = page("wrong-key");
        browser.open(page, 1280, 800, "light");
        browser.downloadTo(folder);
        browser.press("e");
        Path saved = folder.resolve("wrong-key.svg");
        long end = System.nanoTime() + 20_000_000_000L;
        while (!Files.exists(saved)) {
            assertTrue(System.nanoTime() < end, "nothing was saved");
            Thread.sleep(20);
        }
        String picture = Files.readString(saved);
        assertTrue(picture.startsWith("<svg") && picture.strip().endsWith("</svg>"), picture);
        assertTrue(picture.contains("REMOTE ACCESS ERROR"), picture);
        assertEquals(List.of(), browser.requestsBeyond(page));
    }

    private static Path pageOfLines(String name, Stream<String> lines) throws Exception {
        Path trace = Files.write(folder.resolve(name + ".jsonl"), (Iterable<String>) lines::iterator);
        Path page = folder.resolve(name + ".html");
        CommandRun.assertDone(CommandRun.of("view", trace.toString(), "-o", page.toString(), "--no-open"), "events");
        return page;
    }

    private static String line(long timeNs, long qp, long wrId) {
        return "{\"timeNs\": %d,\"role\": \"client\",\"kind\": \"call\",\"verb\": \"ibv_post_recv\",\"text\": \"wr_id %d\","
                        .formatted(timeNs, wrId)
                + "\"details\": {\"qp\": %d,\"wr_id\": %d}}".formatted(qp, wrId);
    }

    /// Browsers draw nothing on a canvas that is taller than 32,767 pixels.
    @Test
    void shouldDrawTheLanesInSightOfMany() throws Exception {
        int lanes = 70_000;
        Path page = pageOfLines("lanes", IntStream.range(0, lanes).mapToObj(n -> line(n, n, n)));
        browser.open(page, 1280, 800, "light");
        assertEquals(true, browser.evaluate("view.timeline.canvas.height <= innerHeight"));
        browser.evaluate("view.timeline.zoom(1e-9)"); // few events in sight: each has a mark
        for (int event : List.of(0, lanes - 1)) {
            browser.evaluate("view.pick(" + event + ")");
            browser.await("view.timeline.top === view.timeline.scroller.scrollTop && !view.timeline.pending");
            assertEquals((double) event, browser.evaluate("view.model.lane[" + event + "]"));
            // read from a copy: the browser complains about a canvas that is read more than once
            List<?> pixel = (List<?>) browser.evaluate("(() => { const t = view.timeline, i = " + event
                    + ", c = new OffscreenCanvas(1, 1).getContext('2d');"
                    + " c.drawImage(t.canvas, -Math.round(t.x(t.at(i)) - 3), -Math.round(t.y(i) + 2));"
                    + " return Array.from(c.getImageData(0, 0, 1, 1).data); })()");
            assertEquals(
                    List.of(0x37, 0x67, 0xb1, 0xff),
                    pixel.stream().map(each -> ((Number) each).intValue()).toList());
            assertEquals(
                    (double) event,
                    browser.evaluate("(() => { const t = view.timeline, i = " + event
                            + "; return t.eventAt(t.x(t.at(i)), t.y(i)); })()"));
        }
        assertEquals(List.of(), browser.complaints());
    }

    @Test
    void shouldShowTheQueuePairOfTheChosenEventFirstAmongMany() throws Exception {
        browser.open(pageOfLines("pairs", IntStream.range(0, 100).mapToObj(n -> line(n, n, n))), 1280, 800, "light");
        browser.evaluate("view.pick(70)");
        assertEquals(
                "client: QP 0x46",
                browser.evaluate("document.querySelector('#details table').rows[1].cells[0].textContent"));
        assertTrue(browser.text("#details").contains("and 51 more"), browser.text("#details"));
    }

    /// Far from the start, numbers of the axis are further apart than its ticks.
    @Test
    void shouldDrawTheAxisBetweenEventsThatAreDecadesApart() throws Exception {
        long now = 1_794_996_968_751_365_939L;
        Path page = pageOfLines("decades", Stream.of(line(0, 17, 1), line(now, 17, 2)));
        browser.open(page, 2560, 800, "light");
        browser.evaluate("(() => { const t = view.timeline; t.setAxis(false); t.zoom(1e-18, t.x(t.last)); })()");
        browser.await("!view.timeline.pending");
        assertEquals(true, browser.evaluate("view.timeline.to - view.timeline.from < 2000"));
    }

    @Test
    void shouldFindRequestNumbersOfAllBits() throws Exception {
        long large = (1L << 53) + 1;
        Path page = pageOfLines("numbers", Stream.of(line(1, 17, large), line(2, 17, large - 1), line(3, 17, -1)));
        browser.open(page, 1280, 800, "light");
        for (String words : List.of("wr_id " + large, "wr_id -1")) {
            browser.evaluate("(() => { view.filter.text = '" + words + "'; view.refilter(); })()");
            assertEquals(1.0, browser.evaluate("view.filter.shown.length"), words);
            assertEquals(words, browser.evaluate("textOf(view.model, view.filter.shown[0])"));
        }
    }

    @Test
    void shouldSaveNamesWithControlCharacters() throws Exception {
        browser.open(page("loss"), 1280, 800, "light");
        assertEquals(
                true,
                browser.evaluate(
                        "(() => { view.model.title = 'a\\u0001b\\ufffe'; return new DOMParser().parseFromString(view.timeline.svg(),"
                                + " 'image/svg+xml').querySelector('parsererror') === null; })()"));
    }

    @ParameterizedTest
    @CsvSource({"1280, 800, light", "1280, 800, dark", "390, 844, light", "390, 844, dark"})
    void shouldFitTheScreen(int width, int height, String colors) throws Exception {
        Path pictures = Files.createDirectories(Path.of("target", "view"));
        for (String trouble : List.of("no-receive", "wrong-key", "overtaken", "peer-killed", "loss")) {
            browser.open(page(trouble), width, height, colors);
            String name = trouble + "-" + width + "-" + colors;
            Files.write(pictures.resolve(name + ".png"), browser.picture());
            browser.click(".card .step"); // the details are longer then
            assertEquals(
                    true,
                    browser.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                    "nothing sticks out to the right");
            assertEquals(colors, browser.evaluate("currentTheme()"));
            Files.write(pictures.resolve(name + "-chosen.png"), browser.picture());
        }
    }
}
