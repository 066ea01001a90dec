package io.verbena.tools.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/// What is found out from traces and captures.
class FindingsTest extends ConversationRig {
    /// 0, 1 and 3 never came before the receiver asked for 0; 6 and 7 got lost when all was sent again.
    @Test
    void shouldNameEachLostPacketAndHowLateTheRequestsWere() throws IOException {
        List<Finding> findings = findingsOf("loss");
        assertEquals(1, findings.size(), findings.toString());
        assertEquals(
                "5 packets from the client to the server were lost, so 2 requests were late",
                findings.getFirst().title());
        assertEquals("PSN 0, 1 and 3; PSN 6 and 7 when sent again", fact(findings.getFirst(), "lost"));
        assertEquals("PSN 0 and 6, by the receiver (NAK)", fact(findings.getFirst(), "asked for"));
        assertEquals("16 packets", fact(findings.getFirst(), "sent again"));
        List<String> steps =
                findings.getFirst().steps().stream().map(Finding.Step::why).toList();
        assertTrue(steps.contains("sent again from here: PSN 0 to 5, 6 packets"), steps.toString());
        assertTrue(steps.contains("sent again from here: PSN 6 to 15, 10 packets"), steps.toString());
        assertTrue(
                steps.contains("PSN 6 and 7 are missing before this packet: lost when they were sent again"),
                steps.toString());
        assertHas(
                "wr_id 1 took 93.5 ms; from its first packet to the last one sent again: 50.0 ms",
                fact(findings.getFirst(), "late"));
    }

    private static String fact(Finding finding, String name) {
        return finding.facts().stream()
                .filter(fact -> fact.name().equals(name))
                .map(Finding.Fact::value)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in " + finding.facts()));
    }

    @Test
    void shouldMarkEachFailedCompletionAsAnError() throws IOException {
        for (String trouble : List.of("wrong-key", "peer-killed")) {
            sources.clear();
            findingsOf(trouble);
            List<ViewEvent> failed = conversation.events().stream()
                    .filter(event -> event.isCompletion() && !event.status.equals("SUCCESS"))
                    .toList();
            assertEquals(2, failed.size());
            failed.forEach(event -> assertEquals(Level.ERROR, event.level, event.text));
        }
    }

    @Test
    void shouldTellOfAnOvertakenRequestOnceAndMarkIt() throws IOException {
        List<Finding> findings = findingsOf("overtaken");
        assertEquals(1, findings.size(), findings.toString());
        Finding finding = findings.getFirst();
        assertEquals(Level.WARNING, finding.level());
        assertEquals(
                "The client took the wrong completion: it polled that of the answer, and never that of its SEND",
                finding.title());
        assertEquals("1 request completed in the expected order: the order is chance", fact(finding, "before that"));
        assertHas("SEND, wr_id 1, 64 bytes, client QP 0x2867 to server QP 0x15868", fact(finding, "request"));
        assertHas("RECEIVE, wr_id 2", fact(finding, "polled first"));
        assertEquals(Level.WARNING, finding.event().level);
        assertEquals(Level.WARNING, finding.steps().getFirst().event().level);
    }

    @Test
    void shouldNotAdviseToWaitForAReceiveThatIsNeverPosted() throws IOException {
        Finding finding = findingsOf("no-receive").getFirst();
        assertEquals("The server never posts a receive, so the client's SEND fails", finding.title());
        assertEquals("0 posted when the request came, none later", fact(finding, "receives of the server"));
        assertEquals("sent 4 times, answered 4 times by RNR NAK", fact(finding, "on the wire"));
        assertTrue(!finding.remedy().contains("or raise"), finding.remedy());
        assertHas("RNR (receiver not ready)", finding.explanation());
        assertEquals(
                4,
                finding.steps().stream()
                        .filter(step -> step.event().name.equals("RNR NAK"))
                        .count());
    }

