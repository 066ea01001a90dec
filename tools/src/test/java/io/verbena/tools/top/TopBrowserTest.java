package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.status.ConnectionPath;
import io.verbena.soft.status.ConnectionStatus;
import io.verbena.tools.view.Chromium;
import io.verbena.verbs.attr.QueuePairState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The page of `top --web` in a real browser.
@Tag("slow")
class TopBrowserTest {
    @TempDir
    private static Path folder;

    private static Chromium browser;
    private static TopServer server;

    @BeforeAll
    static void start() throws Exception {
        browser = Chromium.start(folder);
        server = new TopServer(0, TopBrowserTest::look, Duration.ofMillis(200), new Selection(Column.QP, false, ""));
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    /// Some over UDP, some through shared memory, one failed, one that waits for a receive.
    private static Snapshot look() {
        return MadeUpProcess.snapshot(IntStream.range(1, 60)
                .mapToObj(n -> MadeUpProcess.connection(
                        n,
                        n == 7 ? ConnectionPath.NONE : n % 3 == 0 ? ConnectionPath.SHARED_MEMORY : ConnectionPath.UDP,
                        n == 7 ? QueuePairState.ERR : n == 4 ? QueuePairState.SQD : QueuePairState.RTS,
                        1000L * n,
                        n % 5,
                        n))
                .toArray(ConnectionStatus[]::new));
    }

    private static void open(int width, int height, String colors) throws Exception {
        browser.open(server.address(), width, height, colors);
        browser.await("document.querySelectorAll('#rows tr').length > 0");
    }

    private static int rows() throws Exception {
        return ((Number) browser.evaluate("document.querySelectorAll('#rows tr').length")).intValue();
    }

    @Test
    void shouldSortFilterAndShowDetails() throws Exception {
        open(1280, 800, "light");
        assertEquals(59, rows());
        browser.click("[data-sort=\"outstanding\"]");
        browser.await("view.data.sort === 'outstanding' && !view.data.isReversed");
        browser.click("[data-sort=\"outstanding\"]");
        browser.await("view.data.isReversed");
        browser.click("#filter");
        for (String letter : List.of("e", "r", "r")) {
            browser.press(letter);
        }
        browser.await("document.querySelectorAll('#rows tr').length === 1");
        assertTrue(browser.text("#summary").contains("1 of 59 connections match 'err'"), browser.text("#summary"));
        browser.click("#rows tr");
        browser.await("document.getElementById('facts').textContent.includes('0x000007')");
        assertTrue(browser.text("#hints").contains("The queue pair has failed"), browser.text("#hints"));
        browser.click("#close");
        browser.await("document.getElementById('details').hidden");
        browser.click("[data-view=\"processes\"]");
        assertTrue(browser.text("#rows").contains("listens on 0.0.0.0:7471"), browser.text("#rows"));
        browser.click("[data-view=\"devices\"]");
        assertTrue(browser.text("#rows").contains("soft-10.0.0.1"), browser.text("#rows"));
        String own = server.address();
        assertTrue(
                browser.requests().stream().allMatch(url -> url.startsWith(own) || url.equals("data:,")),
                browser.requests().toString());
        assertEquals(List.of(), browser.complaints());
    }

    @Test
    void shouldStandStillWhilePaused() throws Exception {
        open(1280, 800, "dark");
        browser.click("#pause");
        browser.await("document.getElementById('summary').textContent.includes('paused')");
        browser.click("#pause");
        String pauseDuringRequest =
                "(async () => { const asked = refresh(); pause(); const before = view.data; await asked; return view.data === before; })()";
        assertEquals(true, browser.evaluate(pauseDuringRequest), "an answer that comes later is not drawn");
        String pauseBeforeData =
                "(() => { const data = view.data; view.paused = false; view.data = null; pause(); view.data = data; return view.paused; })()";
        assertEquals(true, browser.evaluate(pauseBeforeData));
        browser.click("#pause");
        browser.await("!document.getElementById('summary').textContent.includes('paused')");
    }

    @ParameterizedTest
    @CsvSource({"1280, 800, light", "1280, 800, dark", "390, 844, light", "390, 844, dark"})
    void shouldFitTheScreen(int width, int height, String colors) throws Exception {
        open(width, height, colors);
        browser.click("#rows tr:nth-child(4)");
        browser.await("document.getElementById('facts').textContent.includes('0x000004')");
        assertEquals(
                true,
                browser.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                "nothing sticks out to the right");
        Path pictures = Files.createDirectories(Path.of("target", "top"));
        Files.write(pictures.resolve("top-" + width + "-" + colors + ".png"), browser.picture());
    }
}
