package io.verbena.applications;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;

/// What the tests of programs share.
final class Program {
    static final Duration START = Duration.ofSeconds(60);
    static final Duration END = Duration.ofSeconds(90);

    private Program() {}

    /// A port that nobody uses just now, for programs that cannot choose one themselves.
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// Fails unless the program has moved at least so many bytes by RDMA.
    static void assertMoved(Transport transport, String program, long bytes, List<String> lines) {
        if (!transport.counted()) {
            return;
        }
        long moved = Sockets.rdmaBytes(lines);
        String last = lines.isEmpty()
                ? "nothing"
                : String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        assertTrue(
                moved >= bytes,
                () -> program + " moved " + moved + " bytes by RDMA instead of " + bytes + "; it printed\n" + last);
        System.out.println(program + " over " + transport + ": " + moved + " bytes by RDMA");
    }
}
