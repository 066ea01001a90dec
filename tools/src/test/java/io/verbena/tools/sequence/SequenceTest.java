package io.verbena.tools.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.CommandRun;
import io.verbena.tools.recording.Arrow;
import io.verbena.tools.recording.MessageMatcher;
import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceStep;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Diagrams of made-up traces.
class SequenceTest {
    @TempDir
    private Path folder;

    private final MadeUpTrace client = new MadeUpTrace("client");
    private final MadeUpTrace server = new MadeUpTrace("server");

    private CommandRun draw(String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                client.writeTo(folder).toString(), server.writeTo(folder).toString()));
        all.addAll(List.of(options));
        return CommandRun.of("sequence", all.toArray(String[]::new));
    }

    private String picture(String... options) throws Exception {
        CommandRun run = draw(options);
        assertEquals(0, run.exitCode(), run.err());
        parse(run.out());
        return run.out();
    }

    static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    /// The words of all texts of that CSS class in the diagram.
    static List<String> texts(String svg, String styleClass) throws Exception {
        List<String> texts = new ArrayList<>();
        NodeList all = parse(svg).getElementsByTagName("text");
        for (int i = 0; i < all.getLength(); i++) {
            Element text = (Element) all.item(i);
            if (List.of(text.getAttribute("class").split(" ")).contains(styleClass)) {
                texts.add(text.getTextContent());
            }
        }
        return texts;
    }

    @Test
    void shouldDrawTheSameInEveryLocale() throws Exception {
        client.send(10, 1, "SEND", 4);
        server.completion(20, 1, "RECEIVE", 4);
        String usual = picture();
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertEquals(usual, picture());
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldDrawAConnectionMessageByMessage() throws Exception {
        client.call(10, "rdma_connect", "id", "id 1", "qp", 7)
                .event(40, "ESTABLISHED", "id", "id 1", "peer_qp", 9)
                .call(60, "rdma_disconnect", "id", "id 1")
                .event(70, "DISCONNECTED", "id", "id 1");
        server.call(1, "rdma_listen", "id", "id 1")
                .event(20, "CONNECT_REQUEST", "id", "id 2", "peer_qp", 7)
                .call(30, "rdma_accept", "id", "id 2", "qp", 9)
                .event(50, "ESTABLISHED", "id", "id 2")
                .event(65, "DISCONNECTED", "id", "id 2")
                .call(66, "rdma_disconnect", "id", "id 2");
        String svg = picture("--title", "Connect & <go> \u4e2d\u0001");
        assertEquals(
                List.of("REQ (connect)", "REP (accept)", "RTU (ready to use)", "DREQ (disconnect)"),
                texts(svg, "wire"));
        assertEquals(List.of("Connect & <go> \u4e2d?"), texts(svg, "title"));
        assertEquals(
                List.of("REQ (connect)", "REP (accept)", "RTU (ready to use)"),
                texts(picture("--part", "connection"), "wire"));
    }

    @Test
    void shouldDrawSendWriteAndRead() throws Exception {
        client.send(10, 1, "SEND", 64)
                .completion(15, 1, "SEND", 0)
                .send(20, 2, "RDMA_WRITE", 32)
                .completion(25, 2, "RDMA_WRITE", 0)
                .send(30, 3, "RDMA_READ", 16)
                .completion(35, 3, "RDMA_READ", 0);
        server.call(5, "ibv_post_recv", "qp", 1, "wr_id", 9, "bytes", 128).completion(12, 9, "RECEIVE", 64);
        String svg = picture();
        assertEquals(
                List.of("SEND 64 bytes", "WRITE 32 bytes", "READ", "data, 16 bytes"),
                texts(svg, "wire").subList(0, 4));
        assertTrue(texts(svg, "call").contains("ibv_post_send  WRITE 32 bytes"), svg);
        assertTrue(texts(svg, "done").contains("completion: RECEIVE 64 bytes"), svg);
    }

    @Test
    void shouldPutCausesFirstHoweverTheClocksDiffer() throws Exception {
        client.send(1_000_000, 1, "SEND", 8).completion(1_000_100, 2, "RECEIVE", 9);
        server.completion(10, 1, "RECEIVE", 8).send(20, 2, "SEND", 9).completion(30, 2, "SEND", 0);
        List<TraceStep> left = client.steps(folder, Side.CLIENT);
        List<TraceStep> right = server.steps(folder, Side.SERVER);
        List<Arrow> arrows = MessageMatcher.of(left, right);
        assertEquals(2, arrows.size());
        List<TraceStep> order = StepMerger.of(left, right, arrows);
        assertEquals(
                List.of("ibv_post_send  SEND 8 bytes", "completion: RECEIVE 8 bytes", "ibv_post_send  SEND 9 bytes"),
                order.stream().map(TraceStep::label).limit(3).toList());
    }

    @Test
    void shouldKeepTheEndOfAMessageBelowItsStart() throws Exception {
        rounds(3);
        List<TraceStep> left = client.steps(folder, Side.CLIENT);
        List<TraceStep> right = server.steps(folder, Side.SERVER);
        List<Arrow> arrows = MessageMatcher.of(left, right);
        Layout layout = Layout.of(RoundFolder.of(StepMerger.of(left, right, arrows)), arrows, 100);
        assertEquals(6, layout.messages().size());
        for (var message : layout.messages()) {
            assertTrue(y(layout, message.arrow().from()) <= message.y());
            assertTrue(y(layout, message.arrow().to()) >= message.y() + Layout.SLANT);
        }
    }

    @Test
    void shouldCompleteNoRequestBeforeItWasSent() throws Exception {
        client.send(1, 1, "RDMA_WRITE", 8)
                .send(2, 2, "RDMA_WRITE", 8)
                .send(3, 3, "RDMA_WRITE", 8)
                .completion(4, 3, "RDMA_WRITE", 0);
        server.call(1, "ibv_alloc_pd");
        List<TraceStep> left = client.steps(folder, Side.CLIENT);
        List<Arrow> arrows = MessageMatcher.of(left, List.of());
        Layout layout = Layout.of(RoundFolder.of(left), arrows, 100);
        assertTrue(y(layout, left.getLast()) >= layout.messages().getLast().y() + Layout.SLANT);
    }

    @Test
    void shouldDrawManyEqualCallsInARowAsOne() throws Exception {
        for (int i = 0; i < 500; i++) {
            server.call(i, "ibv_post_recv", "qp", 1, "wr_id", i, "bytes", 64);
        }
        client.call(1, "ibv_alloc_pd").call(2, "ibv_alloc_pd");
        assertEquals(
                List.of("ibv_alloc_pd", "ibv_alloc_pd", "ibv_post_recv  64 bytes \u00d7 500"),
                texts(picture(), "call").stream().sorted().toList());
    }

    private static int y(Layout layout, TraceStep step) {
        return layout.steps().stream()
                .filter(placed -> placed.step() == step)
                .findFirst()
                .orElseThrow()
                .y();
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            long start = 1000L * i;
            client.send(start + 10, 1, "SEND", 64)
                    .completion(start + 20, 1, "SEND", 0)
                    .completion(start + 50, 2, "RECEIVE", 64);
            server.completion(start + 15, 3, "RECEIVE", 64)
                    .send(start + 30, 4, "SEND", 64)
                    .completion(start + 45, 4, "SEND", 0);
        }
    }

    @Test
    void shouldFoldManyEqualRoundsAndShowTheFirstAndTheLast() throws Exception {
        rounds(10);
        String svg = picture();
        assertTrue(svg.contains("8 more like these"), svg);
        assertEquals(4, texts(svg, "wire").size());
        assertEquals(20, texts(picture("--no-fold"), "wire").size());
    }

    @Test
    void shouldLeaveOutTheLateEndOfAFoldedRequest() throws Exception {
        client.send(0, 0, "RDMA_WRITE", 8);
        for (int i = 1; i < 7; i++) {
            client.send(10 * i, i, "RDMA_WRITE", 8).completion(10 * i + 1, i - 1, "RDMA_WRITE", 8);
        }
        client.completion(99, 6, "RDMA_WRITE", 8);
        server.call(1, "ibv_alloc_pd");
        String svg = picture();
        assertTrue(svg.contains("4 more like these"), svg);
        // the completion of request 0, which shows what is expected, and that of request 6; not that of request 5
        assertEquals(2, texts(svg, "done").size(), svg);
    }

    @Test
    void shouldShowWhatIsSpecialAmongManyRounds() throws Exception {
        rounds(5);
        client.call(5000, "ibv_post_recv", "qp", 1, "wr_id", 1, "bytes", 77);
        client.send(5010, 1, "SEND", 64);
        client.send(6010, 1, "SEND", 64);
        String svg = picture();
        assertTrue(texts(svg, "call").contains("ibv_post_recv  77 bytes"), svg);
        assertTrue(svg.contains("3 more like these"), svg);
    }

    @Test
    void shouldShowThreeRoundsAsTheyAre() throws Exception {
        rounds(3);
        assertFalse(picture().contains("more like"));
    }

    @Test
    void shouldHideWhatIsSeldomOfInterestUnlessAsked() throws Exception {
        rounds(1);
        client.call(99, "ibv_req_notify_cq").call(100, "ibv_destroy_qp", "qp", 1);
        assertFalse(picture().contains("ibv_destroy_qp"));
        assertTrue(picture("--all").contains("ibv_destroy_qp"));
        String some = picture("--part", "transfer", "--show", "ibv_req", "--hide", "completion");
        assertEquals(
                List.of("ibv_req_notify_cq"),
                texts(some, "call").stream().filter(t -> t.contains("notify")).toList());
        assertFalse(some.contains("completion:"));
    }

    @Test
    void shouldNeedNoScriptAndFollowDarkMode() throws Exception {
        rounds(1);
        String svg = picture();
        assertFalse(svg.contains("<script"));
        assertTrue(svg.contains("prefers-color-scheme:dark"));
    }

    @Test
    void shouldWriteTheFileThatIsAskedFor() throws Exception {
        rounds(1);
        Path file = folder.resolve("picture.svg");
        assertEquals("", draw("-o", file.toString()).out());
        parse(Files.readString(file));
        CommandRun nowhere = draw("-o", folder.resolve("no/where.svg").toString());
        assertEquals(1, nowhere.exitCode());
        assertEquals(1, nowhere.err().lines().count(), nowhere.err());
    }

    @Test
    void shouldRefuseTheSameTraceTwice() throws Exception {
        rounds(1);
        String trace = client.writeTo(folder).toString();
        CommandRun run = CommandRun.of("sequence", trace, trace);
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("both traces are of a client"), run.err());
    }

    @Test
    void shouldRefuseToWriteOtherKindsOfPictures() throws Exception {
        CommandRun run = draw("-o", folder.resolve("x.png").toString());
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("use .svg"), run.err());
    }

    @Test
    void shouldTakeTheFilesInEitherOrder() throws Exception {
        rounds(1);
        CommandRun run = CommandRun.of(
                "sequence",
                server.writeTo(folder).toString(),
                client.writeTo(folder).toString());
        assertEquals(picture(), run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no json", "[]", "{\"timeNs\": 1}", "{\"timeNs\": 1,", "\u0000"})
    void shouldRefuseWhatIsNoTraceInOneLine(String content) throws Exception {
        rounds(1);
        Path wrong = Files.writeString(folder.resolve("wrong.jsonl"), content);
        CommandRun run = CommandRun.of(
                "sequence", wrong.toString(), server.writeTo(folder).toString());
        assertEquals(1, run.exitCode());
        assertEquals("", run.out());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains("wrong.jsonl"), run.err());
    }

    @Test
    void shouldSayWhichFileIsMissing() {
        CommandRun run = CommandRun.of("sequence", "nothing.jsonl", "here.jsonl");
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains("no file nothing.jsonl"), run.err());
        assertEquals(2, CommandRun.of("sequence", "one.jsonl").exitCode());
    }
}
