package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import io.verbena.soft.status.ConnectionPath;
import io.verbena.verbs.attr.QueuePairState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The page is for those who know its address, and only to read.
class TopServerTest {
    private final AtomicInteger looks = new AtomicInteger();
    private volatile RuntimeException failure;
    private final TopServer server =
            new TopServer(0, this::look, Duration.ofHours(1), new Selection(Column.QP, false, ""));

    @AfterEach
    void close() {
        server.close();
    }

    private Snapshot look() {
        looks.incrementAndGet();
        if (failure != null) {
            throw failure;
        }
        return MadeUpProcess.snapshot(
                MadeUpProcess.udp(1, 10, 0, 0),
                MadeUpProcess.connection(2, ConnectionPath.SHARED_MEMORY, QueuePairState.ERR, 0, 3, -1));
    }

    /// By hand, because an HTTP client would not send a wrong host.
    private String ask(String method, String path, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port())) {
            socket.setSoTimeout(60_000);
            String request = method + " " + path + " HTTP/1.1\r\n" + String.join("\r\n", headers)
                    + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String get(String path) throws IOException {
        return ask("GET", path, "Host: 127.0.0.1:" + server.port());
    }

    private static int status(String answer) {
        return Integer.parseInt(answer.split(" ")[1]);
    }

    private String secret() {
        return "/" + server.address().split("/")[3] + "/";
    }

    private Map<?, ?> data(String query) throws IOException {
        String answer = get(secret() + "data.json" + query);
        assertEquals(200, status(answer), answer);
        return (Map<?, ?>) Json.read(answer.substring(answer.indexOf("\r\n\r\n") + 4));
    }

    @Test
    void shouldServeThePageWithAStrictPolicy() throws Exception {
        String answer = get(secret());
        assertEquals(200, status(answer));
        assertTrue(answer.contains("default-src 'none'"), answer);
        assertTrue(answer.contains("no-store"), answer);
        assertTrue(answer.contains("<title>verbena top</title>"), answer);
    }

    @Test
    void shouldHaveATokenOf128BitsThatNobodyGuesses() {
        assertTrue(secret().matches("/[0-9a-f]{32}/"), server.address());
        try (TopServer other = new TopServer(0, this::look, Duration.ofHours(1), new Selection(Column.QP, false, ""))) {
            assertNotEquals(secret(), "/" + other.address().split("/")[3] + "/");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/data.json",
                "/favicon.ico",
                "/00000000000000000000000000000000/",
                "/../",
                "SECRETx",
                "SECRETdata.json/",
                "SECRET../",
                "/%00/data.json"
            })
    void shouldFindNothingElse(String path) throws Exception {
        assertEquals(404, status(get(path.replace("SECRET", secret()))));
        assertEquals(0, looks.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"})
    void shouldOnlyBeRead(String method) throws Exception {
        String host = "Host: 127.0.0.1:" + server.port();
        assertEquals(405, status(ask(method, secret() + "data.json", host)));
        assertEquals(404, status(ask(method, "/", host)), "without the token nothing is told");
        assertEquals(0, looks.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host: evil.example:PORT", "Host: 127.0.0.1", "Host: 127.0.0.1:1", "X-None: 1"})
    void shouldRefuseOtherHosts(String header) throws Exception {
        String answer = ask("GET", secret() + "data.json", header.replace("PORT", "" + server.port()));
        assertTrue(status(answer) == 403 || status(answer) == 400, answer);
        assertEquals(0, looks.get());
    }

    @Test
    void shouldSortAndFilterAsThePageAsks() throws Exception {
        assertEquals(List.of("0x000001", "0x000002"), numbers(data("")));
        assertEquals(List.of("0x000002", "0x000001"), numbers(data("?sort=outstanding")));
        assertEquals(List.of("0x000001"), numbers(data("?filter=udp+10.0.0.1")));
        assertEquals(2.0, data("?filter=udp").get("connectionCount"));
        assertEquals(1, looks.get(), "several pages share a look");
    }

    private static List<String> numbers(Map<?, ?> data) {
        List<?> rows = (List<?>) ((Map<?, ?>) data.get("connections")).get("rows");
        return rows.stream()
                .map(row -> String.valueOf(((List<?>) ((Map<?, ?>) row).get("cells")).get(Column.QP.ordinal())))
                .toList();
    }

    @Test
    void shouldTellWhyItCannotLook() throws Exception {
        failure = new IllegalStateException("cannot look for processes");
        String answer = get(secret() + "data.json");
        assertEquals(500, status(answer));
        assertTrue(answer.endsWith("cannot look for processes"), answer);
    }

    @Test
    void shouldAnswerWhileOthersSendHalfARequest() throws Exception {
        List<Socket> others = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                Socket other = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port());
                others.add(other);
                other.getOutputStream().write('G');
            }
            assertEquals(200, status(get(secret())));
        } finally {
            for (Socket other : others) {
                other.close();
            }
        }
    }

    @Test
    void shouldTellTheDetailsOfOneConnection() throws Exception {
        List<?> rows = (List<?>) ((Map<?, ?>) data("").get("connections")).get("rows");
        String id = String.valueOf(((Map<?, ?>) rows.get(1)).get("id"));
        Map<?, ?> details = (Map<?, ?>) data("?chosen=" + id).get("details");
        assertTrue(details.get("hints").toString().contains("The queue pair has failed"), details.toString());
        assertEquals(null, ((Map<?, ?>) data("?chosen=gone").get("details")).get("facts"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"?sort=nothing", "?filter=%zz"})
    void shouldRefuseWhatItDoesNotUnderstand(String query) throws Exception {
        assertEquals(400, status(get(secret() + "data.json" + query)));
    }
}
