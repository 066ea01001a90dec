package io.verbena.applications;

import static io.verbena.applications.Program.END;
import static io.verbena.applications.Program.START;
import static io.verbena.applications.Program.assertMoved;
import static io.verbena.applications.Program.freePort;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HazelcastProgramTest {
    private static final int ENTRIES = 300;

    @TempDir
    private Path folder;

    @Test
    void shouldShareAMapBetweenTwoMembers() throws Exception {
        Transport transport = Transport.rdma();
        int first = freePort();
        int second = freePort();
        try (Jvm member = Jvm.command("com.hazelcast.core.server.HazelcastMemberStarter")
                .over(transport)
                .options(options())
                .options("-Dhazelcast.config=" + configure(first, first))
                .start()) {
            member.await("is STARTED", START);
            try (Jvm other = Jvm.command(
                            HazelcastMember.class.getName(),
                            configure(second, first).toString(),
                            Integer.toString(ENTRIES))
                    .over(transport)
                    .options(options())
                    .start()) {
                List<String> lines = other.await(END);
                assertTrue(
                        lines.contains("put and got " + ENTRIES + " entries in a cluster of 2"),
                        () -> String.join("\n", lines));
                assertMoved(transport, "Hazelcast second member", 1_000_000, lines);
            }
            assertMoved(transport, "Hazelcast first member", 1_000_000, member.stop());
        }
    }

    private static String[] options() {
        return new String[] {"-Dhazelcast.phone.home.enabled=false", "-Dhazelcast.logging.type=jdk"};
    }

    private Path configure(int port, int seed) throws Exception {
        Path file = folder.resolve("hazelcast-" + port + ".xml");
        Files.writeString(file, """
                <hazelcast xmlns="http://www.hazelcast.com/schema/config">
                  <network>
                    <port auto-increment="false">%1$d</port>
                    <join>
                      <auto-detection enabled="false"/>
                      <multicast enabled="false"/>
                      <tcp-ip enabled="true"><member>127.0.0.1:%2$d</member></tcp-ip>
                    </join>
                    <interfaces enabled="true"><interface>127.0.0.1</interface></interfaces>
                  </network>
                </hazelcast>
                """.formatted(port, seed));
        return file;
    }
}
