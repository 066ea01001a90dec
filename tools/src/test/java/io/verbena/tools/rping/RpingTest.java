package io.verbena.tools.rping;

import static io.verbena.tools.CommandRun.assertDone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Client and server on two software devices of this JVM: the packets travel over UDP all the same.
@Timeout(60)
class RpingTest {
    private final String address = LoopbackAddress.any();

    private BackgroundCommand startServer(String... more) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("rping", "-s", "-a", address, "--provider", "soft"));
        all.addAll(List.of(more));
        return BackgroundCommand.start(all.toArray(String[]::new)).awaitText("server listens on " + address);
    }

    private CommandRun runClient(String... more) {
        List<String> all = new ArrayList<>(List.of("-c", "-a", address, "--device", LoopbackAddress.any()));
        all.addAll(List.of(more));
        return CommandRun.of("rping", all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {PingText.SHORTEST, 64, 4096, PingText.LONGEST})
    void shouldBringEveryPingBack(int size) throws Exception {
        try (var server = startServer("-V")) {
            assertDone(runClient("-V", "-C", "20", "-S", String.valueOf(size)));
            assertDone(server.await());
        }
    }

    @Test
    void shouldPingAThousandTimes() throws Exception {
        try (var server = startServer("-V")) {
            CommandRun client = runClient("-V", "-C", "1000", "--json");
            assertDone(client);
            assertTrue(client.out().contains("\"pings\": 1000,"), client.out());
            assertDone(server.await());
        }
    }

    @Test
    void shouldPrintTheLinesOfTheOriginal() throws Exception {
        try (var server = startServer("-v")) {
            CommandRun client = runClient("-v", "-C2", "-S30");
            assertEquals("""
                    ping data: rdma-ping-0: ABCDEFGHIJKLMNOP
                    ping data: rdma-ping-1: BCDEFGHIJKLMNOPQ
                    client DISCONNECT EVENT...
                    """, client.out());
            assertEquals("""
                    server ping data: rdma-ping-0: ABCDEFGHIJKLMNOP
                    server ping data: rdma-ping-1: BCDEFGHIJKLMNOPQ
                    server DISCONNECT EVENT...
                    """, server.await().out().lines().skip(1).reduce("", (all, line) -> all + line + "\n"));
        }
    }

    @Test
    void shouldSurviveLostDoubledAndDamagedPackets() throws Exception {
        System.setProperty("verbena.soft.faults", "loss=0.02,duplicate=0.01,corrupt=0.01,seed=7");
        try (var server = startServer("-V")) {
            assertDone(runClient("-V", "-C", "30", "-S", "20000", "--ack-timeout", "14"));
            server.await();
        } finally {
            System.clearProperty("verbena.soft.faults");
        }
    }

    @Test
    void shouldServeSeveralClientsAtOnceAndAgain() throws Exception {
        try (var server = startServer("-P")) {
            List<BackgroundCommand> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(BackgroundCommand.start(
                        "rping", "-c", "-a", address, "-C", "100", "-V", "--device", LoopbackAddress.any()));
            }
            for (BackgroundCommand client : clients) {
                assertDone(client.await());
            }
            assertDone(runClient("-C", "5", "-V"));
            server.awaitText("DISCONNECT");
        }
    }

    @Test
    void shouldTellOfEachClientWhenAServerOfManyIsStopped() throws Exception {
        var server = BackgroundCommand.start("rping", "-s", "-P", "--json", "-a", address, "--provider", "soft");
        try (var client = startClientOnceThereIsAServer()) {
            client.awaitText("rdma-ping-1:");
            server.close();
            CommandRun run = server.await();
            assertEquals(0, run.exitCode(), run.out() + run.err());
            assertTrue(run.out().contains("\"stopped\": true"), run.out());
            assertTrue(run.err().startsWith("server listens on " + address), run.err());
        } finally {
            server.close();
        }
    }

    /// A server that prints JSON does not say that it listens.
    private BackgroundCommand startClientOnceThereIsAServer() {
        int exitCode;
        do {
            exitCode = runClient("-C", "1").exitCode();
        } while (exitCode != 0);
        return BackgroundCommand.start("rping", "-c", "-v", "-a", address, "--device", LoopbackAddress.any());
    }

    @Test
    void shouldSayThatNobodyListensOnThePort() throws Exception {
        try (var _ = startServer("-P", "-p", "7175")) {
            CommandRun client = runClient("-C", "1");
            assertEquals(1, client.exitCode());
            assertEquals(1, client.err().lines().count(), client.err());
            assertTrue(client.err().contains("cannot connect to " + address + ":7174"), client.err());
            assertTrue(
                    client.err().contains("nobody listens there; start the server first: verbena rping -s"),
                    client.err());
        }
    }

    @Test
    void shouldSayThatThePortIsTaken() throws Exception {
        try (var _ = startServer("-P")) {
            CommandRun second = CommandRun.of("rping", "-s", "-a", address, "--provider", "soft");
            assertEquals(1, second.exitCode(), second.out());
            assertTrue(second.err().contains("port 7174 of " + address + " is taken"), second.err());
        }
    }

    @Test
    void shouldSayThatNobodyIsThere() {
        CommandRun client = runClient("-C", "1");
        assertEquals(1, client.exitCode());
        assertTrue(client.err().contains("nobody listens there"), client.err());
    }

    @Test
    void shouldReportAFailureInJsonToo() {
        CommandRun client = runClient("-C", "1", "--timeout", "1", "--json");
        assertEquals(1, client.exitCode());
        assertTrue(client.out().contains("\"ok\": false"), client.out());
        assertTrue(client.out().contains("nobody listens there"), client.out());
    }

    @Test
    void shouldPingWithQueuePairsOfItsOwn() throws Exception {
        try (var _ = startServer("-q", "-P")) {
            assertDone(runClient("-q", "-C", "2", "-V"));
            assertDone(runClient("-C", "2", "-V"));
        }
    }

    @Test
    void shouldShowEachStepWhenAsked() throws Exception {
        try (var server = startServer("-d")) {
            CommandRun client = runClient("-d", "-C", "1");
            assertTrue(client.out().contains("rdma_connect successful"), client.out());
            assertTrue(server.await().out().contains("server posted rdma read req"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-C 1",
                "-s -c -a 127.0.0.1",
                "-c",
                "-c -a 127.0.0.1 -S 22",
                "-c -a 127.0.0.1 -S 65536",
                "-c -a 127.0.0.1 -C -1",
                "-c -a 127.0.0.1 -p 0",
                "-c -a 127.0.0.1 -p 65536",
                "-c -a 127.0.0.1 -P",
                "-s -I 127.0.0.1",
                "-s --timeout -1",
                "-s --ack-timeout 32",
                "-s --device nowhere",
                "-s --provider nobody",
                "-c -a no.such.host.invalid",
                "-s --nonsense"
            })
    void shouldAnswerWrongOptionsBriefly(String options) {
        var run = CommandRun.of("rping", options.split(" "));
        assertEquals(2, run.exitCode(), run.err());
        assertEquals("", run.out());
        assertTrue(run.err().startsWith("verbena: "), run.err());
        assertEquals(2, run.err().lines().count(), run.err()); // what is wrong, and where the help is
    }

    @Test
    void shouldShowExamplesInItsHelp() {
        var run = CommandRun.of("rping", "--help");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("verbena rping -c -a 127.0.0.1"), run.out());
        assertFalse(run.out().contains("Show version"), "-V means validate");
    }
}
