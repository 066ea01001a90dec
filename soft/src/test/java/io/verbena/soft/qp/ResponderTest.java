package io.verbena.soft.qp;

import static io.verbena.soft.rig.ScriptedPeer.MTU;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// How a responder handles requests that no correct peer would send: opcode order, lengths, duplicates.
class ResponderTest {
    private final ScriptedPeer peer = new ScriptedPeer();

    @AfterEach
    void close() {
        assertEquals(0, peer.count(Counter.ENGINE_FAULTS));
        peer.memory.assertGuardsUntouched();
        peer.close();
    }

    private RawPacket write(Opcode opcode, int after, int length) {
        return peer.request(opcode, after).reth(peer.memory.address(), peer.memory.rkey(), length);
    }

    private RawPacket read(int after, int offset, int length) {
        return peer.request(Opcode.RC_RDMA_READ_REQUEST, after)
                .reth(peer.memory.address() + offset, peer.memory.rkey(), length);
    }

    @Test
    void shouldCarryOutWhatIsRight() {
        peer.receive(5, 1024, 2 * MTU);
        peer.send(
                peer.request(Opcode.RC_SEND_FIRST, 0).payload(MTU),
                peer.request(Opcode.RC_SEND_LAST_WITH_IMMEDIATE, 1)
                        .payload(7)
                        .immediate(0x0102_0304)
                        .ackRequested());
        assertEquals(List.of(CompletionStatus.SUCCESS), peer.statuses());
        WorkCompletion received = peer.completions.getFirst();
        assertEquals(CompletionOpcode.RECEIVE, received.opcode());
        assertEquals(MTU + 7, received.byteLength());
        assertEquals(0x0102_0304, received.immediate());
        assertEquals(1, peer.answers.size());
        ScriptedPeer.Frame ack = peer.answers.getFirst();
        assertEquals(Opcode.RC_ACKNOWLEDGE, ack.opcode());
        assertEquals(Syndrome.ACK, ack.syndrome());
        assertEquals(1, ack.msn(), "one message");
        assertEquals(ScriptedPeer.PEER_PSN + 1 & 0xFF_FFFF, ack.psn());
        byte[] expected = new byte[MTU + 7];
        Arrays.fill(expected, (byte) 0x77);
        assertArrayEquals(expected, peer.memory.bytes(1024, MTU + 7));
        peer.memory.assertUntouched(1024 + MTU + 7, MTU - 7);
    }

    @Test
    void shouldAcknowledgeAMessageBeforeTheAnswerOfTheProgram() {
        peer.receive(5, 1024, MTU);
        peer.sendWhilePolled(
                completion -> peer.postSend(6, 4),
                peer.request(Opcode.RC_SEND_ONLY, 0).payload(4).ackRequested());
        assertEquals(
                List.of(Opcode.RC_ACKNOWLEDGE, Opcode.RC_SEND_ONLY),
                peer.answers.stream().map(ScriptedPeer.Frame::opcode).limit(2).toList());
    }

