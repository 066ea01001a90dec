package io.verbena.applications;

import static io.verbena.applications.Program.END;
import static io.verbena.applications.Program.START;
import static io.verbena.applications.Program.assertMoved;
import static io.verbena.applications.Program.freePort;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// ZooKeeper's server and shell.
class ZooKeeperProgramTest {
    @TempDir
    private Path folder;

    @Test
    void shouldKeepANodeThatTheShellMakes() throws Exception {
        Transport transport = Transport.rdma();
        String port = Integer.toString(freePort());
        try (Jvm server = Jvm.command("org.apache.zookeeper.server.ZooKeeperServerMain", port, folder.toString())
                .over(transport)
                .options(
                        "-Dzookeeper.admin.enableServer=false",
                        "-Dorg.slf4j.simpleLogger.log.org.apache.zookeeper.server=info")
                .start()) {
            server.await("binding to port", START);
            shell(transport, port, "create", "/node", "of-the-test");
            List<String> read = shell(transport, port, "get", "/node");
            assertTrue(read.contains("of-the-test"), () -> String.join("\n", read));
            assertMoved(transport, "ZooKeeper server", 200, server.stop());
        }
    }

    private static List<String> shell(Transport transport, String port, String... command) throws Exception {
        String[] arguments = new String[command.length + 2];
        arguments[0] = "-server";
        arguments[1] = "127.0.0.1:" + port;
        System.arraycopy(command, 0, arguments, 2, command.length);
        try (Jvm shell = Jvm.command("org.apache.zookeeper.ZooKeeperMain", arguments)
                .over(transport)
                .start()) {
            List<String> lines = shell.await(END);
            assertMoved(transport, "ZooKeeper shell", 100, lines);
            return lines;
        }
    }
}
