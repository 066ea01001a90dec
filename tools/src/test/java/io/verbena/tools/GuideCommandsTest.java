package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The guide shows a server, then one or more clients, and then their output.
@Tag("slow")
class GuideCommandsTest {
    /// `shown` are lines that the clients print, or the server.
    record Pair(String server, List<String> clients, List<String> shown) {}

    static Stream<Pair> pairs() throws IOException {
        List<Pair> pairs = new ArrayList<>();
        for (Page page : GuideTest.chapters()) {
            List<Page.Block> blocks = page.blocks();
            for (int i = 2; i < blocks.size(); i++) {
                if (blocks.get(i).language().equals("text")
                        && isCommand(blocks.get(i - 1))
                        && isCommand(blocks.get(i - 2))) {
                    List<String> clients = blocks.get(i - 1).lines();
                    String server = blocks.get(i - 2).lines().getFirst();
                    if (server.split(" ")[1].equals(clients.getFirst().split(" ")[1])) {
                        pairs.add(new Pair(server, clients, blocks.get(i).lines()));
                    }
                }
            }
        }
        return pairs.stream();
    }

    private static boolean isCommand(Page.Block block) {
        String first = block.lines().getFirst();
        return block.language().equals("sh") && first.startsWith("./verbena ") && !first.startsWith("./verbena run ");
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void shouldPrintWhatTheGuideShows(Pair pair) throws Exception {
        String address = LoopbackAddress.any();
        List<String> server = arguments(pair.server);
        server.addAll(List.of(server.getFirst().equals("rping") ? "-a" : "--device", address));
        StringBuilder printed = new StringBuilder();
        try (BackgroundCommand background = BackgroundCommand.start(server.toArray(String[]::new))) {
            background.awaitText("listens");
            for (String command : pair.clients) {
                List<String> client = arguments(command);
                client.replaceAll(word -> word.equals("127.0.0.1") ? address : word);
                CommandRun run = CommandRun.of(
                        client.getFirst(), client.subList(1, client.size()).toArray(String[]::new));
                assertEquals(0, run.exitCode(), run.err());
                printed.append(run.out());
            }
            boolean byClient = PrintedText.has(printed.toString(), pair.shown);
            if (!byClient) {
                long limit = System.nanoTime() + 10_000_000_000L;
                while (!PrintedText.has(background.out(), pair.shown) && System.nanoTime() < limit) {
                    Thread.sleep(20);
                }
            }
            assertTrue(
                    byClient || PrintedText.has(background.out(), pair.shown),
                    () -> String.join("\n", pair.shown) + "\nin\n" + printed + "\nor in\n" + background.out());
        }
    }

    private static List<String> arguments(String command) {
        List<String> words = DocumentsTest.words(command);
        return new ArrayList<>(words.subList(1, words.size()));
    }
}
