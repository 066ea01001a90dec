package io.verbena.tools.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.tools.CommandRun;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Recordings of the flight recorder: whole, cut, damaged, and beside traces.
class RecordingViewTest {
    @TempDir
    private static Path folder;

    /// A recording with two chunks: no receive is posted, then a wrong key is used.
    private static Path recording;

    private static int sender;

    @BeforeAll
    static void record() throws IOException {
        recording = folder.resolve("talk.jfr");
        try (Recording first = recorder();
                Recording another = new Recording()) {
            first.start();
            sender = talk(false);
            another.start(); // begins another chunk
            talk(true);
            first.stop();
            first.dump(recording);
        }
    }

    private static Recording recorder() {
        Recording made = new Recording();
        for (String name : List.of("StateChange", "ErrorCompletion", "ReceiverNotReady", "NoReceive", "PathChoice")) {
            made.enable("verbena.soft." + name).with("throttle", "off");
        }
        return made;
    }

    /// Returns the number of the queue pair whose request fails.
    private static int talk(boolean isKeyWrong) {
        var fabric = new SimulatedFabric(1);
        InetAddress a = fabric.host("10.0.0.1").address();
        InetAddress b = fabric.host("10.0.0.2").address();
        try (Context left = fabric.host("10.0.0.1").device().open();
                Context right = fabric.host("10.0.0.2").device().open();
                ProtectionDomain leftPd = left.allocateProtectionDomain();
                ProtectionDomain rightPd = right.allocateProtectionDomain();
                MemoryRegion memory = leftPd.allocate(64, Access.LOCAL_WRITE);
                CompletionQueue leftCq = left.createCompletionQueue(8);
                CompletionQueue rightCq = right.createCompletionQueue(8);
                QueuePair from = leftPd.createQueuePair(QueuePairOptions.rc(leftCq));
                QueuePair to = rightPd.createQueuePair(QueuePairOptions.rc(rightCq))) {
            connect(from, b, to.number());
            connect(to, a, from.number());
            var request = from.newSendRequest().wrId(42).signaled();
            from.post((isKeyWrong ? request.write(0, 7) : request.send()).from(memory, 0, 64));
            List<CompletionStatus> statuses = new ArrayList<>();
            assertTrue(fabric.runUntil(
                    () -> leftCq.poll(completion -> statuses.add(completion.status()), 1) > 0, Duration.ofSeconds(9)));
            assertFalse(statuses.contains(CompletionStatus.SUCCESS));
            return from.number();
        }
    }

    private static void connect(QueuePair qp, InetAddress peer, int peerQp) {
        qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
        qp.modify(QueuePairChange.toRtr(AddressVector.to(peer), peerQp, 1));
        qp.modify(QueuePairChange.toRts(1).rnrRetry(1));
    }

    private static CommandRun view(Path... files) {
        List<String> arguments =
                new ArrayList<>(List.of("-o", folder.resolve("page.html").toString(), "--no-open"));
        Arrays.stream(files).map(Path::toString).forEach(arguments::add);
        return CommandRun.of("view", arguments.toArray(String[]::new));
    }

    private static List<String> titles() throws IOException {
        return PageContent.titles(folder.resolve("page.html"));
    }

    private static String error(CompletionStatus status) {
        String operation = status == CompletionStatus.RNR_RETRY_EXCEEDED ? "SEND" : "RDMA WRITE";
        return "%s on QP 0x%x, wr_id 42 at 10.0.0.1: %s".formatted(operation, sender, status);
    }

    @Test
    void shouldTellTheErrorsOfARecordingWithCauseAndRemedy() throws IOException {
        CommandRun.assertDone(view(recording));
        List<String> titles = titles();
        assertTrue(titles.contains(error(CompletionStatus.RNR_RETRY_EXCEEDED)), titles::toString);
        assertTrue(titles.contains(error(CompletionStatus.REMOTE_ACCESS_ERROR)), titles::toString);
        // what led to the error is told with it, on both sides, and not once more
        assertTrue(
                titles.stream()
                        .noneMatch(title -> title.contains("no receive posted") || title.contains("No receive was")),
                titles::toString);
        String page = String.valueOf(PageContent.description(folder.resolve("page.html")));
        assertTrue(page.contains("[ReceiverNotReady, "), page);
        assertTrue(page.contains("[NoReceive, "), page);
        assertTrue(page.contains("post receives before the peer sends"), page);
        assertTrue(page.contains("from RTS, to ERR, cause a request failed"), page);
    }

