package io.verbena.tools.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.tools.recording.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Which packets and calls belong together.
class MatchingTest extends ConversationRig {
    /// The queue pairs of the recorded loss.
    private static final int CLIENT_QP = 0x1d11c;

    private static final int SERVER_QP = 0x3169;

    private static long postsWithPackets(Conversation conversation) {
        return conversation.flows().stream()
                .filter(flow -> flow.post != null && flow.events.stream().anyMatch(ViewEvent::isPacket))
                .count();
    }

    /// The first packets were lost before the capture saw them, and come later.
    @Test
    void shouldMatchEachPostWithItsPacketsWhenTheCaptureHasThemAll() throws IOException {
        addTrace(recorded("loss-client.jsonl"), Side.CLIENT);
        addTrace(recorded("loss-server.jsonl"), Side.SERVER);
        addCapture(loss());
        conversation = Conversation.of(sources);
        assertEquals(2, postsWithPackets(conversation));
        assertEquals(List.of(), conversation.notes());
    }

    @Test
    void shouldGiveEachPacketToItsRequestAlsoWhenItsFirstOneWasLost() throws IOException {
        findingsOf("loss");
        for (ViewEvent event : conversation.events()) {
            if (event.isPacket()) {
                assertTrue(event.flow != null && event.flow.post != null, event.text);
                assertEquals(event.packet.psn() < 8 ? 1 : 2, event.flow.post.wrId(), event.text);
            }
        }
    }

    @Test
    void shouldMatchARequestWhoseOnlyPacketWasLostFirst() {
        var stream = new PacketStream();
        for (int psn : List.of(1, 2, 0, 1, 2)) {
            stream.request(packet(psn, Opcode.RC_SEND_ONLY));
        }
        stream.finish(0);
        assertTrue(stream.isFromTheStart());
        assertEquals(3, stream.messages.size());
        assertEquals(1, stream.lost.size());
        assertEquals(3, stream.repeated.size());
    }

    @Test
    void shouldNotCallPacketsLostThatOnlyTheCaptureMissed() {
        var stream = new PacketStream();
        for (int psn : List.of(0, 1, 4, 5)) {
            stream.request(packet(psn, Opcode.RC_SEND_ONLY));
        }
        stream.finish(0);
        assertEquals(List.of(), stream.lost);
        assertEquals(1, stream.absent.size());
    }

    /// What a sender that repeats single packets does not repeat has arrived.
    @Test
    void shouldNotCallPacketsLostThatNeedNotBeRepeated() {
        var stream = new PacketStream();
        for (int psn : List.of(0, 2, 3, 1, 4)) {
            stream.request(packet(psn, Opcode.RC_SEND_ONLY));
        }
        stream.finish(0);
        assertEquals(1, stream.lost.size());
        assertEquals(List.of(), stream.absent);
    }

    private static ViewEvent packet(int psn, Opcode opcode) {
        return ViewEvent.of(0, new CapturedPacket(1000L * psn, "a", "b", opcode, 17, -1, psn, 8, -1, -1, null, ""));
    }

    /// Both requests of the recording are alike: the second one must not be taken for the first.
    @Test
    void shouldNotMatchACaptureThatBeginsLate() throws IOException {
        List<CapturedPacket> late =
                loss().stream().filter(packet -> packet.psn() >= 8).toList();
        assertTrue(late.stream()
                .anyMatch(packet -> packet.psn() == 8 && packet.opcode().startsMessage()));
        addTrace(recorded("loss-client.jsonl"), Side.CLIENT);
        addCapture(late);
        conversation = Conversation.of(sources);
        assertEquals(0, postsWithPackets(conversation));
        assertEquals(1, conversation.notes().size(), conversation.notes().toString());
        assertTrue(conversation.notes().getFirst().contains("its beginning is not in the capture"));
    }

    @Test
    void shouldNotMatchReceivesWithACaptureThatBeginsLate() throws IOException {
        List<CapturedPacket> late =
                loss().stream().filter(packet -> packet.psn() >= 8).toList();
        Map<String, Object> received = Map.of("qp", (long) SERVER_QP, "operation", "RECEIVE", "status", "SUCCESS");
        addTrace(List.of(step(Side.SERVER, 0, "completion", "completion", received)), Side.SERVER);
        addCapture(late.stream().map(MatchingTest::asSend).toList());
        conversation = Conversation.of(sources);
        assertTrue(conversation.flows().stream().allMatch(flow -> flow.received == null));
        assertEquals(1, conversation.notes().size(), conversation.notes().toString());
    }

    private static CapturedPacket asSend(CapturedPacket packet) {
        return packet.isRequest() ? with(packet, Opcode.RC_SEND_ONLY, packet.destinationQp()) : packet;
    }

    private static CapturedPacket with(CapturedPacket packet, Opcode opcode, int destinationQp) {
        return new CapturedPacket(
                packet.timeNs(),
                packet.from(),
                packet.to(),
                opcode,
                destinationQp,
                packet.sourceQp(),
                packet.psn(),
                packet.payloadBytes(),
                packet.syndrome(),
                packet.requestBytes(),
                packet.cm(),
                packet.text());
    }

    /// The trace with the client's number for both queue pairs.
    private Path sameNumber(String name) throws IOException {
        String text = Files.readString(recorded(name)).replace("qp\": " + SERVER_QP, "qp\": " + CLIENT_QP);
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void shouldNotMixQueuePairsOfBothSidesWithTheSameNumber() throws IOException {
        addTrace(sameNumber("loss-client.jsonl"), Side.CLIENT);
        addTrace(sameNumber("loss-server.jsonl"), Side.SERVER);
        addCapture(loss().stream()
                .map(packet -> with(packet, packet.opcode(), CLIENT_QP))
                .toList());
        assertUnmatched();
    }

    @Test
    void shouldNotTakePacketsOfTheOtherHostForThoseOfTheTrace() throws IOException {
        addTrace(sameNumber("loss-client.jsonl"), Side.CLIENT);
        addCapture(loss().stream()
                .map(packet -> with(packet, packet.opcode(), CLIENT_QP))
                .toList());
        assertUnmatched();
    }

    private void assertUnmatched() {
        conversation = Conversation.of(sources);
        assertEquals(0, postsWithPackets(conversation));
        assertTrue(conversation.events().stream().allMatch(event -> !event.isPacket() || event.side == null));
        assertEquals(1, conversation.notes().size(), conversation.notes().toString());
        assertTrue(conversation.notes().getFirst().contains("both sides have a queue pair of this number"));
    }
}
