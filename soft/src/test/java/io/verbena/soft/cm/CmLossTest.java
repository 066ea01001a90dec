package io.verbena.soft.cm;

import static io.verbena.verbs.cm.CmEventType.CONNECT_RESPONSE;
import static io.verbena.verbs.cm.CmEventType.DISCONNECTED;
import static io.verbena.verbs.cm.CmEventType.ESTABLISHED;
import static io.verbena.verbs.cm.CmEventType.TIMEWAIT_EXIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.AttributeId;
import io.verbena.roce.mad.CmMessage;
import io.verbena.verbs.Errno;
import io.verbena.verbs.cm.CmEventType;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Messages that get lost or come twice.
class CmLossTest {
    private final CmPair pair = new CmPair();

    @ParameterizedTest
    @EnumSource(names = {"REQ", "REP", "RTU", "DREQ", "DREP"})
    void shouldConnectAndDisconnectWhenMessageIsLost(AttributeId kind) {
        pair.network.loseNext(2, kind);
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(500);
        pair.server().accept();
        pair.runMs(500);
        assertEquals(List.of(ESTABLISHED), pair.client.types());
        assertEquals(List.of(ESTABLISHED), pair.server().types());
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(2000);
        assertEquals(1, pair.client.terminalEvents());
        assertEquals(1, pair.server().terminalEvents());
        assertEquals(0, pair.client.events.get(1).status());
        pair.runMs(5000);
        pair.assertNothingLeft();
    }

    @Test
    void shouldReportEachStepOnceWhenEveryMessageComesTwice() {
        pair.network.duplication = 1;
        pair.establish();
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(1000);
        List<CmEventType> whole = List.of(ESTABLISHED, DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
        assertEquals(whole, pair.client.types());
        assertEquals(whole, pair.server().types());
        pair.assertNothingLeft();
    }

    @Test
    void shouldAnswerDuplicateReqWithMraWhileProgramIsSlow() {
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(150);
        assertEquals(CmState.MRA_REQ_RECEIVED, pair.client.connection.state());
        assertEquals(List.of(AttributeId.MRA), pair.network.kindsFrom(pair.serverNode));
        pair.runMs(2000);
        assertEquals(
                2,
                Collections.frequency(pair.network.kindsFrom(pair.clientNode), AttributeId.REQ),
                "the client must not repeat while it was asked for patience");
        pair.server().accept();
        pair.runMs(1);
        assertEquals(List.of(ESTABLISHED), pair.client.types());
    }

    @Test
    void shouldHearOfRejectionAfterMraEvenWhenItIsLost() {
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(150);
        pair.network.loseNext(1, AttributeId.REJ);
        pair.server().connection.reject("no".getBytes());
        pair.runMs(4000);
        assertEquals(List.of(CmEventType.REJECTED), pair.client.types());
        assertEquals(28, pair.client.last().status());
        assertEquals(1, pair.listener.requests.size());
        pair.assertNothingLeft();
    }

    @Test
    void shouldRepeatReplyWhenRequestComesAgain() {
        pair.request();
        pair.network.loseNext(1, AttributeId.REP);
        pair.server().accept();
        pair.network.inject(
                pair.network.sent.getFirst().message(),
                pair.clientNode.facts().gid().low(),
                pair.serverNode);
        pair.runMs(1);
        assertEquals(List.of(ESTABLISHED), pair.client.types());
    }

    @Test
    void shouldTakeFirstDataForRtu() {
        pair.network.loseNext(100, AttributeId.RTU);
        pair.request();
        pair.server().accept();
        pair.runMs(50);
        assertEquals(CmState.REP_SENT, pair.server().connection.state());
        pair.server().connection.onFirstRequest();
        assertEquals(List.of(ESTABLISHED), pair.server().types());
        pair.runMs(5000);
        assertEquals(1, Collections.frequency(pair.network.kindsFrom(pair.serverNode), AttributeId.REP));
        pair.network.lose = message -> false;
        pair.server().connection.onFirstRequest();
        assertEquals(List.of(ESTABLISHED), pair.server().types());
    }

    @Test
    void shouldDisconnectServerThatNeverGotRtu() {
        pair.network.loseNext(100, AttributeId.RTU);
        pair.request();
        pair.server().accept();
        pair.runMs(50);
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(1000);
        assertEquals(List.of(DISCONNECTED), pair.server().types());
        assertEquals(1, pair.client.terminalEvents());
        pair.assertNothingLeft();
    }

    @Test
    void shouldHearOfADisconnectionThatCameBeforeTheProgramEstablished() {
        pair.client.isExternal = true;
        pair.request();
        pair.server().accept();
        pair.runMs(1);
        assertEquals(CmState.REP_RECEIVED, pair.client.connection.state());
        pair.server().connection.onFirstRequest();
        pair.server().connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(10);
        pair.client.connection.establish();
        pair.runMs(1000);
        assertEquals(List.of(CONNECT_RESPONSE, DISCONNECTED, TIMEWAIT_EXIT), pair.client.types());
        assertEquals(
                List.of(ESTABLISHED, DISCONNECTED, TIMEWAIT_EXIT), pair.server().types());
        assertEquals(0, pair.server().events.get(1).status());
        pair.assertNothingLeft();
    }

    @Test
    void shouldAnswerDreqAgainInTimewaitAndAfterIt() {
        pair.establish();
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        CmMessage dreq = pair.network.sent.getLast().message();
        pair.runMs(1);
        long clientLow = pair.clientNode.facts().gid().low();
        pair.network.inject(dreq, clientLow, pair.serverNode);
        pair.runMs(1);
        pair.runMs(1000);
        pair.network.inject(dreq, clientLow, pair.serverNode);
        pair.runMs(1);
        assertEquals(3, Collections.frequency(pair.network.kindsFrom(pair.serverNode), AttributeId.DREP));
        assertEquals(1, pair.server().terminalEvents());
    }

    @Test
    void shouldReportTimeoutWhenDreqIsNeverAnswered() {
        pair.establish();
        pair.serverNode.isDown = true;
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(4900);
        assertEquals(0, pair.client.terminalEvents());
        pair.runMs(200);
        assertEquals(DISCONNECTED, pair.client.last().type());
        assertEquals(-Errno.ETIMEDOUT.number(), pair.client.last().status());
    }

    @Test
    void shouldNotCallRequestTwiceWhenReqComesLateInTimewait() {
        pair.establish();
        CmMessage req = pair.network.sent.getFirst().message();
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(1);
        pair.network.inject(req, pair.clientNode.facts().gid().low(), pair.serverNode);
        pair.runMs(1);
        assertEquals(1, pair.listener.requests.size());
        assertTrue(pair.network.kindsFrom(pair.serverNode).contains(AttributeId.REJ));
        assertFalse(pair.client.types().contains(CmEventType.REJECTED));
    }
}