    /// The failed request and the end of the peer's trace are one event.
    @Test
    void shouldTellOfAPeerThatDiedOnce() throws IOException {
        List<Finding> findings = findingsOf("peer-killed");
        assertEquals(1, findings.size(), findings.toString());
        Finding finding = findings.getFirst();
        assertEquals(
                "The server was probably killed while connected, so the client's RDMA WRITE fails", finding.title());
        assertHas("at 6353.164 ms", fact(finding, "last packet of the server"));
        assertHas("between 6353.164 ms (its last packet) and ", fact(finding, "answers end"));
        assertTrue(finding.explanation().contains("probably killed"), finding.explanation());
        assertEquals(
                List.of("sent for the first time"),
                finding.steps().stream()
                        .map(Finding.Step::why)
                        .filter(why -> why.startsWith("sent") && !why.startsWith("sent again 7 times"))
                        .toList());
        assertHas("ends at 6300.102 ms, while connected", fact(finding, "trace of the server"));
        assertEquals("sent 8 times, no answer", fact(finding, "on the wire"));
        assertEquals("wr_id 2", fact(finding, "flushed behind it"));
        assertTrue(!finding.explanation().contains("do not match"), finding.explanation());
        ViewEvent last = conversation.trace(Side.SERVER).events().getLast();
        assertEquals(Level.WARNING, last.level, "the end of the trace stands out all the same");
    }

    @Test
    void shouldTellOfATraceThatEndsConnectedWhenNothingElseDoes() throws IOException {
        addTrace(recorded("peer-killed-server.jsonl"), Side.SERVER);
        List<Finding> findings = Findings.of(Conversation.of(sources));
        assertEquals(1, findings.size(), findings.toString());
        assertEquals(
                "The trace of the server ends while it is connected",
                findings.getFirst().title());
    }

    @Test
    void shouldNameTheOneReasonOfAnAccessError() throws IOException {
        List<Finding> findings = findingsOf("wrong-key");
        assertEquals(1, findings.size(), findings.toString());
        Finding finding = findings.getFirst();
        assertEquals(
                "The client posted rkey 0x63fe4779, which the server does not have, so its RDMA WRITE fails",
                finding.title());
        assertEquals("0x63fe4779", fact(finding, "rkey posted by the client"));
        assertTrue(
                finding.steps().stream()
                        .anyMatch(
                                step -> step.why().equals("the client posts RDMA WRITE wr_id 1 with rkey 0x63fe4779")),
                finding.steps().toString());
        assertEquals("0x63fe4679, 8192 bytes, LOCAL_WRITE REMOTE_WRITE", fact(finding, "rkey of the server"));
        assertTrue(finding.explanation().contains("in one bit"), finding::explanation);
    }

    /// What an operator often has: one side only.
    @Test
    void shouldNameTheCauseAlsoWithoutTheTraceOfThePeer() throws IOException {
        addTrace(recorded("wrong-key-client.jsonl"), Side.CLIENT);
        Finding refused = Findings.of(Conversation.of(sources)).getFirst();
        assertEquals("The server refused rkey 0x63fe4779, so the client's RDMA WRITE fails", refused.title());
        assertHas("REMOTE_WRITE, 64 bytes at", fact(refused, "request wants"));
        sources.clear();
        addTrace(recorded("peer-killed-client.jsonl"), Side.CLIENT);
        addCapture(CaptureInput.read(recorded("peer-killed.pcap"), false, Assertions::fail));
        Finding silent = Findings.of(Conversation.of(sources)).getFirst();
        assertHas("The server answers nothing after ", silent.title());
        assertHas("1946.7 ms before the error", fact(silent, "last packet of the server"));
    }

    private List<Finding> findingsOfCapture(String trouble) throws IOException {
        sources.clear();
        addCapture(CaptureInput.read(recorded(trouble + ".pcap"), false, Assertions::fail));
        return Findings.of(Conversation.of(sources));
    }

