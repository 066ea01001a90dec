package io.verbena.tools.view;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.report.Json;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A real browser without a window, driven by its own protocol.
public final class Chromium implements WebSocket.Listener {
    private static final int LONGEST_SECONDS = 60;

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<?, ?>>> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final StringBuilder message = new StringBuilder();
    private final String session;

    private Chromium(Process process, String address) throws Exception {
        this.process = process;
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(address), this)
                .get(LONGEST_SECONDS, TimeUnit.SECONDS);
        String target = (String)
                call(null, "Target.createTarget", Map.of("url", "about:blank")).get("targetId");
        session = (String) call(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId");
        for (String part : List.of("Page.enable", "Network.enable", "Runtime.enable", "Log.enable")) {
            call(part, Map.of());
        }
    }

    /// Skips the test when there is no browser.
    public static Chromium start(Path folder) throws Exception {
        Path program = onPath("chromium");
        assumeTrue(program != null, "no chromium here");
        Path profile = Files.createDirectories(folder.resolve("profile"));
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("chromium.log").toFile())
                .start();
        try {
            return new Chromium(process, address(process, profile.resolve("DevToolsActivePort")));
        } catch (Exception e) {
            end(process);
            throw e;
        }
    }

    private static Path onPath(String program) {
        for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
            Path file = Path.of(folder, program);
            if (!folder.isEmpty() && Files.isExecutable(file)) {
                return file;
            }
        }
        return null;
    }

    private static String address(Process process, Path file) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (!Files.exists(file) || Files.readAllLines(file).size() < 2) {
            assertTrue(process.isAlive() && System.nanoTime() < end, "the browser does not start");
            Thread.sleep(20);
        }
        List<String> lines = Files.readAllLines(file);
        return "ws://127.0.0.1:" + lines.get(0) + lines.get(1);
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
        message.append(data);
        if (isLast) {
            receive((Map<?, ?>) Json.read(message.toString()));
            message.setLength(0);
        }
        from.request(1);
        return null;
    }

    private void receive(Map<?, ?> message) {
        if (message.get("id") instanceof Number id) {
            answers.remove(id.intValue()).complete(message);
        } else if ("Network.requestWillBeSent".equals(message.get("method"))) {
            requests.add(text(message, "params", "request", "url"));
        } else if ("Runtime.exceptionThrown".equals(message.get("method"))
                || "Log.entryAdded".equals(message.get("method"))) {
            complaints.add(String.valueOf(message.get("params")));
        }
    }

    private static String text(Map<?, ?> object, String... names) {
        Object value = object;
        for (String name : names) {
            value = ((Map<?, ?>) value).get(name);
        }
        return String.valueOf(value);
    }

    Map<?, ?> call(String method, Map<String, Object> parameters) throws Exception {
        return call(session, method, parameters);
    }

    private Map<?, ?> call(String where, String method, Map<String, Object> parameters) throws Exception {
        int number = numbers.incrementAndGet();
        var answer = new CompletableFuture<Map<?, ?>>();
        answers.put(number, answer);
        Map<String, Object> command = Json.object("id", number, "method", method, "params", parameters);
        if (where != null) {
            command.put("sessionId", where);
        }
        socket.sendText(Json.line(command), true).get(LONGEST_SECONDS, TimeUnit.SECONDS);
        Map<?, ?> message = answer.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        assertTrue(message.get("error") == null, method + ": " + message);
        return (Map<?, ?>) message.get("result");
    }

    /// Opens a page and waits until it shows its data.
    void open(Path page, int width, int height, String colors) throws Exception {
        open(page.toUri().toString(), width, height, colors);
        // The first frame gives the timeline its width.
        await("document.getElementById('summary')?.textContent.includes('events') && view.timeline.width > 0");
    }

    /// Opens an address, and does not wait for what it shows.
    public void open(String address, int width, int height, String colors) throws Exception {
        requests.clear();
        complaints.clear();
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colors))));
        // Away from the page before, which may be the same one: nothing must be asked of it any more.
        call("Page.navigate", Map.of("url", "about:blank"));
        await("location.href === 'about:blank'");
        call("Page.navigate", Map.of("url", address));
        await("location.href !== 'about:blank'");
    }

    /// The value of an expression in the page.
    public Object evaluate(String expression) throws Exception {
        Map<?, ?> result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        assertTrue(result.get("exceptionDetails") == null, expression + ": " + result);
        return ((Map<?, ?>) result.get("result")).get("value");
    }

    public String text(String selector) throws Exception {
        return String.valueOf(evaluate("document.querySelector('" + selector + "').innerText"));
    }

    public void await(String condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (!Boolean.TRUE.equals(evaluate("Boolean(" + condition + ")"))) {
            assertTrue(System.nanoTime() < end, "never true: " + condition + "; " + complaints);
            Thread.sleep(20);
        }
    }

    /// Clicks the middle of an element with the mouse.
    public void click(String selector) throws Exception {
        List<?> at = (List<?>) evaluate("(() => { const e = document.querySelector('" + selector
                + "'); e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
                + " return [r.left + r.width / 2, r.top + r.height / 2]; })()");
        click(((Number) at.get(0)).doubleValue(), ((Number) at.get(1)).doubleValue());
    }

    void click(double x, double y) throws Exception {
        for (String type : List.of("mousePressed", "mouseReleased")) {
            call("Input.dispatchMouseEvent", Map.of("type", type, "x", x, "y", y, "button", "left", "clickCount", 1));
        }
    }

    public void press(String key) throws Exception {
        Map<String, Object> down = Json.object("type", "keyDown", "key", key);
        if (key.length() == 1) {
            down.put("text", key);
        }
        call("Input.dispatchKeyEvent", down);
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
    }

    void downloadTo(Path folder) throws Exception {
        call(null, "Browser.setDownloadBehavior", Map.of("behavior", "allow", "downloadPath", folder.toString()));
    }

    public byte[] picture() throws Exception {
        return Base64.getDecoder()
                .decode(String.valueOf(call("Page.captureScreenshot", Map.of()).get("data")));
    }

    /// What was requested besides the page itself, and what the page complained about.
    public List<String> requests() {
        return requests;
    }

    /// As [#requests], without the page itself and what it made.
    List<String> requestsBeyond(Path page) {
        List<String> beyond = new ArrayList<>(requests);
        beyond.removeIf(url -> url.equals(page.toUri().toString()) || url.startsWith("blob:null"));
        return beyond;
    }

    public List<String> complaints() {
        return complaints;
    }

    public void close() throws InterruptedException {
        end(process);
        client.shutdownNow();
    }

    /// The browser first: it starts children anew. All must have ended before somebody removes their files.
    private static void end(Process process) throws InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
        process.descendants().forEach(all::add);
        all.forEach(ProcessHandle::destroyForcibly);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_SECONDS);
        while (all.stream().anyMatch(Chromium::isRunning)) {
            assertTrue(System.nanoTime() < end, "the browser does not end: " + all);
            Thread.sleep(20);
        }
    }

    /// One that ended and that nobody waits for is still listed, but without a program.
    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
