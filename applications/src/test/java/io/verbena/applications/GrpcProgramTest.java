package io.verbena.applications;

import static io.verbena.applications.Program.END;
import static io.verbena.applications.Program.START;
import static io.verbena.applications.Program.assertMoved;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.applications.grpc.Calls;
import io.verbena.applications.grpc.InteropClient;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GrpcProgramTest {
    private static final String NO_NATIVE = "-Dio.netty.transport.noNative=true";
    private static final String NO_NATIVE_SHADED = "-Dio.grpc.netty.shaded.io.netty.transport.noNative=true";
    private static final int CALLS = 300;
    private static final int BYTES = 10_000;

    @Test
    void shouldPassTheInteroperabilityCasesThatItPassesOverTcp() throws Exception {
        Map<String, String> tcp = interop(Transport.tcp());
        Map<String, String> rdma = interop(Transport.rdma());
        System.out.println("gRPC interop over tcp: " + tcp + "\ngRPC interop over rdma: " + rdma);
        tcp.forEach((name, result) -> {
            if (result.equals("passed")) {
                assertEquals(result, rdma.get(name), name);
            }
        });
        assertTrue(tcp.values().stream().filter("passed"::equals).count() >= 17, tcp::toString);
    }

    private static Map<String, String> interop(Transport transport) throws Exception {
        Map<String, String> results = new TreeMap<>();
        int port = Program.freePort();
        try (Jvm server = Jvm.command(
                        "io.grpc.testing.integration.TestServiceServer", "--port=" + port, "--use_tls=false")
                .over(transport)
                .options(NO_NATIVE, NO_NATIVE_SHADED)
                .start()) {
            server.await("Server started", START);
            try (Jvm client = Jvm.command(InteropClient.class.getName(), Integer.toString(port))
                    .over(transport)
                    .options(NO_NATIVE, NO_NATIVE_SHADED)
                    .start()) {
                List<String> lines = client.await(END);
                for (String line : lines) {
                    if (line.startsWith("case ")) {
                        String[] parts = line.split(" ", 3);
                        results.put(parts[1], parts[2]);
                    }
                }
                assertMoved(transport, "gRPC interop client", 1_000_000, lines);
            }
            assertMoved(transport, "gRPC interop server", 1_000_000, server.stop());
        }
        return results;
    }

    @Test
    void shouldCallWithGrpcNetty() throws Exception {
        shouldCall("grpc-netty", "grpc-netty-shaded", NO_NATIVE);
    }

    @Test
    void shouldCallWithGrpcNettyShaded() throws Exception {
        shouldCall("grpc-netty-shaded", "grpc-netty-1", NO_NATIVE_SHADED);
    }

    private static void shouldCall(String name, String without, String option) throws Exception {
        Transport transport = Transport.rdma();
        String classPath = Libraries.allBut(without);
        try (Jvm server = Jvm.command(Calls.class.getName(), "server")
                .classPath(classPath)
                .over(transport)
                .options(option)
                .start()) {
            String port = server.await("^port (\\d+)", START).group(1);
            try (Jvm client = Jvm.command(
                            Calls.class.getName(), "client", port, Integer.toString(CALLS), Integer.toString(BYTES))
                    .classPath(classPath)
                    .over(transport)
                    .options(option)
                    .start()) {
                List<String> lines = client.await(END);
                assertTrue(
                        lines.stream().anyMatch(line -> line.startsWith("made " + CALLS)),
                        () -> String.join("\n", lines));
                assertMoved(transport, name + " client", 2L * CALLS * BYTES, lines);
            }
            assertMoved(transport, name + " server", 2L * CALLS * BYTES, server.stop());
        }
    }
}