    @Test
    void shouldTellOnceWhatACaptureAloneShows() throws IOException {
        List<Finding> notReady = findingsOfCapture("no-receive");
        assertEquals(1, notReady.size(), notReady.toString());
        assertHas("No receive was posted for what was sent", notReady.getFirst().title());
        assertHas("4 answers RNR NAK", notReady.getFirst().title());
        // each try and each answer is a step
        assertEquals(8, notReady.getFirst().steps().size());
        assertEquals("sent 4 times, answered 4 times by RNR NAK", fact(notReady.getFirst(), "on the wire"));
        List<Finding> silent = findingsOfCapture("peer-killed");
        assertEquals(1, silent.size(), silent.toString());
        assertEquals(
                "2 requests from 127.93.0.1 to QP 0x39a00 of 127.93.77.1 got no answer",
                silent.getFirst().title());
        assertEquals("14 packets", fact(silent.getFirst(), "sent again"));
        assertHas("at ", fact(silent.getFirst(), "last answer"));
    }

    /// Without a trace nothing tells with which number the sender began, but the receiver asks for 0.
    @Test
    void shouldCountWhatTheReceiverAsksForAsLostAlsoBeforeTheFirstPacket() throws IOException {
        List<Finding> findings = findingsOfCapture("loss");
        assertEquals(1, findings.size(), findings.toString());
        assertEquals("PSN 0, 1 and 3; PSN 6 and 7 when sent again", fact(findings.getFirst(), "lost"));
    }

    /// The trace with another text in the place of one.
    private Path changed(String name, String from, String to) throws IOException {
        String text = Files.readString(recorded(name));
        assertHas(from, text);
        return Files.writeString(folder.resolve(name), text.replace(from, to));
    }

    @Test
    void shouldCompareTheRightsOfTheKeyWithThoseThatTheRequestNeeds() throws IOException {
        addTrace(recorded("wrong-key-client.jsonl"), Side.CLIENT);
        Path server = changed("wrong-key-server.jsonl", "0x63fe4679", "0x63fe4779");
        Files.writeString(
                server, Files.readString(server).replace("LOCAL_WRITE|REMOTE_WRITE", "LOCAL_WRITE|REMOTE_READ"));
        addTrace(server, Side.SERVER);
        Finding finding = Findings.of(Conversation.of(sources)).getFirst();
        assertHas("The server registered this memory without REMOTE_WRITE", finding.title());
        assertHas("REMOTE_WRITE, 64 bytes at 0x7f88fc83c000", fact(finding, "request wants"));
        assertEquals("8192 bytes, LOCAL_WRITE REMOTE_READ", fact(finding, "rkey 0x63fe4779 allows"));
    }

    /// One card for one cause, however many queue pairs it hits.
    @Test
    void shouldTellOfOneCauseOnceWhenSeveralQueuePairsFail() {
        List<TraceStep> client = new ArrayList<>();
        for (int qp = 17; qp < 20; qp++) {
            Map<String, Object> connected = Map.of("qp", (long) qp, "dest_qp", qp + 100L, "state", "RTS");
            client.add(step(Side.CLIENT, client.size(), "call", "ibv_modify_qp", connected));
        }
        for (int qp = 17; qp < 20; qp++) {
            Map<String, Object> send = Map.of("qp", (long) qp, "wr_id", 1L, "operation", "SEND", "signaled", true);
            client.add(step(Side.CLIENT, client.size(), "call", "ibv_post_send", send));
            client.add(completion(client.size(), qp, "RNR_RETRY_EXCEEDED"));
        }
        addTrace(client, Side.CLIENT);
        addTrace(List.of(step(Side.SERVER, 0, "call", "ibv_create_qp", Map.of("qp", 117L))), Side.SERVER);
        List<Finding> findings = Findings.of(Conversation.of(sources));
        assertHas("The SERVER never posts a receive", findings.getFirst().title());
        assertEquals("QP 0x12, QP 0x13", fact(findings.getFirst(), "the same on"));
        assertEquals(
                1, findings.stream().filter(each -> each.level() == Level.ERROR).count(), findings.toString());
    }

