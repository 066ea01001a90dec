package io.verbena.soft.cm;

import static io.verbena.verbs.cm.CmEventType.CONNECT_ERROR;
import static io.verbena.verbs.cm.CmEventType.DISCONNECTED;
import static io.verbena.verbs.cm.CmEventType.ESTABLISHED;
import static io.verbena.verbs.cm.CmEventType.REJECTED;
import static io.verbena.verbs.cm.CmEventType.UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.AttributeId;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.RejectReason;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Connections that fail or are cut: rejections, closed ids, peers that vanish.
class CmRejectTest {
    private final CmPair pair = new CmPair();

    @Test
    void shouldOfferARequestOnceWhenPassiveSideGaveUp() {
        pair.request();
        CmMessage req = pair.network.sent.getFirst().message();
        pair.clientNode.isDown = true;
        pair.server().accept();
        pair.server().connection.close();
        pair.runMs(5_000);
        assertTrue(pair.serverNode.agent.tables().isEmpty());
        pair.network.sent.clear();
        pair.network.inject(req, pair.clientNode.facts().gid().low(), pair.serverNode);
        pair.runMs(1);
        assertEquals(1, pair.listener.requests.size());
        CmRej rej = (CmRej) pair.network.sent.getFirst().message();
        assertEquals(AnsweredMessage.REQ, rej.answered());
    }

    private CmRej lastRej() {
        return (CmRej) pair.network.sent.stream()
                .map(SimulatedCmNetwork.Sent::message)
                .filter(CmRej.class::isInstance)
                .toList()
                .getLast();
    }

    @Test
    void shouldTellReasonAndDataWhenProgramRejects() {
        pair.request();
        pair.server().connection.reject("full".getBytes());
        pair.runMs(1);
        assertEquals(List.of(REJECTED), pair.client.types());
        assertEquals(28, pair.client.last().status());
        assertArrayEquals(
                Arrays.copyOf("full".getBytes(), 148),
                pair.client.last().parameters().privateData());
        assertEquals(1, pair.client.failures);
        pair.assertNothingLeft();
    }

    @Test
    void shouldRepeatRejectionWithoutAskingProgramAgain() {
        pair.network.loseNext(3, AttributeId.REJ);
        pair.request();
        pair.server().connection.reject("full".getBytes());
        pair.runMs(3000);
        assertEquals(List.of(REJECTED), pair.client.types());
        assertEquals(1, pair.listener.requests.size());
        pair.assertNothingLeft();
    }

    @Test
    void shouldSayThatNobodyListens() {
        pair.serverNode.agent.stopListening(RecordingHandler.SERVICE, pair.listener);
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(1);
        assertEquals(List.of(REJECTED), pair.client.types());
        assertEquals(8, pair.client.last().status());
        pair.assertNothingLeft();
    }

    @Test
    void shouldDropRequestsBeyondTheBacklogAndTakeThemLater() {
        pair.listener.room = 0;
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(1000);
        assertEquals(List.of(), pair.client.types());
        assertEquals(List.of(), pair.network.kindsFrom(pair.serverNode));
        pair.listener.room = 1;
        pair.runMs(2000);
        pair.server().accept();
        pair.runMs(1);
        assertEquals(List.of(ESTABLISHED), pair.client.types());
    }

    @Test
    void shouldRejectAndFailAcceptWhenQueuePairDoesNotGoAlong() {
        pair.request();
        pair.server().refuseQueuePair = true;
        assertThrows(RdmaException.class, () -> pair.server().accept());
        pair.runMs(1);
        assertEquals(List.of(REJECTED), pair.client.types());
        pair.assertNothingLeft();
    }

    @Test
    void shouldReportConnectErrorWhenClientQueuePairDoesNotGoAlong() {
        pair.client.refuseQueuePair = true;
        pair.request();
        pair.server().accept();
        pair.runMs(1);
        assertEquals(List.of(CONNECT_ERROR), pair.client.types());
        assertEquals(-Errno.EINVAL.number(), pair.client.last().status());
        assertEquals(List.of(REJECTED), pair.server().types());
        pair.runMs(1000);
        pair.assertNothingLeft();
    }

    @Test
    void shouldGiveUpWithinTheTimeoutWhenNobodyAnswers() {
        pair.serverNode.isDown = true;
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(4999);
        assertEquals(List.of(), pair.client.types());
        pair.runMs(2);
        assertEquals(List.of(UNREACHABLE), pair.client.types());
        assertEquals(-Errno.ETIMEDOUT.number(), pair.client.last().status());
        assertEquals(RejectReason.TIMEOUT.code(), lastRej().reason());
        pair.assertNothingLeft();
    }

    @Test
    void shouldFailAcceptWhenPeerGaveUp() {
        pair.request();
        pair.runMs(5100);
        assertEquals(List.of(UNREACHABLE), pair.client.types());
        RdmaException e = assertThrows(RdmaException.class, () -> pair.server().accept());
        assertEquals(Errno.ECONNRESET, e.errno());
        assertTrue(e.getMessage().contains("gave up"), e.getMessage());
        pair.server().connection.reject(new byte[0]);
        pair.runMs(1000);
        pair.assertNothingLeft();
    }

