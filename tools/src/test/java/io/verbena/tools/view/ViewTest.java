package io.verbena.tools.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.XmlText;
import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import io.verbena.tools.CommandRun;
import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceStep;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewTest {
    private static final int LARGEST_EMPTY_PAGE = 500_000;

    @TempDir
    private Path folder;

    private static Path recorded(String name) {
        return ViewBrowserTest.troubles().resolve(name);
    }

    private CommandRun view(Path... files) {
        List<String> arguments = new ArrayList<>(List.of("-o", page().toString(), "--no-open"));
        Arrays.stream(files).map(Path::toString).forEach(arguments::add);
        return CommandRun.of("view", arguments.toArray(String[]::new));
    }

    private Path page() {
        return folder.resolve("page.html");
    }

    /// The description that the page carries.
    private Map<?, ?> description() throws IOException {
        return PageContent.description(page());
    }

    private List<String> titles() throws IOException {
        return PageContent.titles(page());
    }

    @Test
    void shouldBeOneSmallFileThatAsksForNothing() throws IOException {
        CommandRun.assertDone(view(recorded("wrong-key-client.jsonl")));
        String html = Files.readString(page());
        assertTrue(html.length() < LARGEST_EMPTY_PAGE, html.length() + " characters");
        assertTrue(html.contains("default-src 'none'"), "the policy forbids requests");
        assertTrue(
                Pattern.compile("(src|href)=").matcher(html).results().findAny().isEmpty(), "no address in it");
    }

    @Test
    void shouldShowWhatCanBeReadOfACutCapture() throws IOException {
        byte[] whole = Files.readAllBytes(recorded("no-receive.pcap"));
        Path cut = Files.write(folder.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 10));
        CommandRun run = view(cut);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.err().contains("the file ends inside record 8"), run.err());
        assertEquals(7.0, description().get("count"));
        assertTrue(String.valueOf(description().get("problems")).contains("7 packets before it are shown"));
    }

    @Test
    void shouldShowWhatCanBeReadOfADamagedTrace() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(recorded("loss-client.jsonl")));
        lines.set(3, lines.get(3).substring(0, 40));
        Path damaged = Files.write(folder.resolve("damaged.jsonl"), lines);
        CommandRun run = view(damaged);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.err().contains("damaged.jsonl, line 4: column "), run.err());
        assertEquals(lines.size() - 1.0, description().get("count"));
    }

    @Test
    void shouldNameTheCauseOnTheTerminalToo() throws IOException {
        CommandRun run = view(recorded("no-receive-client.jsonl"), recorded("no-receive-server.jsonl"));
        assertEquals(0, run.exitCode(), run.err());
        Map<?, ?> finding = (Map<?, ?>) ((List<?>) description().get("findings")).getFirst();
        assertTrue(run.out().contains("\n  " + finding.get("title") + "\n"), run.out());
    }

    @Test
    void shouldRefuseFilesOfNothing() throws IOException {
        CommandRun.assertFailed(view(Files.writeString(folder.resolve("empty.jsonl"), "")), "nothing in empty.jsonl");
        CommandRun.assertFailed(view(folder.resolve("missing.pcap")), "no file");
    }

    /// One sentence says what it is not, instead of one for each line.
    @Test
    void shouldSayWhatAFileIsNotAndWhatToGiveInstead() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "a\nb\n{}\n");
        String refusal = "notes.txt is neither a trace nor a capture nor a recording";
        CommandRun alone = view(text);
        CommandRun.assertFailed(alone, refusal);
        assertTrue(alone.err().contains("Give the file that a program writes with --trace-file"), alone.err());
        CommandRun beside = view(text, recorded("loss-server.jsonl"), recorded("loss-client.jsonl"));
        assertEquals(0, beside.exitCode(), beside.err());
        assertEquals(1, beside.err().lines().count(), beside.err());
        assertTrue(String.valueOf(description().get("problems")).contains(refusal));
        CommandRun.assertFailed(
                view(Files.write(folder.resolve("binary"), new byte[] {(byte) 0x89, 'P', 'N', 'G', (byte) 0xFF})),
                "binary is neither a trace");
    }

    /// A file of this repository.
    private static Path captured(String path) {
        return ViewBrowserTest.troubles().resolve("../../..").resolve(path).normalize();
    }

    /// Two Linux kernels, with programs in C.
    @Test
    void shouldReadACaptureOfKernelsAsItReadsOurs() throws IOException {
        CommandRun run = view(captured("roce/src/test/resources/rxe-6.1.pcap"));
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("", run.err());
        assertEquals(217.0, description().get("count"));
        List<String> lanes = ((List<?>) description().get("lanes"))
                .stream()
                        .map(lane -> String.valueOf(((Map<?, ?>) lane).get("title")))
                        .toList();
        // rping's queue pair on both hosts, known from the connection manager
        assertTrue(lanes.containsAll(List.of("10.77.0.3 QP 0x11", "10.77.0.2 QP 0x11")), lanes.toString());
        // of a UC queue pair that was connected by hand nothing tells the number: no packet answers
        assertEquals(2, lanes.stream().filter(lane -> lane.contains(" to QP ")).count(), lanes.toString());
        assertEquals(List.of(), titles());
        CommandRun.assertDone(
                view(captured("sockets/src/test/resources/io/verbena/sockets/protocol/rsockets-rxe.pcap")));
        assertEquals(274.0, description().get("count"));
    }

    @Test
    void shouldReadPcapngAsItReadsPcap() throws IOException {
        Path next = folder.resolve("wire.pcapng");
        Files.write(next, Pcapng.of(Files.readAllBytes(recorded("loss.pcap"))));
        CommandRun.assertDone(view(next));
        Map<?, ?> fromNext = description();
        CommandRun.assertDone(view(recorded("loss.pcap")));
        Map<?, ?> fromClassic = description();
        assertEquals(fromClassic.get("findings"), fromNext.get("findings"));
        assertEquals(fromClassic.get("startNs"), fromNext.get("startNs"));
        assertEquals(fromClassic.get("count"), fromNext.get("count"));
    }

    /// What `tcpdump -s` leaves: the first bytes of each IP packet.
    private Path cutEachPacket(String capture, int bytes) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(recorded(capture)));
        int link;
        try (var reader = new PcapReader(recorded(capture))) {
            PcapRecord first = reader.next();
            link = first.frame().length - first.ipPacket().length;
        }
        ByteBuffer out = ByteBuffer.allocate(in.capacity()).put(in.array(), 0, 24);
        in.position(24);
        while (in.hasRemaining()) {
            out.putInt(in.getInt()).putInt(in.getInt());
            byte[] frame = new byte[in.getInt()];
            int left = Math.min(frame.length, link + bytes);
            out.putInt(left).putInt(in.getInt());
            in.get(frame);
            out.put(frame, 0, left);
        }
        return Files.write(folder.resolve("snap.pcap"), Arrays.copyOf(out.array(), out.position()));
    }

    @Test
    void shouldNotInventHeadersThatTheCaptureLacks() throws IOException {
        int udpEnd = 28;
        CommandRun.assertFailed(
                view(cutEachPacket("no-receive.pcap", udpEnd)), "8 packets were cut inside their headers");
        // the BTH is there, the AETH of the answers is not
        CommandRun run = view(cutEachPacket("no-receive.pcap", udpEnd + 12));
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.err().contains("4 packets were cut inside their headers"), run.err());
        assertTrue(run.err().contains("4 packets were captured in part"), run.err());
        assertEquals(4.0, description().get("count"));
    }

    @Test
    void shouldTellOfSkippedFramesAlsoWhenTheFileIsDamaged() throws IOException {
        byte[] next = Pcapng.of(Files.readAllBytes(recorded("loss.pcap")));
        next[36] = (byte) 147; // the link type of the interface
        Path file = Files.write(folder.resolve("other.pcapng"), Arrays.copyOf(next, next.length - 10));
        CommandRun run = view(recorded("loss-client.jsonl"), file);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.err().contains("frames of interfaces with another link type are not read"), run.err());
        assertTrue(run.err().contains("the file ends inside block"), run.err());
    }

    @Test
    void shouldShowATitleAsItIs() throws IOException {
        Path file = Files.copy(recorded("loss-client.jsonl"), folder.resolve("@script@@data@.jsonl"));
        CommandRun.assertDone(view(file));
        String html = Files.readString(page());
        assertTrue(html.contains("<h1 id=\"title\">@script@@data@.jsonl</h1>"));
    }

    /// The page puts back one number, at the first sign.
    @Test
    void shouldLeaveOutOneNumberOfAText() throws IOException {
        String line =
                "{\"timeNs\": 1,\"role\": \"client\",\"kind\": \"call\",\"verb\": \"ibv_post_send\",\"text\": \"%s\","
                        + "\"details\": {\"qp\": 17,\"wr_id\": 1}}";
        CommandRun.assertDone(view(Files.write(
                folder.resolve("texts.jsonl"),
                List.of(line.formatted("wr_id 1  behind wr_id 1"), line.formatted("wr_id 12")))));
        List<?> texts = (List<?>) description().get("texts");
        assertTrue(texts.contains("wr_id {w}  behind wr_id 1"), texts.toString());
        assertTrue(texts.contains("wr_id 12"), texts.toString());
    }

    @Test
    void shouldMoveTheClockThatContradictsMessages() {
        var clocks = new ClockAlignment(2);
        clocks.follows(event(0, 1000), event(1, 5_000_000_000L));
        clocks.follows(event(1, 5_000_100_000L), event(0, 301_000));
        long[] offsets = clocks.offsets(List.of("client", "server"));
        assertEquals(0, offsets[0]);
        // between 1000 - 5 s and 301000 - 5.0001 s
        assertEquals((1000 - 5_000_000_000L + 301_000 - 5_000_100_000L) / 2, offsets[1]);
        assertEquals(1, clocks.notes().size());
    }

    @Test
    void shouldLeaveClocksThatAgree() {
        var clocks = new ClockAlignment(2);
        clocks.follows(event(0, 1000), event(1, 2000));
        clocks.follows(event(1, 3000), event(0, 4000));
        assertEquals(0, clocks.offsets(List.of("client", "server"))[1]);
        assertEquals(List.of(), clocks.notes());
    }

    private static ViewEvent event(int source, long timeNs) {
        return ViewEvent.of(
                source, new TraceStep(Side.CLIENT, 0, timeNs, "client", "call", "ibv_post_send", "", Map.of(), 1));
    }

    /// The guide shows what *Save SVG* saved: after a change of the words, save the pictures anew.
    @ParameterizedTest
    @ValueSource(strings = {"no-receive", "wrong-key", "overtaken", "peer-killed", "loss"})
    void shouldSayTheSameAsThePicturesOfTheGuide(String trouble) throws IOException {
        CommandRun.assertDone(view(Stream.of("-client.jsonl", "-server.jsonl", ".pcap")
                .map(end -> recorded(trouble + end))
                .filter(Files::exists)
                .toArray(Path[]::new)));
        String picture = Files.readString(captured("docs/guide/images/trouble-" + trouble + ".svg"));
        Map<?, ?> finding = (Map<?, ?>) ((List<?>) description().get("findings")).getFirst();
        assertTrue(picture.contains(">" + XmlText.escape(titles().getFirst()) + "<"), titles().toString());
        for (Object fact : (List<?>) finding.get("facts")) {
            List<?> words = (List<?>) fact;
            assertTrue(picture.contains(XmlText.escape(words.get(0) + ": " + words.get(1))), fact.toString());
        }
    }

    /// Without traces the packet is all there is.
    @Test
    void shouldTellOfARefusalOnlyOnce() throws IOException {
        CommandRun.assertDone(view(recorded("wrong-key.pcap")));
        assertTrue(titles().getFirst().contains("NAK REMOTE ACCESS"), titles().toString());
        CommandRun.assertDone(view(
                recorded("wrong-key-client.jsonl"), recorded("wrong-key-server.jsonl"), recorded("wrong-key.pcap")));
        assertEquals(1, titles().size(), titles().toString());
    }
}
