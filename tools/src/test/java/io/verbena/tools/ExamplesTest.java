package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every program in the folder examples runs as the README says: from its source file, alone and in several processes.
@Tag("slow")
class ExamplesTest {
    /// The output of each program when it runs alone; a program that is not listed here fails.
    private static final Map<String, List<String>> OUTPUT = Map.of(
            "First", List.of("\\Ahello, endpoint\n\\z"),
            "Echo", List.of("(?s)\\A((Ann|Bob|Cid): 1000 of 1000 messages came back\n){3}\\z"),
            "RemoteTable",
                    List.of("\\Aclient: apple: no price\nclient: fig: 3 euros\nclient: pear: no price\n"
                            + "client: plum: 5 euros\nserver: plum: 5 euros\n\\z"),
            "SharedCounter",
                    List.of(
                            "(?s)\\A((Ann|Bob|Cid): added 1 1000 times, last to \\d+\n){3}",
                            "server: the counter is 3000\n\\z"),
            "Hello", List.of("\\ARDMA WRITE: success\nhello, remote memory\n\\z"),
            "SendReceive",
                    List.of(
                            "server: listening on /127\\.0\\.0\\.1:7471\n",
                            "server: received 14 bytes: what is RDMA\\?\n",
                            "client: the answer is: memory of another machine, without its processor\n"),
            "Counter",
                    List.of(
                            "\\Aserver: the counter is 0\n",
                            "(?s)(client: added 1 1000 times, last to \\d+\n.*){3}",
                            "(?s)(server: a client left, the counter is \\d+\n.*){3}",
                            "the counter is 3000\n\\z"),
            "EventServer",
                    List.of(
                            "(?s)(client: 10 of 10 messages came back\n.*){5}",
                            "server: 5 clients, 50 messages, woken \\d+ times\n\\z"),
            "KeyValue",
                    List.of(
                            "client: apple costs \\d+00\n",
                            "client: 10000 rows read, \\d+ half old and half new: read again\n\\z"),
            "Multicast", List.of("Dan: sent 'good morning'\n", "(?s)((Ann|Bob|Cid): received 'good morning'\n.*){3}"));

    static List<String> programs() throws IOException {
        try (var files = Files.list(DocumentsTest.root().resolve("examples"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldShowItselfAlone(String program) throws Exception {
        SourceRun.Ended ended = start(program).end();
        for (int i = 0; i < 20 && ended.output().contains("EADDRINUSE"); i++) {
            Thread.sleep(500); // another program has the device of 127.0.0.1 just now
            ended = start(program).end();
        }
        assertEquals(0, ended.code(), ended.output());
        List<String> expected = OUTPUT.get(program);
        assertTrue(expected != null, "say in this test what " + program + " prints");
        for (String part : expected) {
            assertTrue(Pattern.compile(part).matcher(ended.output()).find(), part + " in\n" + ended.output());
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldBeListedAndShort(String program) throws IOException {
        assertTrue(DocumentsTest.read("examples/README.md").contains("](" + program + ".java)"), "examples/README.md");
        assertTrue(DocumentsTest.read("README.md").contains("](examples/" + program + ".java)"), "README.md");
        List<String> lines =
                DocumentsTest.read("examples/" + program + ".java").lines().toList();
        int most = lines.getFirst().equals("import module io.verbena.endpoint;") ? 30 : 115;
        assertTrue(lines.size() <= most, program + " has " + lines.size() + " lines");
        assertEquals(
                List.of(), lines.stream().filter(line -> line.length() > 120).toList());
    }

    @Test
    void shouldSayHowToUseIt() throws Exception {
        SourceRun.Ended ended = start("SendReceive", "nonsense").end();
        assertEquals(2, ended.code(), ended.output());
        assertEquals("usage: SendReceive [both|server|client] [ADDRESS]\n", ended.output());
    }

    @Test
    void shouldSayWhoHasTheDeviceWhenItIsTaken() throws Exception {
        String address = LoopbackAddress.any(); // not 127.0.0.1, which other programs may have just now, and share
        SourceRun.Ended ended;
        try (var _ = new DatagramSocket(new InetSocketAddress(address, 4791))) {
            ended = start("SendReceive", "server", address).end();
        }
        assertEquals(1, ended.code(), ended.output());
        String expected = "open soft device %1$s: UDP port 4791 of %1$s is taken by".formatted(address);
        assertTrue(ended.output().contains(expected), ended.output());
    }

    @Test
    void shouldAskAndAnswerBetweenTwoProcesses() throws Exception {
        String address = LoopbackAddress.any();
        SourceRun server = start("SendReceive", "server", address);
        server.await("listening");
        SourceRun.Ended client = start("SendReceive", "client", address).end();
        assertEquals(0, client.code(), client.output());
        assertEquals("client: the answer is: memory of another machine, without its processor\n", client.output());
        SourceRun.Ended ended = server.end();
        assertEquals(0, ended.code(), ended.output());
        assertTrue(ended.output().endsWith("received 14 bytes: what is RDMA?\n"), ended.output());
    }

    @Test
    void shouldServeClientsOfOtherProcessesByEvents() throws Exception {
        String address = LoopbackAddress.any();
        SourceRun server = start("EventServer", "server", address);
        try {
            server.await("ready");
            SourceRun first = start("EventServer", "client", address);
            SourceRun.Ended second = start("EventServer", "client", address).end();
            assertEquals("client: 10 of 10 messages came back\n", first.end().output());
            assertEquals("client: 10 of 10 messages came back\n", second.output());
        } finally {
            server.process().destroyForcibly();
        }
    }

    @Test
    void shouldReadTheTableOfAnotherProcess() throws Exception {
        String address = LoopbackAddress.any();
        SourceRun server = start("KeyValue", "server", address);
        try {
            server.await("to be read by RDMA");
            SourceRun.Ended client = start("KeyValue", "client", address).end();
            assertEquals(0, client.code(), client.output());
            assertTrue(client.output().contains("client: plum costs "), client.output());
        } finally {
            server.process().destroyForcibly();
        }
    }

    private static SourceRun start(String program, String... arguments) throws IOException {
        return SourceRun.start("examples/" + program + ".java", arguments);
    }
}