    @Test
    void shouldForgetRequestThatWasNeverAnsweredWhenPeerVanished() {
        pair.request();
        pair.clientNode.isDown = true;
        pair.runMs(121_000);
        assertThrows(RdmaException.class, () -> pair.server().accept());
        assertTrue(pair.serverNode.agent.tables().isEmpty());
    }

    @Test
    void shouldReportUnreachableWhenClientVanishesBeforeRtu() {
        pair.request();
        pair.clientNode.isDown = true;
        pair.server().accept();
        pair.runMs(6000);
        assertEquals(List.of(UNREACHABLE), pair.server().types());
        assertEquals(1, pair.server().failures);
        assertTrue(pair.serverNode.agent.tables().isEmpty());
    }

    @Test
    void shouldTellServerWhenClientClosesWhileWaiting() {
        pair.request();
        pair.client.connection.close();
        pair.runMs(1);
        assertEquals(RejectReason.TIMEOUT.code(), lastRej().reason());
        assertEquals(CmState.TIMEWAIT, pair.server().connection.state());
        assertEquals(List.of(), pair.client.types());
        pair.runMs(1000);
        pair.assertNothingLeft();
    }

    @Test
    void shouldTellClientWhenServerClosesWithoutAccepting() {
        pair.request();
        pair.server().connection.close();
        pair.runMs(1);
        assertEquals(28, pair.client.last().status());
        pair.assertNothingLeft();
    }

    @Test
    void shouldEndClientWhenServerClosesAfterAccept() {
        pair.request();
        pair.server().accept();
        pair.server().connection.close();
        pair.runMs(1000);
        assertEquals(List.of(ESTABLISHED, DISCONNECTED), pair.client.types().subList(0, 2));
        assertEquals(List.of(), pair.server().types());
        pair.assertNothingLeft();
    }

    @Test
    void shouldRepeatWithdrawalToClientThatMissedIt() {
        pair.request();
        pair.server().accept();
        pair.network.loseNext(1, AttributeId.REJ);
        pair.server().connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(1000);
        assertEquals(List.of(DISCONNECTED), pair.server().types());
        assertEquals(1, pair.client.terminalEvents());
        pair.assertNothingLeft();
    }

    @Test
    void shouldDisconnectPeerWhenEitherSideClosesEstablished() {
        pair.establish();
        pair.network.loseNext(1, AttributeId.DREQ);
        pair.client.connection.close();
        pair.runMs(1000);
        assertEquals(List.of(ESTABLISHED), pair.client.types());
        assertEquals(1, pair.server().terminalEvents());
        pair.assertNothingLeft();
    }

    @Test
    void shouldStopRepeatingReplyToClientThatIsGone() {
        pair.request();
        pair.network.loseNext(1, AttributeId.REJ);
        pair.client.connection.close();
        pair.server().accept();
        pair.runMs(1);
        assertEquals(List.of(REJECTED), pair.server().types());
        assertEquals(RejectReason.INVALID_COMM_ID.code(), pair.server().last().status());
        pair.runMs(1000);
        pair.assertNothingLeft();
    }

    @Test
    void shouldRefuseStaleConnectionAndEndTheOldOne() {
        pair.establish();
        pair.network.nodes.remove(pair.clientNode);
        SimulatedCmNetwork.Node restarted = pair.network.node(1);
        RecordingHandler again = new RecordingHandler(pair.client.qpNumber);
        again.connect(restarted, pair.serverNode);
        CmReq first = (CmReq) pair.network.sent.getFirst().message();
        CmReq second = (CmReq) pair.network.sent.getLast().message();
        if (first.localCommId() == second.localCommId()) {
            // The same seed gave the same number: that would be a duplicate, not a stale connection.
            again.connection.close();
            again = new RecordingHandler(pair.client.qpNumber);
            again.connect(restarted, pair.serverNode);
        }
        pair.runMs(10);
        assertEquals(List.of(REJECTED), again.types());
        assertEquals(10, again.last().status());
        assertEquals(List.of(ESTABLISHED, DISCONNECTED), pair.server().types());
        pair.runMs(1000);
        RecordingHandler third = new RecordingHandler(pair.client.qpNumber);
        third.connect(restarted, pair.serverNode);
        pair.runMs(1);
        assertEquals(2, pair.listener.requests.size());
    }

    @Test
    void shouldLetPeerTryAgainWithTheSameQueuePairAfterRejection() {
        pair.request();
        pair.server().connection.reject(new byte[0]);
        pair.runMs(1);
        RecordingHandler again = new RecordingHandler(pair.client.qpNumber);
        again.connect(pair.clientNode, pair.serverNode);
        pair.runMs(1);
        pair.listener.requests.get(1).accept();
        pair.runMs(1);
        assertEquals(List.of(ESTABLISHED), again.types());
        assertEquals(1, Collections.frequency(pair.network.kindsFrom(pair.clientNode), AttributeId.RTU));
    }

    @Test
    void shouldLetPeerTryAgainWithTheSameQueuePairAfterItGaveUp() {
        pair.request();
        pair.client.connection.close();
        pair.runMs(1);
        RecordingHandler again = new RecordingHandler(pair.client.qpNumber);
        again.connect(pair.clientNode, pair.serverNode);
        pair.runMs(1);
        assertEquals(2, pair.listener.requests.size());
        pair.listener.requests.get(1).accept();
        pair.runMs(1);
        assertEquals(List.of(ESTABLISHED), again.types());
    }
}