    @Test
    void shouldSayThatNothingWasCaptured() throws IOException {
        findingsOf("overtaken");
        Lane wire = conversation.lanes().stream()
                .filter(lane -> lane.group().equals("wire"))
                .findFirst()
                .orElseThrow();
        assertEquals("nothing was captured: no capture was given", wire.note());
        assertHas("nothing was captured", conversation.notes().getFirst());
        addCapture(List.of());
        conversation = Conversation.of(sources);
        assertTrue(conversation.lanes().stream().anyMatch(lane -> lane.note().endsWith("the capture is empty")));
    }

    @Test
    void shouldSayThatACaptureIsOfSomethingElse() throws IOException {
        addTrace(recorded("overtaken-client.jsonl"), Side.CLIENT);
        addCapture(loss());
        conversation = Conversation.of(sources);
        assertEquals(1, conversation.notes().size(), conversation.notes().toString());
        assertHas(
                "No packet of the capture is of a queue pair of the traces",
                conversation.notes().getFirst());
        assertTrue(conversation.lanes().stream().allMatch(lane -> lane.note().isEmpty()));
    }

    private List<String> findings(TraceStep... steps) {
        sources.clear();
        addTrace(List.of(steps), Side.CLIENT);
        return Findings.of(Conversation.of(sources)).stream()
                .map(Finding::title)
                .toList();
    }

    private static boolean isFlushTold(List<String> titles) {
        return titles.stream().anyMatch(title -> title.startsWith("1 request was flushed on QP 0x11 "));
    }

    /// 17 is the beginning of 170.
    @Test
    void shouldTellOfFlushedRequestsWhenAnotherQueuePairFailed() {
        List<String> titles =
                findings(completion(0, 170, "REMOTE_ACCESS_ERROR"), completion(1, 17, "WORK_REQUEST_FLUSHED"));
        assertTrue(isFlushTold(titles), titles.toString());
        List<String> explained =
                findings(completion(0, 17, "REMOTE_ACCESS_ERROR"), completion(1, 17, "WORK_REQUEST_FLUSHED"));
        assertTrue(!isFlushTold(explained), explained.toString());
    }

    @Test
    void shouldTellOfFlushedRequestsUnlessTheirConnectionHadEnded() {
        TraceStep flushed = completion(1, 17, "WORK_REQUEST_FLUSHED");
        assertTrue(isFlushTold(findings(call(0, "rdma_disconnect", 18), flushed)), "another queue pair");
        assertTrue(
                isFlushTold(findings(call(0, "ibv_post_send", 17), flushed, call(2, "ibv_destroy_qp", 17))), "later");
        assertTrue(!isFlushTold(findings(call(0, "rdma_disconnect", 17), flushed)), "disconnected before");
        TraceStep taken = step(Side.CLIENT, 2, "event", "RDMA_CM_EVENT_DISCONNECTED", Map.of("qp", 17L));
        assertTrue(!isFlushTold(findings(call(0, "ibv_post_send", 17), flushed, taken)), "the event is taken later");
    }

    @Test
    void shouldCountADisconnectOfThePeerOfTheSameConnection() {
        for (int connected : List.of(17, 18)) {
            sources.clear();
            Map<String, Object> toPeer = Map.of("qp", (long) connected, "dest_qp", 30L);
            TraceStep flushed = completion(3, 17, "WORK_REQUEST_FLUSHED");
            TraceStep post = call(2, "ibv_post_send", 17);
            addTrace(
                    List.of(
                            step(Side.CLIENT, 0, "call", "ibv_modify_qp", toPeer),
                            call(1, "ibv_create_qp", 17),
                            post,
                            flushed),
                    Side.CLIENT);
            TraceStep disconnect = step(Side.SERVER, 0, "call", "rdma_disconnect", Map.of("qp", 30L));
            addTrace(List.of(disconnect), Side.SERVER);
            List<String> titles = Findings.of(Conversation.of(sources)).stream()
                    .map(Finding::title)
                    .toList();
            assertEquals(connected == 18, isFlushTold(titles), titles.toString());
        }
    }
}
