package io.verbena.applications.speed;

import io.verbena.applications.http.WebServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/// Requests of `java.net.http` to Jetty, one after the other, with HTTP/1.1.
final class HttpGets implements Client {
    private static final int BYTES = 1 << 20;
    private static final int REQUESTS = 200;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest request;

    private HttpGets(int port) {
        request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + BYTES))
                .build();
    }

    static int serve() throws Exception {
        return WebServer.start();
    }

    static Client connect(int port) {
        return new HttpGets(port);
    }

    @Override
    public double round() throws Exception {
        long startNs = System.nanoTime();
        for (int i = 0; i < REQUESTS; i++) {
            long length = client.send(request, HttpResponse.BodyHandlers.ofByteArray())
                    .body()
                    .length;
            if (length != BYTES) {
                throw new IOException(length + " bytes instead of " + BYTES);
            }
        }
        return REQUESTS * 1e9 / (System.nanoTime() - startNs);
    }
}
