package io.verbena.applications;

import static io.verbena.applications.Program.END;
import static io.verbena.applications.Program.START;
import static io.verbena.applications.Program.assertMoved;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.applications.netty.Echo;
import java.util.List;
import org.junit.jupiter.api.Test;

class NettyProgramTest {
    private static final int BYTES = 20_000_000;

    @Test
    void shouldEchoWithNetty41() throws Exception {
        shouldEcho("4.1", Libraries.all());
    }

    @Test
    void shouldEchoWithNetty42() throws Exception {
        shouldEcho("4.2", Libraries.netty42());
    }

    private static void shouldEcho(String version, String classPath) throws Exception {
        Transport transport = Transport.rdma();
        try (Jvm server = Jvm.command(Echo.class.getName(), "server")
                .classPath(classPath)
                .over(transport)
                .start()) {
            String port = server.await("^port (\\d+)", START).group(1);
            try (Jvm client = Jvm.command(Echo.class.getName(), "client", port, Integer.toString(BYTES))
                    .classPath(classPath)
                    .over(transport)
                    .start()) {
                List<String> lines = client.await(END);
                assertTrue(lines.contains("echoed " + BYTES + " bytes"), () -> String.join("\n", lines));
                assertMoved(transport, "Netty " + version + " client", 2L * BYTES, lines);
            }
            assertMoved(transport, "Netty " + version + " server", 2L * BYTES, server.stop());
        }
    }
}