    @Test
    void shouldNotAcknowledgeWhatDoesNotAskForIt() {
        peer.send(write(Opcode.RC_RDMA_WRITE_ONLY, 0, 4).payload(4));
        assertEquals(List.of(), peer.answers);
        assertEquals(0x77, peer.memory.bytes(0, 1)[0]);
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {
                "RC_SEND_MIDDLE",
                "RC_SEND_LAST",
                "RC_SEND_LAST_WITH_IMMEDIATE",
                "RC_RDMA_WRITE_MIDDLE",
                "RC_RDMA_WRITE_LAST",
                "RC_RDMA_WRITE_LAST_WITH_IMMEDIATE"
            })
    void shouldRefuseAMessageThatNeverBegan(Opcode opcode) {
        peer.receive(1, 0, 4096);
        peer.send(peer.request(opcode, 0).payload(MTU));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        assertEquals(List.of(CompletionStatus.WORK_REQUEST_FLUSHED), peer.statuses());
        peer.memory.assertUntouched();
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {
                "RC_SEND_FIRST",
                "RC_SEND_ONLY",
                "RC_SEND_ONLY_WITH_IMMEDIATE",
                "RC_RDMA_WRITE_FIRST",
                "RC_RDMA_WRITE_MIDDLE",
                "RC_RDMA_WRITE_LAST",
                "RC_RDMA_WRITE_ONLY",
                "RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE",
                "RC_RDMA_READ_REQUEST",
                "RC_FETCH_ADD"
            })
    void shouldRefuseAnotherMessageInTheMiddleOfASend(Opcode opcode) {
        peer.receive(1, 0, 4096);
        RawPacket second = peer.request(opcode, 1);
        if (opcode.has(io.verbena.roce.packet.Header.RETH)) {
            second.reth(peer.memory.address() + 8192, peer.memory.rkey(), MTU);
        }
        if (opcode != Opcode.RC_RDMA_READ_REQUEST && opcode != Opcode.RC_FETCH_ADD) {
            second.payload(MTU);
        }
        peer.send(peer.request(Opcode.RC_SEND_FIRST, 0).payload(MTU), second);
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 1);
        assertEquals(List.of(CompletionStatus.WORK_REQUEST_FLUSHED), peer.statuses());
        peer.memory.assertUntouched(8192, MTU);
    }

    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_SEND_ONLY", "RC_SEND_MIDDLE", "RC_SEND_LAST", "RC_RDMA_WRITE_FIRST", "RC_RDMA_WRITE_ONLY"})
    void shouldRefuseAnotherMessageInTheMiddleOfAWrite(Opcode opcode) {
        peer.receive(1, 8192, 4096);
        RawPacket second = peer.request(opcode, 1).payload(MTU);
        if (opcode.isWrite()) {
            second.reth(peer.memory.address() + 8192, peer.memory.rkey(), opcode.endsMessage() ? MTU : 2 * MTU);
        }
        peer.send(write(Opcode.RC_RDMA_WRITE_FIRST, 0, 3 * MTU).payload(MTU), second);
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 1);
        peer.memory.assertUntouched(MTU, peer.memory.length() - MTU);
    }

    @ParameterizedTest
    @CsvSource({
        "RC_SEND_FIRST, 255",
        "RC_SEND_FIRST, 0",
        "RC_SEND_FIRST, 257",
        "RC_SEND_ONLY, 257",
        "RC_SEND_ONLY, 4096"
    })
    void shouldRefuseASendPacketOfTheWrongLength(Opcode opcode, int length) {
        peer.receive(1, 0, 8192);
        peer.send(peer.request(opcode, 0).payload(length));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        peer.memory.assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({
        "RC_RDMA_WRITE_FIRST, 255, 1000",
        "RC_RDMA_WRITE_FIRST, 257, 1000",
        "RC_RDMA_WRITE_FIRST, 256, 256",
        "RC_RDMA_WRITE_FIRST, 256, 100",
        "RC_RDMA_WRITE_ONLY, 100, 101",
        "RC_RDMA_WRITE_ONLY, 100, 99",
        "RC_RDMA_WRITE_ONLY, 257, 257",
        "RC_RDMA_WRITE_ONLY, 0, 1",
        "RC_RDMA_WRITE_ONLY, 4, 0",
        "RC_RDMA_READ_REQUEST, 4, 4"
    })
    void shouldRefuseAFirstPacketWhoseLengthIsNotWhatItSays(Opcode opcode, int payload, int said) {
        peer.send(write(opcode, 0, said).payload(payload));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        peer.memory.assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({
        "RC_RDMA_WRITE_LAST, 99, 356", "RC_RDMA_WRITE_LAST, 101, 356", "RC_RDMA_WRITE_LAST, 0, 512",
        "RC_RDMA_WRITE_MIDDLE, 256, 512", "RC_RDMA_WRITE_MIDDLE, 256, 400", "RC_RDMA_WRITE_MIDDLE, 255, 1024"
    })
    void shouldRefuseAWriteThatIsLongerOrShorterThanItSaid(Opcode opcode, int payload, int said) {
        peer.send(
                write(Opcode.RC_RDMA_WRITE_FIRST, 0, said).payload(MTU),
                peer.request(opcode, 1).payload(payload));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 1);
        peer.memory.assertUntouched(MTU, peer.memory.length() - MTU);
    }

    @ParameterizedTest
    @CsvSource({"5, 2", "5, 0", "4, 1", "8, 3", "256, 1"})
    void shouldRefuseAWrongPad(int payload, int pad) {
        peer.receive(1, 0, 8192);
        peer.send(peer.request(Opcode.RC_SEND_ONLY, 0).payload(payload).pad(pad));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        peer.memory.assertUntouched();
    }

    @Test
    void shouldRefuseAWriteOfMoreThanTheLongestMessage() {
        peer.send(write(Opcode.RC_RDMA_WRITE_FIRST, 0, Integer.MIN_VALUE + 1).payload(MTU));
        peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
    }

    @ParameterizedTest
    @CsvSource({"100, 99", "512, 511", "300, 256", "300, 0"})
    void shouldRefuseASendThatIsLongerThanTheReceive(int message, int room) {
        peer.receive(9, 0, room);
        if (message <= MTU) {
            peer.send(peer.request(Opcode.RC_SEND_ONLY, 0).payload(message));
            peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, 0);
        } else {
            peer.send(
                    peer.request(Opcode.RC_SEND_FIRST, 0).payload(MTU),
                    peer.request(Opcode.RC_SEND_LAST, 1).payload(message - MTU));
            peer.expectRefusal(Syndrome.NAK_INVALID_REQUEST, room < MTU ? 0 : 1);
        }
        assertEquals(List.of(CompletionStatus.LOCAL_LENGTH_ERROR), peer.statuses());
        peer.memory.assertUntouched(room, peer.memory.length() - room);
    }

    @Test
    void shouldReportTheGapWhenADuplicateComesRightBehindIt() {
        RawPacket first = write(Opcode.RC_RDMA_WRITE_ONLY, 0, 4).payload(4).ackRequested();
        peer.send(first, write(Opcode.RC_RDMA_WRITE_ONLY, 2, 4).payload(4), first);
        assertEquals(1, peer.answers.size());
        assertEquals(Syndrome.NAK_PSN_SEQUENCE, peer.answers.getFirst().syndrome());
        assertEquals(
                ScriptedPeer.PEER_PSN + 1 & 0xFF_FFFF, peer.answers.getFirst().psn());
    }

    @Test
    void shouldTellToWaitWhenADuplicateComesRightBehindIt() {
        RawPacket first = write(Opcode.RC_RDMA_WRITE_ONLY, 0, 4).payload(4).ackRequested();
        peer.send(first, peer.request(Opcode.RC_SEND_ONLY, 1).payload(4).ackRequested(), first);
        assertEquals(1, peer.answers.size());
        assertTrue(Syndrome.isRnrNak(peer.answers.getFirst().syndrome()));
    }

    @Test
    void shouldAcknowledgeDuplicatesWithTheNewestPacketItCarriedOut() {
        RawPacket first = write(Opcode.RC_RDMA_WRITE_ONLY, 0, 4).payload(4).ackRequested();
        RawPacket second =
                write(Opcode.RC_RDMA_WRITE_ONLY, 1, 4).payload(new byte[4]).ackRequested();
        peer.send(first, second);
        peer.answers.clear();
        peer.send(first);
        assertEquals(1, peer.answers.size());
        assertEquals(
                ScriptedPeer.PEER_PSN + 1 & 0xFF_FFFF, peer.answers.getFirst().psn());
        assertEquals(2, peer.answers.getFirst().msn(), "duplicates are no messages");
        assertArrayEquals(new byte[4], peer.memory.bytes(0, 4), "the first write came again");
        assertEquals(QueuePairState.RTS, peer.qp.state());
    }

    @Test
    void shouldServeAReadWhenADuplicateOfTheOneBeforeComesWithIt() {
        ScriptedPeer single = new ScriptedPeer(ScriptedPeer.toRtr().maxDestinationReadAtomic(1), ScriptedPeer.toRts());
        try (single) {
            RawPacket first = single.request(Opcode.RC_RDMA_READ_REQUEST, 0)
                    .reth(single.memory.address(), single.memory.rkey(), 2 * MTU);
            RawPacket second = single.request(Opcode.RC_RDMA_READ_REQUEST, 2)
                    .reth(single.memory.address(), single.memory.rkey(), 2 * MTU);
            single.send(first);
            assertEquals(2, single.answers.size());
            single.send(first, second);
            assertEquals(QueuePairState.RTS, single.qp.state(), "the network made the copy, not the peer");
            assertEquals(
                    ScriptedPeer.PEER_PSN + 3 & 0xFF_FFFF,
                    single.answers.getLast().psn());
        }
    }

    @Test
    void shouldRefuseMoreReadsThanItServes() {
        ScriptedPeer two = new ScriptedPeer(ScriptedPeer.toRtr().maxDestinationReadAtomic(2), ScriptedPeer.toRts());
        try (two) {
            RawPacket[] reads = new RawPacket[3];
            for (int i = 0; i < 3; i++) {
                reads[i] = two.request(Opcode.RC_RDMA_READ_REQUEST, i).reth(two.memory.address(), two.memory.rkey(), 4);
            }
            two.send(reads);
            assertEquals(QueuePairState.ERR, two.qp.state());
            assertEquals(Syndrome.NAK_INVALID_REQUEST, two.answers.getLast().syndrome());
            assertEquals(
                    ScriptedPeer.PEER_PSN + 2 & 0xFF_FFFF, two.answers.getLast().psn());
            assertEquals(3, two.answers.size(), "two answers, then the refusal");
        }
    }

    @Test
    void shouldAnswerAgainOnlyWhatIsAskedForAgain() {
        peer.send(read(0, 0, 10 * MTU));
        peer.answers.clear();
        peer.send(read(2, 2 * MTU, 2 * MTU + 10));
        assertEquals(
                List.of(MTU, MTU, 10),
                peer.answers.stream().map(answer -> answer.payload().length).toList());
        assertEquals(Opcode.RC_RDMA_READ_RESPONSE_FIRST, peer.answers.getFirst().opcode());
        assertEquals(Opcode.RC_RDMA_READ_RESPONSE_LAST, peer.answers.getLast().opcode());
        assertEquals(
                ScriptedPeer.PEER_PSN + 4 & 0xFF_FFFF, peer.answers.getLast().psn());
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 0, 4", "0, 0, 1, 4", "0, 0, 0, 2561", "2, 0, 0, 256"})
    void shouldDropARepeatedReadThatAsksForSomethingElse(int after, int offset, int keyOff, int length) {
        peer.send(read(0, 0, 10 * MTU));
        peer.answers.clear();
        peer.send(peer.request(Opcode.RC_RDMA_READ_REQUEST, after)
                .reth(peer.memory.address() + offset, peer.memory.rkey() + keyOff, length));
        assertEquals(List.of(), peer.answers);
        assertEquals(QueuePairState.RTS, peer.qp.state());
        assertEquals(1, peer.count(Counter.DUPLICATE_REQUESTS));
    }

    @Test
    void shouldAcknowledgeOnlyBehindTheAnswersToReadsBeforeIt() {
        peer.send(
                read(0, 0, 3 * MTU),
                write(Opcode.RC_RDMA_WRITE_ONLY, 3, 4).payload(4).ackRequested());
        assertEquals(4, peer.answers.size());
        assertEquals(Opcode.RC_ACKNOWLEDGE, peer.answers.getLast().opcode());
        assertEquals(
                ScriptedPeer.PEER_PSN + 3 & 0xFF_FFFF, peer.answers.getLast().psn());
    }

    @Test
    void shouldNotReadAgainWhenTheQueuePairDoesNotAllowItAnyMore() {
        peer.send(read(0, 0, 8));
        assertEquals(1, peer.answers.size());
        peer.qp.modify(QueuePairChange.to(QueuePairState.RTS).access(Access.REMOTE_WRITE));
        peer.send(read(0, 0, 8));
        assertEquals(1, peer.answers.size(), "the repetition is dropped");
        assertEquals(QueuePairState.RTS, peer.qp.state());
    }
}
