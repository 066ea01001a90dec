package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ConnectNoticeTest {
    private static final String PATIENCE = "4";

    private final String nobody = LoopbackAddress.any();

    private static BackgroundCommand start(String words) {
        return BackgroundCommand.start(words.split(" "));
    }

    private static void awaitNotice(BackgroundCommand client, String server, String command) throws Exception {
        String notice = "verbena: no answer from " + server + " yet; waiting up to " + PATIENCE
                + " s, start the server there: " + command + System.lineSeparator();
        while (!client.err().contains(notice)) {
            assertTrue(!client.isDone(), () -> notice + " is not in " + client.err());
            Thread.sleep(5);
        }
        assertEquals("", client.out(), "the output is for the result");
    }

    @Test
    void shouldSayWhatAClientOfTheConnectionManagerWaitsFor() throws Exception {
        String host = nobody + " --json --timeout " + PATIENCE;
        try (var _ = silentDevice();
                var ping = start("ping " + host);
                var polling = start("ping --cm poll " + host);
                var blast = start("blast " + host);
                var copy = start("copy " + host);
                var exchange = start("exchange " + host);
                var rping = start("rping -c -a " + host)) {
            awaitNotice(ping, nobody + ":12321", "verbena ping");
            awaitNotice(polling, nobody + ":12321", "verbena ping");
            awaitNotice(blast, nobody + ":12321", "verbena blast");
            awaitNotice(copy, nobody + ":20886", "verbena copy");
            awaitNotice(exchange, nobody + ":20887", "verbena exchange");
            awaitNotice(rping, nobody + ":7174", "verbena rping -s");
        }
    }

    /// A server at the usual port would not be found.
    @ParameterizedTest
    @CsvSource({
        "ping, verbena ping -p 4711",
        "blast, verbena blast -p 4711",
        "rping -c -a, verbena rping -s -p 4711",
        "pingpong rc, verbena pingpong rc -p 4711 or ibv_rc_pingpong -p 4711",
        "perf send-lat, verbena perf -p 4711"
    })
    void shouldNameThePortThatTheServerMustHave(String program, String server) {
        List<String> words = new ArrayList<>(List.of((program + " 127.0.0.1 -p 4711").split(" ")));
        CommandRun run = CommandRun.of(words.removeFirst(), words.toArray(String[]::new));
        assertEquals(1, run.exitCode(), run.err());
        assertTrue(run.err().contains("first: " + server), run.err());
    }

    /// A socket on the port of a device, which answers nothing.
    private DatagramSocket silentDevice() throws Exception {
        return new DatagramSocket(new InetSocketAddress(nobody, 4791));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ping", "ping --cm poll", "blast", "copy", "exchange", "rping -c -a"})
    void shouldFailAtOnceWhenNoDeviceIsThere(String program) {
        List<String> words = new ArrayList<>(List.of((program + " " + nobody).split(" ")));
        CommandRun run = CommandRun.of(words.removeFirst(), words.toArray(String[]::new));
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("nobody listens there; start the server first: verbena"), run.err());
    }

    @Test
    void shouldSayItOnceInAllStepsOfConnecting() throws Exception {
        try (var _ = silentDevice();
                var copy = start("copy " + nobody + " --timeout " + PATIENCE)) {
            copy.await();
            assertEquals(
                    1,
                    copy.err()
                            .lines()
                            .filter(line -> line.contains("no answer from"))
                            .count(),
                    copy.err());
        }
    }

    /// A listener whose queue is full does not answer connection requests.
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldSayWhatAClientOverTcpWaitsFor() throws Exception {
        List<SocketChannel> waiting = new ArrayList<>();
        try (var listener = new ServerSocket(0, 1, InetAddress.ofLiteral(nobody))) {
            for (int i = 0; i < 4; i++) {
                var socket = SocketChannel.open();
                waiting.add(socket);
                socket.configureBlocking(false);
                socket.connect(listener.getLocalSocketAddress());
            }
            String port = " -p " + listener.getLocalPort();
            String options = nobody + port + " --timeout " + PATIENCE;
            String server = nobody + ":" + listener.getLocalPort();
            try (var pingpong = start("pingpong rc " + options);
                    var perf = start("perf send-lat --json - " + options)) {
                awaitNotice(pingpong, server, "verbena pingpong rc" + port + " or ibv_rc_pingpong" + port);
                awaitNotice(perf, server, "verbena perf" + port);
            }
        } finally {
            for (var socket : waiting) {
                socket.close();
            }
        }
    }

    @Test
    void shouldSayNothingOnceConnected() {
        var err = new StringWriter();
        var output = new Output("test", new PrintWriter(err), new PrintWriter(err), false);
        new ConnectNotice(output, "no answer", Duration.ofHours(1)).close(); // returns when its thread has ended
        assertEquals("", err.toString());
    }
}
