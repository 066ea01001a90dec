package io.verbena.tools.ping;

import static io.verbena.tools.CommandRun.assertDone;
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
class PingTest {
    private final String address = LoopbackAddress.any();

    private BackgroundCommand startServer(String... more) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("ping", "--device", address));
        all.addAll(List.of(more));
        return BackgroundCommand.start(all.toArray(String[]::new)).awaitText("server listens on " + address);
    }

    private String[] client(String... more) {
        List<String> all = new ArrayList<>(List.of(address, "--device", LoopbackAddress.any()));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private CommandRun runClient(String... more) {
        return CommandRun.of("ping", client(more));
    }

    @EveryWay
    void shouldBringMessagesBackInEveryWayOfWaiting(String cm, String wait) throws Exception {
        String[] ways = {"--cm", cm, "--wait", wait, "--verify"};
        try (var server = startServer(ways)) {
            for (int i = 0; i < 2; i++) {
                CommandRun client = runClient("-c", "50", "--verify", "--cm", cm, "--wait", wait);
                assertDone(client);
                assertTrue(
                        client.out().contains(": 50 round trips of 8 bytes, every byte verified, --cm " + cm),
                        client.out());
            }
            server.awaitText(": 50 round trips of 8 bytes, every byte verified, --cm " + cm + " --wait " + wait);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "4096", "100k", "1m"})
    void shouldTellTheServerCountAndSize(String size) throws Exception {
        try (var server = startServer("--once", "--verify", "--wait", "notify", "-c", "7", "-s", "9")) {
            assertDone(runClient("-c", "10", "-s", size, "--verify", "--wait", "notify"));
            CommandRun served = server.await();
            assertDone(served);
            assertTrue(served.out().contains(": 10 round trips of "), served.out());
        }
    }

    @Test
    void shouldServeSeveralClientsAtOnce() throws Exception {
        try (var _ = startServer("--wait", "poll", "--cm", "poll")) {
            List<BackgroundCommand> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                List<String> all = new ArrayList<>(List.of("ping"));
                all.addAll(List.of(client("-c", "200", "--wait", "notify", "--verify")));
                clients.add(BackgroundCommand.start(all.toArray(String[]::new)));
            }
            for (BackgroundCommand client : clients) {
                assertDone(client.await());
            }
        }
    }
}