    @Test
    void shouldShowTheWholeChunksOfACutRecording() throws IOException {
        byte[] whole = Files.readAllBytes(recording);
        Path cut = Files.write(folder.resolve("cut.jfr"), Arrays.copyOf(whole, whole.length - 100));
        CommandRun run = view(cut);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.err().contains("the file ends inside chunk 2, 100 bytes too early"), run.err());
        assertTrue(titles().contains(error(CompletionStatus.RNR_RETRY_EXCEEDED)));
        assertFalse(titles().contains(error(CompletionStatus.REMOTE_ACCESS_ERROR)));
    }

    @Test
    void shouldShowTheChunksBehindADamagedOne() throws IOException {
        byte[] bytes = Files.readAllBytes(recording);
        int first = (int) ByteBuffer.wrap(bytes).getLong(8);
        Arrays.fill(bytes, 68, first, (byte) 0x7F);
        CommandRun run = view(Files.write(folder.resolve("damaged.jfr"), bytes));
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.err().contains("chunk 1 is damaged"), run.err());
        assertTrue(titles().contains(error(CompletionStatus.REMOTE_ACCESS_ERROR)));
    }

    @Test
    void shouldSayWhatCannotBeReadWhenTheOnlyChunkIsCut() throws IOException {
        byte[] bytes = Files.readAllBytes(recording);
        Path cut = Files.write(folder.resolve("head.jfr"), Arrays.copyOf(bytes, 200));
        CommandRun.assertFailed(view(cut), "the file ends inside chunk 1");
        Path other = Files.write(folder.resolve("tail.jfr"), new byte[] {'F', 'L', 'R', 0, 1});
        CommandRun.assertFailed(view(other), "is no recording");
    }

    @Test
    void shouldShowRecordingsBesideTracesAndCaptures() throws IOException {
        Path troubles = ViewBrowserTest.troubles();
        CommandRun.assertDone(view(
                troubles.resolve("no-receive-client.jsonl"),
                recording,
                troubles.resolve("no-receive-server.jsonl"),
                troubles.resolve("no-receive.pcap")));
        assertTrue(titles().contains(error(CompletionStatus.REMOTE_ACCESS_ERROR)));
        String lanes = String.valueOf(
                PageContent.description(folder.resolve("page.html")).get("lanes"));
        assertTrue(lanes.contains("JFR 10.0.0.1 QP 0x" + Integer.toHexString(sender)), lanes);
    }

    /// The trace of the same program, which has the failed completion.
    @Test
    void shouldJoinAnErrorWithTheCompletionThatTheTraceHas() throws IOException {
        long timeNs = System.currentTimeMillis() * 1_000_000;
        String details = "\"details\":{\"qp\":%d,\"wr_id\":42,\"operation\":\"SEND\"".formatted(sender);
        String head = "{\"timeNs\":%d,\"role\":\"client\",\"kind\":\"%s\",\"verb\":\"%s\",\"text\":\"\",";
        Path trace = Files.write(
                folder.resolve("same.jsonl"),
                List.of(
                        head.formatted(timeNs, "call", "ibv_post_send") + details + ",\"signaled\":true}}",
                        head.formatted(timeNs + 1, "completion", "completion") + details
                                + ",\"status\":\"RNR_RETRY_EXCEEDED\"}}"));
        CommandRun.assertDone(view(trace, recording));
        List<String> titles = titles();
        assertTrue(titles.contains("The server had no receive posted, so the client's SEND fails"), titles::toString);
        assertTrue(
                titles.stream()
                        .noneMatch(title -> title.contains("at 10.0.0.1: " + CompletionStatus.RNR_RETRY_EXCEEDED)),
                titles::toString);
        // the recording tells of the same trouble: its events are steps, not findings
        assertTrue(
                titles.stream().noneMatch(title -> title.contains("posted on") || title.contains("posted when")),
                titles::toString);
        String page = String.valueOf(PageContent.description(folder.resolve("page.html")));
        assertTrue(page.contains("the client waits and sends again: its peer had no receive posted"), page);
        assertTrue(page.contains("10.0.0.2 has no receive posted for a message"), page);
    }
}
