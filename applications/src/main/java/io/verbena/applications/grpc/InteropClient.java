package io.verbena.applications.grpc;

import io.grpc.testing.integration.TestServiceClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;

/// gRPC's own client of the interoperability tests, several cases in one process: its `main` runs one case and ends the
/// process.
///
/// Arguments: the port of the server, then names of cases; none for all that need no account.
public final class InteropClient {
    /// The cases that need neither TLS nor an account of a cloud.
    static final List<String> CASES = List.of(
            "empty_unary",
            "cacheable_unary",
            "large_unary",
            "client_compressed_unary",
            "server_compressed_unary",
            "client_streaming",
            "server_streaming",
            "server_compressed_streaming",
            "ping_pong",
            "empty_stream",
            "custom_metadata",
            "status_code_and_message",
            "special_status_message",
            "unimplemented_method",
            "unimplemented_service",
            "cancel_after_begin",
            "cancel_after_first_response",
            "timeout_on_sleeping_server",
            "very_large_request",
            "pick_first_unary");

    private InteropClient() {}

    /// Runs the cases and prints a line for each.
    public static void main(String[] arguments) throws Exception {
        List<String> cases = arguments.length > 1 ? List.of(arguments).subList(1, arguments.length) : CASES;
        for (String name : cases) {
            String problem = run(arguments[0], name);
            System.out.println("case " + name + " " + (problem == null ? "passed" : "failed " + problem));
        }
        System.exit(0);
    }

    private static String run(String port, String name) throws Exception {
        TestServiceClient client = new TestServiceClient();
        String[] options = {"--server_host=127.0.0.1", "--server_port=" + port, "--use_tls=false", "--test_case=" + name
        };
        method("parseArgs", String[].class).invoke(client, (Object) options);
        method("setUp").invoke(client);
        try {
            method("run").invoke(client);
            return null;
        } catch (InvocationTargetException e) {
            e.getCause().printStackTrace();
            return e.getCause().toString().lines().findFirst().orElse("");
        } finally {
            method("tearDown").invoke(client);
        }
    }

    private static Method method(String name, Class<?>... parameters) throws NoSuchMethodException {
        Method method = TestServiceClient.class.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }
}
