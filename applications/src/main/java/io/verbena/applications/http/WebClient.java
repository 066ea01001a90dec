package io.verbena.applications.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/// The client of the JDK, `java.net.http`, with one protocol.
///
/// Arguments: `HTTP_1_1` or `HTTP_2`, the address of the server (`http://127.0.0.1:8080`), the number of requests.
public final class WebClient {
    private static final int BYTES = 1 << 20;
    private static final int AT_ONCE = 8;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private WebClient() {}

    /// Gets and posts, one after the other and several at once, and checks what comes back.
    public static void main(String[] arguments) throws Exception {
        HttpClient.Version version = HttpClient.Version.valueOf(arguments[0]);
        URI server = URI.create(arguments[1]);
        int requests = Integer.parseInt(arguments[2]);
        try (HttpClient client =
                HttpClient.newBuilder().version(version).connectTimeout(TIMEOUT).build()) {
            for (int i = 0; i < requests; i++) {
                HttpResponse<byte[]> answer =
                        client.send(get(server.resolve("/" + BYTES)), HttpResponse.BodyHandlers.ofByteArray());
                check(answer, version, new byte[BYTES]);
            }
            byte[] body = new byte[BYTES];
            new SplittableRandom(1).nextBytes(body);
            HttpRequest post = HttpRequest.newBuilder(server.resolve("/"))
                    .timeout(TIMEOUT)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                    .build();
            var answers = IntStream.range(0, AT_ONCE)
                    .mapToObj(i -> client.sendAsync(post, HttpResponse.BodyHandlers.ofByteArray()))
                    .toList();
            for (CompletableFuture<HttpResponse<byte[]>> answer : answers) {
                check(answer.get(), version, body);
            }
        }
        System.out.println("got " + requests + " and posted " + AT_ONCE + " times " + BYTES + " bytes with " + version);
    }

    private static HttpRequest get(URI address) {
        return HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
    }

    private static void check(HttpResponse<byte[]> answer, HttpClient.Version version, byte[] expected)
            throws IOException {
        if (answer.statusCode() != 200 || answer.version() != version || !Arrays.equals(answer.body(), expected)) {
            throw new IOException("status %d, %s, %d bytes, which are %s"
                    .formatted(
                            answer.statusCode(),
                            answer.version(),
                            answer.body().length,
                            Arrays.equals(answer.body(), expected) ? "right" : "wrong"));
        }
    }
}
