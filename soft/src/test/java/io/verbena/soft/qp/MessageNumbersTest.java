package io.verbena.soft.qp;

import static io.verbena.soft.rig.ScriptedPeer.MTU;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Forged acknowledgements may have the right PSN by chance, but not the right message number as well.
class MessageNumbersTest {
    /// 4 ms.
    private static final int TIMEOUT = 10;

    private final ScriptedPeer peer = new ScriptedPeer(
            ScriptedPeer.toRtr(), ScriptedPeer.toRts().timeout(TIMEOUT).retryCount(3));

    @AfterEach
    void close() {
        assertEquals(0, peer.count(Counter.ENGINE_FAULTS));
        peer.close();
    }

    private RawPacket answer(int of, int syndrome, int msn) {
        return peer.response(Opcode.RC_ACKNOWLEDGE, of).aeth(syndrome, msn);
    }

    private void expectSuccesses(int count) {
        assertEquals(
                IntStream.range(0, count)
                        .mapToObj(any -> CompletionStatus.SUCCESS)
                        .toList(),
                peer.statuses());
    }

    /// The first message is acknowledged normally; the second is in flight.
    private void acknowledgeOneOfTwo() {
        peer.postSend(1, 10);
        peer.send(answer(0, Syndrome.ACK, 1));
        peer.postSend(2, 10);
        peer.run();
    }

    @ParameterizedTest
    @CsvSource({"0x62, 0", "0x62, 3", "0x61, 0xFFFFFF", "0x63, 0x800000", "0x7F, 1000", "0x1F, 7", "0x2E, 7", "0x60, 7"
    })
    void shouldIgnoreAnAnswerWithTheNumberOfAnotherMessage(String syndrome, String msn) {
        acknowledgeOneOfTwo();
        int before = peer.answers.size();
        peer.send(answer(1, Integer.decode(syndrome), Integer.decode(msn)));
        expectSuccesses(1);
        assertEquals(before, peer.answers.size(), "nothing is sent again");
        assertEquals(1, peer.count(Counter.DROPPED_WRONG_MESSAGE_NUMBER));
        peer.send(answer(1, Syndrome.ACK, 2));
        expectSuccesses(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldBelieveAnErrorAnswerThatCountsRight(int msn) {
        acknowledgeOneOfTwo();
        peer.send(answer(1, Syndrome.NAK_REMOTE_OPERATION, msn));
        assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.REMOTE_OPERATION_ERROR), peer.statuses());
        assertEquals(QueuePairState.ERR, peer.qp.state());
    }

    @Test
    void shouldBelieveAPeerThatDoesNotCount() {
        for (int i = 0; i < 5; i++) {
            peer.postSend(i, 10);
            peer.send(answer(i, Syndrome.ACK, 0));
        }
        expectSuccesses(5);
        peer.postSend(5, 10);
        peer.send(answer(5, Syndrome.NAK_INVALID_REQUEST, 0));
        assertEquals(CompletionStatus.REMOTE_INVALID_REQUEST, peer.statuses().getLast());
    }

    /// As if only this side had been reset.
    @Test
    void shouldBelieveAPeerThatCountsFromElsewhere() {
        for (int i = 0; i < 3; i++) {
            peer.postSend(i, 10);
            peer.send(answer(i, Syndrome.ACK, 1001 + i));
        }
        expectSuccesses(3);
        peer.postSend(3, 10);
        peer.send(answer(3, Syndrome.ACK, 3));
        expectSuccesses(4);
    }

    /// A peer that counts packets: few numbers fit, by chance.
    @Test
    void shouldNotHoldAPeerToItsNumbersThatHadToBeBelievedOnce() {
        MessageNumbers numbers = new MessageNumbers();
        numbers.onMessageSent();
        assertTrue(numbers.admit(1, true));
        numbers.onMessageSent();
        assertFalse(numbers.admit(9, true), "it has counted right so far");
        numbers.onTimeout();
        assertTrue(numbers.admit(9, true));
        numbers.onMessageSent();
        assertTrue(numbers.admit(10, true));
        numbers.onMessageSent();
        assertTrue(numbers.admit(18, true));
    }

    /// A peer that does not count WRITEs: its number falls behind until it seems to be ahead.
    @Test
    void shouldBelieveAPeerThatCountsTooFewForEver() {
        MessageNumbers numbers = new MessageNumbers();
        numbers.onMessageSent();
        assertTrue(numbers.admit(1, true));
        for (int i = 0; i < 1 << 24; i++) {
            numbers.onMessageSent();
            if (i % 1000 == 0) {
                assertTrue(numbers.admit(1, false));
            }
        }
    }

    @Test
    void shouldFollowTheNumbersPastTheEndOfTheirRange() {
        MessageNumbers numbers = new MessageNumbers();
        for (int i = 1; i <= (1 << 24) + 10; i++) {
            numbers.onMessageSent();
            assertTrue(numbers.admit(i & 0xFF_FFFF, true));
        }
        numbers.onMessageSent();
        assertFalse(numbers.admit(100, false));
    }

    @Test
    void shouldAskForNoNumberWhereTheFirstTimeoutEndsTheConnection() {
        try (ScriptedPeer once = new ScriptedPeer(
                ScriptedPeer.toRtr(), ScriptedPeer.toRts().timeout(TIMEOUT).retryCount(0))) {
            once.postSend(1, 10);
            once.send(once.response(Opcode.RC_ACKNOWLEDGE, 0).aeth(Syndrome.ACK, 1));
            once.postSend(2, 10);
            once.send(once.response(Opcode.RC_ACKNOWLEDGE, 1).aeth(Syndrome.ACK, 500));
            assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), once.statuses());
        }
    }

    @Test
    void shouldBelieveAPeerAgainWhenNothingElseCameForAsLongAsATimeout() {
        acknowledgeOneOfTwo();
        peer.send(answer(1, Syndrome.ACK, 500));
        expectSuccesses(1);
        peer.run(Duration.ofMillis(5));
        assertEquals(1, peer.count(Counter.ACK_TIMEOUTS));
        peer.send(answer(1, Syndrome.ACK, 500));
        expectSuccesses(2);
    }

    @Test
    void shouldLearnThePeersCountFromAnswersToReads() {
        peer.postRead(1, 0, 10);
        peer.send(peer.response(Opcode.RC_RDMA_READ_RESPONSE_ONLY, 0)
                .aeth(Syndrome.ACK, 1)
                .payload(10));
        peer.postRead(2, 0, 10);
        peer.send(answer(1, Syndrome.NAK_REMOTE_ACCESS, 77));
        expectSuccesses(1);
        assertEquals(QueuePairState.RTS, peer.qp.state());
    }

    /// A retransmission is not a new message, and a message of several packets is one message.
    @Test
    void shouldCountMessagesAndNotPackets() {
        peer.postSend(1, 10);
        peer.send(answer(0, Syndrome.ACK, 1));
        peer.postSend(2, 4 * MTU);
        peer.run(Duration.ofMillis(5));
        assertEquals(1, peer.count(Counter.ACK_TIMEOUTS));
        peer.send(answer(4, Syndrome.ACK, 2));
        expectSuccesses(2);
        peer.postSend(3, 10);
        peer.send(answer(5, Syndrome.NAK_REMOTE_OPERATION, 4));
        expectSuccesses(2);
        assertEquals(1, peer.count(Counter.DROPPED_WRONG_MESSAGE_NUMBER));
    }
}
