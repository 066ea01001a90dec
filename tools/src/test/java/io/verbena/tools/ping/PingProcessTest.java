package io.verbena.tools.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.demo.JvmCommand;
import io.verbena.verbs.cm.ConnectionId;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Processes, as people run and kill them.
@Timeout(120)
@Tag("slow")
class PingProcessTest {
    private static final String FOR_EVER = "1000000000";

    private final String address = LoopbackAddress.any();
    private final List<Process> processes = new ArrayList<>();

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JvmCommand.build(List.of()));
        command.add("ping");
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        processes.add(process);
        return process;
    }

    private Process startServer(String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of("--device", address));
        all.addAll(List.of(more));
        Process server = start(all.toArray(String[]::new));
        readUntil(server, "server listens on " + address);
        return server;
    }

    /// In this process, each in its own way, for as long as the server lives.
    private List<BackgroundCommand> startClients(List<Ways> all) {
        return all.stream()
                .map(ways -> BackgroundCommand.start(
                        "ping",
                        address,
                        "--device",
                        LoopbackAddress.any(),
                        "-c",
                        FOR_EVER,
                        "--timeout", // for those whose last message was acknowledged: they have nothing to send again
                        "4",
                        "--cm",
                        ways.cm(),
                        "--wait",
                        ways.completions()))
                .toList();
    }

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
    }

    private static String readUntil(Process process, String text) throws IOException {
        BufferedReader reader = process.inputReader();
        StringBuilder all = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            all.append(line).append('\n');
            if (line.contains(text)) {
                return all.toString();
            }
        }
        throw new AssertionError("no '" + text + "' in " + all);
    }

    private static int exitCode(Process process) throws InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still runs");
        return process.exitValue();
    }

    private static void assertPeerLost(CommandRun client) {
        assertEquals(1, client.exitCode(), client.out() + client.err());
        assertEquals(1, client.err().lines().count(), client.err());
        assertTrue(
                client.err().contains("transport retry counter exceeded")
                        || client.err().contains("the server disconnected after")
                        || client.err().contains("no answer"),
                client.err());
    }

    @Test
    void shouldPingBetweenTwoProcesses() throws Exception {
        Process server = startServer("--once", "--verify", "--stats");
        Process client = start(address, "--device", LoopbackAddress.any(), "-c", "300", "--verify", "--stats");
        String said = readUntil(client, "seconds kernel time");
        assertTrue(said.contains("server " + address + ":12321: 300 round trips of 8 bytes, every byte"), said);
        assertTrue(said.contains("round trip in microseconds: mean "), said);
        assertTrue(said.contains("300 recv completions, 300 send completions"), said);
        assertTrue(said.contains("microseconds per round-trip"), said);
        assertEquals(0, exitCode(client));
        readUntil(server, ": 300 round trips of 8 bytes, every byte verified");
        readUntil(server, "300 recv completions, 300 send completions");
        assertEquals(0, exitCode(server));
    }

    @Test
    void shouldEndEveryClientWhenTheServerIsKilled() throws Exception {
        Process server = startServer("--wait", "notify");
        List<BackgroundCommand> clients = startClients(Ways.ALL);
        awaitConnections(server, clients.size());
        server.destroyForcibly().waitFor();
        for (BackgroundCommand client : clients) {
            assertPeerLost(client.await());
        }
    }

    @Test
    void shouldEndEveryClientWhenTheServerNoLongerAnswers() throws Exception {
        Process server = startServer("--wait", "notify");
        List<BackgroundCommand> clients = startClients(Ways.DIAGONAL);
        awaitConnections(server, clients.size());
        signal(server, "STOP"); // to the clients that is a cable pulled out
        for (BackgroundCommand client : clients) {
            assertPeerLost(client.await());
        }
    }

    @Test
    void shouldEndWhenTheClientIsKilled() throws Exception {
        List<BackgroundCommand> servers = new ArrayList<>();
        for (Ways ways : Ways.DIAGONAL) {
            String own = LoopbackAddress.any();
            servers.add(BackgroundCommand.start(
                            "ping",
                            "--once",
                            "--device",
                            own,
                            "--timeout",
                            "4",
                            "--cm",
                            ways.cm(),
                            "--wait",
                            ways.completions())
                    .awaitText("server listens on " + own));
            start(own, "--device", LoopbackAddress.any(), "-c", FOR_EVER, "--wait", "notify");
        }
        for (BackgroundCommand server : servers) {
            server.awaitText(" asks for 1,000,000,000 round trips");
        }
        processes.forEach(Process::destroyForcibly);
        for (BackgroundCommand server : servers) {
            CommandRun run = server.await();
            assertEquals(1, run.exitCode(), run.out() + run.err());
            assertTrue(run.err().contains("verbena: client 127."), run.err());
            assertTrue(
                    run.err().contains("transport retry counter exceeded")
                            || run.err().contains(": disconnected after")
                            || run.err().contains("no message within 4 s"),
                    run.err());
        }
    }

    private static void awaitConnections(Process server, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            readUntil(server, " asks for ");
        }
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    @Test
    void shouldPrintResultsSoFarOnBothSidesWhenTheClientIsStopped() throws Exception {
        Process server = startServer("--once", "--wait", "poll", "--cm", "poll");
        Process client =
                start(address, "--device", LoopbackAddress.any(), "-c", FOR_EVER, "--wait", "notify", "--json");
        awaitConnections(server, 1);
        client.toHandle().destroy(); // as Ctrl-C does, and leaves its output to be read
        readUntil(client, "\"stopped\": true");
        readUntil(server, " of 1,000,000,000 round trips of 8 bytes");
        readUntil(server, ": disconnected after ");
        assertEquals(1, exitCode(server));
    }

    @Test
    void shouldPrintResultsSoFarOnBothSidesWhenTheServerIsStopped() throws Exception {
        Process server = startServer("--wait", "notify", "--cm", "thread");
        Process client = start(address, "--device", LoopbackAddress.any(), "-c", FOR_EVER, "--wait", "poll");
        awaitConnections(server, 1);
        server.toHandle().destroy();
        readUntil(server, " of 1,000,000,000 round trips of 8 bytes");
        readUntil(client, " of 1,000,000,000 round trips of 8 bytes");
        readUntil(client, "the server disconnected after ");
        assertEquals(1, exitCode(client));
    }

    /// Three clients wait for a server that says nothing. What the spinning one takes is the measure: how long that
    /// lasts depends on the machine, the ratio does not.
    @Test
    void shouldSleepWhileThereIsNothingToDo() throws Exception {
        List<WrongPeer> silent = new ArrayList<>();
        try (ConnectionId listener = WrongPeer.newId()) {
            listener.bind(new InetSocketAddress(address, 12321));
            listener.listen(0);
            for (Ways ways : Ways.DIAGONAL) {
                start(
                        address,
                        "--device",
                        LoopbackAddress.any(),
                        "--cm",
                        ways.cm(),
                        "--wait",
                        ways.completions(),
                        "--timeout",
                        "0");
            }
            for (Process _ : processes) {
                var peer = new WrongPeer(listener.awaitRequest(WrongPeer.PATIENCE));
                silent.add(peer);
                peer.receive();
                peer.id.accept(WaitMode.PARAMETERS);
                peer.await(1); // its first message is here: from now on it waits
            }
            String found = compareSleepers();
            // What a young JVM still compiles is no waiting; one that never sleeps fails each time.
            for (int again = 0; found != null && again < 5; again++) {
                found = compareSleepers();
            }
            assertNull(found);
        } finally {
            endAll();
            silent.forEach(WrongPeer::close);
        }
    }

    /// Lets the first process spin for two seconds of its time; what is wrong with what the others took meanwhile, or
    /// null.
    private String compareSleepers() throws InterruptedException {
        List<Duration> before = processes.stream().map(PingProcessTest::cpu).toList();
        Duration enough = Duration.ofSeconds(2);
        while (used(0, before).compareTo(enough) < 0) {
            Thread.sleep(20);
        }
        for (int i = 1; i < processes.size(); i++) {
            Duration took = used(i, before);
            if (took.multipliedBy(5).compareTo(enough) >= 0) {
                return "spinning took " + used(0, before) + ", sleeping " + took;
            }
        }
        return null;
    }

    private Duration used(int process, List<Duration> before) {
        return cpu(processes.get(process)).minus(before.get(process));
    }

    private static Duration cpu(Process process) {
        return process.info().totalCpuDuration().orElseThrow();
    }
}
