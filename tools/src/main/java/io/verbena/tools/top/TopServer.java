package io.verbena.tools.top;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.verbena.report.Json;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Serves the page on 127.0.0.1, read only, and only to those who know its address, which has a random token: any user
/// of the host can connect to the port. Processes are looked at only while a page asks.
final class TopServer implements AutoCloseable {
    private static final int TOKEN_BYTES = 16;
    private static final int LONGEST_REQUEST_SECONDS = 5;
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int INTERNAL_ERROR = 500;
    private static final int BAD_REQUEST = 400;

    private final Supplier<Snapshot> source;
    private final long intervalNs;
    private final Selection usual;
    private final String token = newToken();
    private final TopPage page = new TopPage();
    private final HttpServer server;
    /// One for each request: any user of the host can connect and then send nothing.
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("web-", 1).factory());

    private Snapshot latest;
    private long latestNs;

    /// @param port 0 for any free one
    /// @param usual what a page shows that asks for nothing else
    TopServer(int port, Supplier<Snapshot> source, Duration interval, Selection usual) {
        this.source = source;
        this.intervalNs = interval.toNanos();
        this.usual = usual;
        limit("sun.net.httpserver.maxReqTime");
        limit("sun.net.httpserver.maxRspTime");
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 0);
        } catch (IOException e) {
            throw new ProgramException(
                    "cannot serve a page on port " + port + ": " + e.getMessage() + "; leave out --port for a free one",
                    e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /// The JDK's server has no limit of its own, and reads these properties once.
    private static void limit(String property) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(LONGEST_REQUEST_SECONDS));
        }
    }

    private static String newToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String address() {
        return "http://127.0.0.1:" + port() + "/" + token + "/";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                answer(exchange);
            } catch (RuntimeException e) {
                send(exchange, INTERNAL_ERROR, "text/plain", bytes(e.getMessage()));
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = String.valueOf(exchange.getRequestURI().getPath());
        int end = path.indexOf('/', 1);
        String rest = end < 0 ? "" : path.substring(end);
        if (!isOwnHost(exchange.getRequestHeaders())) {
            send(exchange, FORBIDDEN, "text/plain", bytes("wrong host"));
        } else if (end < 0 || !isToken(path.substring(1, end)) || !rest.equals("/") && !rest.equals("/data.json")) {
            send(exchange, NOT_FOUND, "text/plain", bytes("not found"));
        } else if (!exchange.getRequestMethod().equals("GET")) {
            exchange.getResponseHeaders().set("Allow", "GET");
            send(exchange, METHOD_NOT_ALLOWED, "text/plain", bytes("read only"));
        } else if (rest.equals("/")) {
            send(exchange, OK, "text/html; charset=utf-8", page.bytes());
        } else {
            data(exchange);
        }
    }

    /// A page of another site could use a name of its own for 127.0.0.1 (DNS rebinding). Its browser then names that
    /// site as the host.
    private boolean isOwnHost(Headers headers) {
        List<String> hosts = headers.getOrDefault("Host", List.of());
        return hosts.size() == 1
                && List.of("127.0.0.1:" + port(), "localhost:" + port()).contains(hosts.getFirst());
    }

    /// In a time that tells nothing about how much of it is right.
    private boolean isToken(String text) {
        return MessageDigest.isEqual(bytes(text), bytes(token));
    }

    private void data(HttpExchange exchange) throws IOException {
        try {
            Map<String, String> asked = parameters(exchange.getRequestURI().getRawQuery());
            Selection selection = new Selection(
                    column(asked.get("sort")),
                    asked.containsKey("reverse") ? asked.get("reverse").equals("true") : usual.isReversed(),
                    asked.getOrDefault("filter", usual.filter()));
            Map<String, Object> data = PageData.of(look(), selection, asked.getOrDefault("chosen", ""));
            data.put("intervalMs", intervalNs / 1_000_000);
            data.put("filter", selection.filter());
            send(exchange, OK, "application/json", bytes(Json.line(data)));
        } catch (IllegalArgumentException e) {
            send(exchange, BAD_REQUEST, "text/plain", bytes(e.getMessage()));
        }
    }

    private Column column(String key) {
        return key == null
                ? usual.sort()
                : Arrays.stream(Column.values())
                        .filter(column -> column.key().equals(key))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("there is no column " + key));
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> all = new HashMap<>();
        for (String pair : query == null ? new String[0] : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                all.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return all;
    }

    /// Several pages share a look: rates are those of an interval, not of the time between two pages.
    private synchronized Snapshot look() {
        long nowNs = System.nanoTime();
        if (latest == null || nowNs - latestNs > intervalNs * 3 / 4) {
            latest = source.get();
            latestNs = nowNs;
        }
        return latest;
    }

    private void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Content-Security-Policy", page.policy());
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, exchange.getRequestMethod().equals("HEAD") ? -1 : body.length);
        if (!exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] bytes(String text) {
        return String.valueOf(text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
