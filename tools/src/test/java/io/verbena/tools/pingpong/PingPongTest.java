package io.verbena.tools.pingpong;

import static io.verbena.tools.CommandRun.assertDone;
import static io.verbena.tools.CommandRun.assertFailed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Client and server on two software devices of this JVM: the packets travel over UDP all the same.
@Timeout(60)
class PingPongTest {
    private static final String LOCAL_LINE =
            "  local address:  LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}, GID ::ffff:127[.0-9]*";

    private final String address = LoopbackAddress.any();

    private BackgroundCommand startServer(String... kindAndMore) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("pingpong"));
        all.addAll(List.of(kindAndMore));
        all.addAll(List.of("--device", address));
        return BackgroundCommand.start(all.toArray(String[]::new)).awaitText("server listens on " + address);
    }

    private BackgroundCommand startClient(String... kindAndMore) {
        List<String> all = new ArrayList<>(List.of("pingpong"));
        all.addAll(List.of(kindAndMore));
        all.addAll(List.of(address, "--device", LoopbackAddress.any()));
        return BackgroundCommand.start(all.toArray(String[]::new));
    }

    private static String[] with(PingPongKind kind, String... more) {
        return Stream.concat(Stream.of(kind.text()), Stream.of(more)).toArray(String[]::new);
    }

    @ParameterizedTest
    @EnumSource(PingPongKind.class)
    void shouldBringEveryMessageThereAndBack(PingPongKind kind) throws Exception {
        try (var server = startServer(with(kind, "--once", "-e", "-n", "100", "--verify"))) {
            CommandRun client =
                    startClient(with(kind, "-e", "-n", "100", "--verify")).await();
            assertDone(client);
            assertDone(server.await());
            assertTrue(client.out().contains("100 iters in "), client.out());
        }
    }

    @ParameterizedTest
    @EnumSource(PingPongKind.class)
    void shouldSpinWithoutEvents(PingPongKind kind) throws Exception {
        try (var server = startServer(with(kind, "--once", "-n", "5", "-s", "1"))) {
            assertDone(startClient(with(kind, "-n", "5", "-s", "1")).await());
            assertDone(server.await());
        }
    }

    @Test
    void shouldPrintTheLinesOfTheOriginal() throws Exception {
        try (var server = startServer("rc", "--once", "-e", "-n", "10", "-s", "64")) {
            String client =
                    startClient("rc", "-e", "-n", "10", "-s", "64").await().out();
            List<String> lines = client.lines().toList();
            assertEquals(4, lines.size(), client);
            assertTrue(lines.get(0).matches(LOCAL_LINE), client);
            assertTrue(lines.get(1).matches(LOCAL_LINE.replace("local address: ", "remote address:")), client);
            assertTrue(lines.get(2).matches("1280 bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec"), client);
            assertTrue(lines.get(3).matches("10 iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter"), client);
            String local = lines.get(0).replace("local address: ", "remote address:");
            assertTrue(server.await().out().contains(local), client);
        }
    }

    @Test
    void shouldServeSeveralClientsAtOnceAndAgain() throws Exception {
        try (var server = startServer("rc", "-e", "-n", "20", "--verify")) {
            List<BackgroundCommand> clients = Stream.generate(() -> startClient("rc", "-e", "-n", "20", "--verify"))
                    .limit(3)
                    .toList();
            for (BackgroundCommand client : clients) {
                assertDone(client.await());
            }
            assertDone(startClient("rc", "-e", "-n", "20", "--verify").await());
            server.awaitText("20 iters in ");
        }
    }

    @Test
    void shouldTakeAnotherLoopbackAddressWhereAProgramHasTheOne() throws Exception {
        String port = freePort();
        try (var _ = new DatagramSocket(new InetSocketAddress(address, 4791));
                var server = BackgroundCommand.start(
                        "pingpong", "rc", "-p", port, "--provider", "soft", "--once", "-e", "-n", "5")) {
            server.awaitText("server listens on ");
            assertDone(startClient("rc", "-p", port, "-e", "-n", "5").await());
            CommandRun done = server.await();
            assertDone(done);
            assertFalse(done.out().contains("GID ::ffff:" + address), done.out());
        }
    }

    private static String freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return String.valueOf(socket.getLocalPort());
        }
    }

    @Test
    void shouldCheckOneByteOfEachPageAsTheOriginalDoes() throws Exception {
        try (var server = startServer("rc", "-e", "-n", "3", "-s", "10000", "-c", "--once")) {
            assertDone(startClient("rc", "-e", "-n", "3", "-s", "10000", "-c").await());
            assertDone(server.await());
        }
    }

    @Test
    void shouldTellAClientWithoutMarksWhenPagesAreChecked() throws Exception {
        try (var server = startServer("rc", "-e", "-n", "3", "-c", "--once")) {
            startClient("rc", "-e", "-n", "3", "--timeout", "3").await();
            assertFailed(server.await(), "invalid data in page 0; is the client run with -c, too?");
        }
    }

    @Test
    void shouldNameTheByteThatIsWrong() throws Exception {
        try (var server = startServer("ud", "-e", "-n", "3", "--verify", "--once")) {
            startClient("ud", "-e", "-n", "3", "-c", "--timeout", "3").await();
            assertFailed(server.await(), "message 1: data wrong: byte 0 of 1024 is 0x00, expected 0x7b; with -c pages");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"100", "5000"})
    void shouldSayThatTheSizesDiffer(String clientSize) throws Exception {
        try (var server = startServer("rc", "-e", "-n", "3", "--once")) {
            startClient("rc", "-e", "-n", "3", "-s", clientSize, "--timeout", "5")
                    .await();
            assertFailed(server.await(), "give both sides the same -s");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PingPongKind.class,
            names = {"UC", "UD"})
    void shouldEndSoonWhenAMessageIsLost(PingPongKind kind) throws Exception {
        System.setProperty("verbena.soft.faults", "loss=0.2,seed=3");
        try (var server = startServer(with(kind, "-e", "--timeout", "3", "--once"))) {
            CommandRun client = startClient(with(kind, "-e", "--timeout", "3")).await();
            assertFailed(
                    client,
                    " of 1000 messages, then nothing came for 3 s: a message was lost, which " + kind.text()
                            + " does not send again");
            assertFailed(server.await(), "then nothing came for 3 s");
        } finally {
            System.clearProperty("verbena.soft.faults");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PingPongKind.class,
            names = {"RC", "SRQ"})
    void shouldSurviveLostDoubledAndDamagedPackets(PingPongKind kind) throws Exception {
        System.setProperty("verbena.soft.faults", "loss=0.02,duplicate=0.01,corrupt=0.01,seed=7");
        try (var server = startServer(with(kind, "-e", "-n", "40", "--verify", "--once"))) {
            assertDone(startClient(with(kind, "-e", "-n", "40", "--verify")).await());
            assertDone(server.await());
        } finally {
            System.clearProperty("verbena.soft.faults");
        }
    }

    @Test
    void shouldTellProgramsTheResult() throws Exception {
        try (var server = startServer("srq", "-e", "-n", "32", "-q", "4", "--once")) {
            CommandRun client = startClient("srq", "-e", "-n", "32", "-q", "4", "--json", "--stats")
                    .await();
            assertDone(client);
            assertTrue(client.out().startsWith("{"), client.out());
            for (String text : List.of(
                    "\"kind\": \"srq\"",
                    "\"iterations\": 32,",
                    "\"bytes\": 262144,",
                    "\"ok\": true",
                    "\"userSeconds\"")) {
                assertTrue(client.out().contains(text), client.out());
            }
            assertEquals(8, client.out().split("\"qpn\": ").length - 1, client.out());
            assertDone(server.await());
        }
    }

    @Test
    void shouldSayThatBothSidesNeedTheSameNumberOfQueuePairs() throws Exception {
        try (var server = startServer("srq", "-e", "-q", "4", "--once")) {
            startClient("srq", "-e", "-q", "3").await();
            assertFailed(server.await(), "the peer has 3 queue pairs, this side 4; give both the same -q");
        }
    }

    @Test
    void shouldSayThatThePortIsTaken() throws Exception {
        try (var _ = startServer("rc")) {
            CommandRun second = CommandRun.of("pingpong", "rc", "--device", address);
            assertFailed(second, "cannot listen on " + address + ":18515 (TCP): ");
            assertTrue(second.err().contains("-p takes another port"), second.err());
        }
    }

    @Test
    void shouldSayThatNobodyListens() {
        CommandRun client = CommandRun.of("pingpong", "uc", address);
        assertFailed(client, "start the server first: verbena pingpong uc or ibv_uc_pingpong");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "rc -s 0",
                "rc -s 2g",
                "rc -s many",
                "rc -m 1000",
                "ud -m 1024",
                "rc -q 2",
                "srq -q 0",
                "srq -q 257",
                "srq -q 16 -r 15",
                "rc -r 0",
                "rc -r 2000000000",
                "uc -r 1",
                "rc -n 0",
                "rc -l 16",
                "rc -g -1",
                "rc -i 0",
                "rc -o",
                "rc -j",
                "rc -N",
                "rc -d nowhere",
                "rc -p 65536",
                "rc no.such.host.invalid",
                "rc 127.0.0.1 --once",
                "rc --verify -s 1g",
                "rc --timeout -1",
                "rc 127.0.0.1 127.0.0.2"
            })
    void shouldAnswerWrongOptionsBriefly(String options) {
        var run = CommandRun.of("pingpong", options.isEmpty() ? new String[0] : options.split(" "));
        assertEquals(2, run.exitCode(), run.err());
        assertEquals("", run.out());
        assertTrue(run.err().startsWith("verbena: "), run.err());
        assertEquals(2, run.err().lines().count(), run.err()); // what is wrong, and where the help is
    }

    @Test
    void shouldRefuseADatagramThatDoesNotFitAPacket() throws Exception {
        try (var _ = startServer("ud")) {
            assertFailed(startClient("ud", "-s", "5000").await(), "-s 5000: device soft-127");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-g 7", "-i 2"})
    void shouldSayThatThereIsNoSuchGidOrPort(String option) throws Exception {
        try (var _ = startServer("rc")) {
            CommandRun client = startClient(("rc " + option).split(" ")).await();
            assertFailed(client, option.startsWith("-g") ? "does not have a GID with index 7" : "port 2");
        }
    }

    @Test
    void shouldShowExamplesInItsHelp() {
        var run = CommandRun.of("pingpong", "srq", "--help");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("verbena pingpong srq 127.0.0.1"), run.out());
        assertEquals(0, CommandRun.of("pingpong", "--help").exitCode());
    }
}
