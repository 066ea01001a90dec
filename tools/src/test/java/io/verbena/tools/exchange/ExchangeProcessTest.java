package io.verbena.tools.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.ProgramProcess;
import io.verbena.tools.program.RawPeer;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.cm.ConnectionId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two processes, as people run it.
@Timeout(120)
@Tag("slow")
class ExchangeProcessTest {
    private final String address = LoopbackAddress.any();

    @Test
    void shouldExchangeBetweenTwoProcessesAndSurviveAKilledOne() throws Exception {
        try (var server = ProgramProcess.start("exchange", "--device", address, "--timeout", "4", "--verify")) {
            server.awaitLine("server listens");
            try (var client = client("--mode", "read", "--text", "first")) {
                assertEquals(0, client.await(), client::output);
            }
            server.awaitLine("\"first\"");
            try (var peer = RawPeer.resolve(address, ExchangeCommand.PORT)) {
                peer.connect(
                        ExchangeRun.PARAMETERS.withPrivateData(new ExchangeTerms(ExchangeMode.WRITE, 64).encode()));
                server.awaitLine("no key from the peer within 4 s"); // as one that was killed
            }
            try (var client = client("--mode", "write", "--text", "second")) {
                assertEquals(0, client.await(), client::output);
            }
            server.awaitLine("\"second\"");
            server.stop();
            server.await();
            assertTrue(!server.output().contains("Exception"), server::output);
        }
    }

    @Test
    void shouldStopAtOnceWhenToldTo() throws Exception {
        try (ConnectionId listener = RawPeer.listen(address, ExchangeCommand.PORT);
                var client = client("--json", "--timeout", "0")) {
            try (var peer = RawPeer.next(listener)) {
                peer.receive(0, ExchangeMessage.BYTES);
                peer.accept(ExchangeRun.PARAMETERS);
                peer.await(CompletionOpcode.RECEIVE);
                client.stop();
                client.awaitLine("\"stopped\": true");
                client.await();
            }
        }
    }

    private ProgramProcess client(String... more) throws Exception {
        String[] all = new String[more.length + 4];
        System.arraycopy(new String[] {"exchange", address, "--device", LoopbackAddress.any()}, 0, all, 0, 4);
        System.arraycopy(more, 0, all, 4, more.length);
        return ProgramProcess.start(all);
    }
}
