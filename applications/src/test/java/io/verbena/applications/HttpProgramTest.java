package io.verbena.applications;

import static io.verbena.applications.Program.END;
import static io.verbena.applications.Program.START;
import static io.verbena.applications.Program.assertMoved;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.applications.http.WebClient;
import io.verbena.applications.http.WebServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpProgramTest {
    private static final String PASSWORD = "password";
    private static final int REQUESTS = 20;

    @TempDir
    private Path folder;

    @Test
    void shouldServeHttp1AndHttp2WithAndWithoutTls() throws Exception {
        Transport transport = Transport.rdma();
        String keyStore = makeKeyStore().toString();
        try (Jvm server = Jvm.command(WebServer.class.getName(), keyStore, PASSWORD)
                .over(transport)
                .start()) {
            String http =
                    "http://127.0.0.1:" + server.await("^http (\\d+)", START).group(1);
            String https =
                    "https://127.0.0.1:" + server.await("^https (\\d+)", START).group(1);
            for (String version : List.of("HTTP_1_1", "HTTP_2")) {
                for (String address : List.of(http, https)) {
                    ask(transport, version, address, keyStore);
                }
            }
            assertMoved(transport, "Jetty", 4L * REQUESTS << 20, server.stop());
        }
    }

    private static void ask(Transport transport, String version, String address, String keyStore) throws Exception {
        try (Jvm client = Jvm.command(WebClient.class.getName(), version, address, Integer.toString(REQUESTS))
                .over(transport)
                .options("-Djavax.net.ssl.trustStore=" + keyStore, "-Djavax.net.ssl.trustStorePassword=" + PASSWORD)
                .start()) {
            List<String> lines = client.await(END);
            assertTrue(lines.stream().anyMatch(line -> line.startsWith("got ")), () -> String.join("\n", lines));
            assertMoved(
                    transport,
                    "java.net.http " + version + " " + address.replaceAll(":.*", ""),
                    (long) REQUESTS << 20,
                    lines);
        }
    }

    private Path makeKeyStore() throws Exception {
        Path store = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), output);
        return store;
    }
}
