package io.verbena.soft.qp;

import static io.verbena.soft.rig.ScriptedPeer.MTU;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How a requester handles responses that no correct peer would send.
class CompleterTest {
    private final ScriptedPeer peer =
            new ScriptedPeer(ScriptedPeer.toRtr(), ScriptedPeer.toRts().retryCount(1));

    @AfterEach
    void close() {
        assertEquals(0, peer.count(Counter.ENGINE_FAULTS));
        peer.memory.assertGuardsUntouched();
        peer.close();
    }

    private RawPacket ack(int of, int syndrome) {
        return peer.response(Opcode.RC_ACKNOWLEDGE, of).aeth(syndrome, 1);
    }

    private void expectNothing() {
        assertEquals(List.of(), peer.completions);
        assertEquals(QueuePairState.RTS, peer.qp.state());
        assertEquals(1, peer.count(Counter.STALE_RESPONSES));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1, 5})
    void shouldIgnoreAnAcknowledgementWhenNothingWasAsked(int of) {
        peer.send(ack(of, Syndrome.ACK));
        expectNothing();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 255, 0x7F_FFFF, -1, -2})
    void shouldIgnoreAnAcknowledgementOfWhatWasNeverSent(int of) {
        peer.postSend(1, 10);
        peer.send(ack(of, Syndrome.ACK));
        expectNothing();
        peer.send(ack(0, Syndrome.ACK));
        assertEquals(List.of(CompletionStatus.SUCCESS), peer.statuses());
    }

    @Test
    void shouldIgnoreAnErrorAnswerToWhatWasNeverSent() {
        peer.postSend(1, 10);
        peer.send(ack(1, Syndrome.NAK_REMOTE_ACCESS));
        expectNothing();
    }

    @Test
    void shouldIgnoreAReadAnswerWhenNoReadWasAsked() {
        peer.postSend(1, 10);
        peer.send(peer.response(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 0).payload(10));
        expectNothing();
        peer.memory.assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({
        "0x61, REMOTE_INVALID_REQUEST",
        "0x62, REMOTE_ACCESS_ERROR",
        "0x63, REMOTE_OPERATION_ERROR",
        "0x64, BAD_RESPONSE",
        "0x7F, BAD_RESPONSE"
    })
    void shouldEndTheRequestWithWhatTheAnswerSays(String syndrome, CompletionStatus status) {
        peer.postSend(1, 10);
        peer.postSend(2, 10);
        peer.postSend(3, 10);
        peer.send(ack(1, Integer.decode(syndrome)));
        assertEquals(List.of(CompletionStatus.SUCCESS, status, CompletionStatus.WORK_REQUEST_FLUSHED), peer.statuses());
        assertEquals(QueuePairState.ERR, peer.qp.state());
        assertEquals(1, peer.count(Counter.ERROR_NAKS_RECEIVED));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x40, 0x5F, 0x80, 0xFF})
    void shouldIgnoreReservedSyndromes(int syndrome) {
        peer.postSend(1, 10);
        peer.send(ack(0, syndrome));
        expectNothing();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 30})
    void shouldTakeAnyCreditCountForAnAcknowledgement(int credits) {
        peer.postSend(1, 10);
        peer.send(ack(0, credits));
        assertEquals(List.of(CompletionStatus.SUCCESS), peer.statuses());
    }

    @ParameterizedTest
    @CsvSource({"RC_RDMA_READ_RESPONSE_ONLY, 9", "RC_RDMA_READ_RESPONSE_ONLY, 11", "RC_RDMA_READ_RESPONSE_ONLY, 0"})
    void shouldFailAReadWhoseOnlyAnswerHasAnotherLength(Opcode opcode, int length) {
        peer.postRead(1, 0, 10);
        peer.send(peer.response(opcode, 0).payload(length));
        assertEquals(List.of(CompletionStatus.BAD_RESPONSE), peer.statuses());
        assertEquals(QueuePairState.ERR, peer.qp.state());
        peer.memory.assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(ints = {255, 257, 0})
    void shouldFailAReadWhoseFirstAnswerIsNotFull(int length) {
        peer.postRead(1, 0, 3 * MTU);
        peer.send(peer.response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 0).payload(length));
        assertEquals(List.of(CompletionStatus.BAD_RESPONSE), peer.statuses());
        peer.memory.assertUntouched();
    }

    @Test
    void shouldFailAReadWhoseLastAnswerIsTooLong() {
        peer.postRead(1, 0, MTU + 10);
        peer.send(
                peer.response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 0).payload(MTU),
                peer.response(Opcode.RC_RDMA_READ_RESPONSE_LAST, 1).payload(11));
        assertEquals(List.of(CompletionStatus.BAD_RESPONSE), peer.statuses());
        peer.memory.assertUntouched(MTU, MTU);
    }

    /// Linux continues with MIDDLE and LAST where adapters start with FIRST again.
    @ParameterizedTest
    @CsvSource({
        "RC_RDMA_READ_RESPONSE_FIRST, RC_RDMA_READ_RESPONSE_LAST",
        "RC_RDMA_READ_RESPONSE_MIDDLE, RC_RDMA_READ_RESPONSE_LAST",
        "RC_RDMA_READ_RESPONSE_ONLY, RC_RDMA_READ_RESPONSE_ONLY"
    })
    void shouldTakeAResumedAnswerHoweverItsPacketsAreCalled(Opcode second, Opcode third) {
        peer.postRead(1, 0, 3 * MTU);
        peer.send(
                peer.response(Opcode.RC_RDMA_READ_RESPONSE_FIRST, 0).payload(MTU),
                peer.response(second, 1).payload(MTU),
                peer.response(third, 2).payload(MTU));
        assertEquals(List.of(CompletionStatus.SUCCESS), peer.statuses());
        byte[] expected = new byte[3 * MTU];
        java.util.Arrays.fill(expected, (byte) 0x77);
        assertArrayEquals(expected, peer.memory.bytes(0, 3 * MTU));
        peer.memory.assertUntouched(3 * MTU, MTU);
    }

    @Test
    void shouldAskAgainWhenAnAcknowledgementComesInsteadOfTheAnswerToARead() {
        peer.postRead(1, 0, 10);
        peer.send(ack(0, Syndrome.ACK));
        assertEquals(List.of(), peer.completions);
        assertEquals(2, peer.answers.size());
        assertEquals(Opcode.RC_RDMA_READ_REQUEST, peer.answers.get(1).opcode());
        assertEquals(1, peer.count(Counter.LOST_READ_RESPONSES));
    }

    private void post(Operation operation) {
        var request = peer.qp.newSendRequest().wrId(1).signaled();
        switch (operation) {
            case RDMA_READ -> request.read(0x1000, 1);
            case FETCH_AND_ADD -> request.fetchAndAdd(0x1000, 1, 5);
            case ATOMIC_WRITE -> request.atomicWrite(0x1000, 1);
            default -> request.flush(0x1000, 1, 8, FlushType.GLOBAL_VISIBILITY);
        }
        peer.qp.post(request.from(peer.memory.region(), 0, 8));
        peer.run();
    }

    @ParameterizedTest
    @CsvSource({
        "RDMA_READ, RC_ATOMIC_ACKNOWLEDGE, 0",
        "FETCH_AND_ADD, RC_RDMA_READ_RESPONSE_ONLY, 8",
        "FETCH_AND_ADD, RC_RDMA_READ_RESPONSE_ONLY, 0",
        "FETCH_AND_ADD, RC_ATOMIC_ACKNOWLEDGE, 4",
        "ATOMIC_WRITE, RC_ATOMIC_ACKNOWLEDGE, 0",
        "ATOMIC_WRITE, RC_RDMA_READ_RESPONSE_ONLY, 8",
        "FLUSH, RC_RDMA_READ_RESPONSE_FIRST, 0",
        "FLUSH, RC_ATOMIC_ACKNOWLEDGE, 0"
    })
    void shouldFailARequestThatIsAnsweredByAnotherKind(Operation operation, Opcode answer, int payload) {
        post(operation);
        peer.send(peer.response(answer, 0).payload(payload));
        assertEquals(List.of(CompletionStatus.BAD_RESPONSE), peer.statuses());
        assertEquals(QueuePairState.ERR, peer.qp.state());
        peer.memory.assertUntouched();
    }

    @Test
    void shouldPlaceWhatAnAtomicFoundOnce() {
        post(Operation.FETCH_AND_ADD);
        peer.send(
                peer.response(Opcode.RC_ATOMIC_ACKNOWLEDGE, 0).original(0x0102_0304_0506_0708L),
                peer.response(Opcode.RC_ATOMIC_ACKNOWLEDGE, 0).original(9));
        assertEquals(List.of(CompletionStatus.SUCCESS), peer.statuses());
        assertEquals(
                0x0102_0304_0506_0708L, peer.memory.region().memory().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0));
        peer.memory.assertUntouched(8, 64);
        assertEquals(1, peer.count(Counter.STALE_RESPONSES));
    }

    @Test
    void shouldIgnoreAnAtomicAnswerWhenNoneWasAsked() {
        peer.postSend(1, 10);
        peer.send(peer.response(Opcode.RC_ATOMIC_ACKNOWLEDGE, 0).original(5));
        expectNothing();
        peer.memory.assertUntouched();
    }

    @Test
    void shouldGoBackOnceForTheSameGap() {
        peer.postSend(1, 10);
        peer.postSend(2, 10);
        RawPacket nak = ack(0, Syndrome.NAK_PSN_SEQUENCE);
        peer.send(nak, nak, nak);
        assertEquals(4, peer.answers.size(), "two packets, and the two once more");
        assertEquals(QueuePairState.RTS, peer.qp.state());
        assertEquals(2, peer.count(Counter.PACKETS_RETRANSMITTED));
    }

    /// Linux reports a gap behind a packet that it could not receive; that must not use a retry.
    @Test
    void shouldGoOnWaitingForTheReceiverWhenAGapIsReportedToo() {
        ScriptedPeer noRetry =
                new ScriptedPeer(ScriptedPeer.toRtr(), ScriptedPeer.toRts().retryCount(0));
        try (noRetry) {
            noRetry.postSend(1, 10);
            noRetry.postSend(2, 10);
            noRetry.send(
                    noRetry.response(Opcode.RC_ACKNOWLEDGE, 0).aeth(Syndrome.rnrNak(14), 0),
                    noRetry.response(Opcode.RC_ACKNOWLEDGE, 0).aeth(Syndrome.NAK_PSN_SEQUENCE, 0));
            assertEquals(QueuePairState.RTS, noRetry.qp.state());
            assertEquals(2, noRetry.answers.size(), "nothing is sent while it waits");
            noRetry.run(Duration.ofMillis(2));
            assertEquals(4, noRetry.answers.size());
            noRetry.send(noRetry.response(Opcode.RC_ACKNOWLEDGE, 1));
            assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), noRetry.statuses());
        }
    }

    @Test
    void shouldPlaceNothingWhenTheReadBufferIsGone() {
        var target = new io.verbena.soft.rig.GuardedMemory(peer.pd, 4096);
        peer.qp.post(peer.qp
                .newSendRequest()
                .wrId(1)
                .read(0x1000, 1)
                .into(target.region(), 0, 10)
                .signaled());
        target.region().close();
        peer.send(peer.response(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 0).payload(10));
        assertEquals(List.of(CompletionStatus.LOCAL_PROTECTION_ERROR), peer.statuses());
        target.assertUntouched();
    }
}
