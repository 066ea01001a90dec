package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.AttributeId;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmRepBuilder;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmRtu;
import io.verbena.roce.mad.RejectReason;
import io.verbena.soft.engine.Counter;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.CmEventType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Forged connection messages of an attacker that knows more than that of [CmHostileTest]: the numbers of the
/// connection, and when to send. Each attack ends with a clear event, or changes nothing.
class CmAttacksTest {
    private static final long STRANGER = 0xFFFF_0A00_0063L;
    private static final int LONGEST = 31;

    private final CmPair pair = new CmPair();
    private final long clientLow = pair.clientNode.facts().gid().low();
    private final long serverLow = pair.serverNode.facts().gid().low();

    private <M extends CmMessage> M sent(Class<M> kind) {
        return pair.network.sent.stream()
                .map(SimulatedCmNetwork.Sent::message)
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    private int count(SimulatedCmNetwork.Node from, AttributeId kind) {
        return (int)
                pair.network.kindsFrom(from).stream().filter(k -> k == kind).count();
    }

    /// The client asks a server that the test plays.
    private CmReq ask() {
        pair.serverNode.isDown = true;
        pair.client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(1);
        return sent(CmReq.class);
    }

    private CmRepBuilder rep(CmReq req) {
        return CmRep.builder()
                .transactionId(req.transactionId())
                .localCommId(0x1234)
                .remoteCommId(req.localCommId())
                .localQpn(0x55)
                .startingPsn(7)
                .localCaGuid(0x99);
    }

    private void toClient(CmMessage message) {
        pair.network.inject(message, serverLow, pair.clientNode);
        pair.runMs(1);
    }

    @Test
    void shouldNotBeKeptWaitingForEverByAPeerThatAsksForPatience() {
        CmReq req = ask();
        for (int i = 0; i < 200; i++) {
            toClient(new CmMra(req.transactionId(), 0x1234, req.localCommId(), AnsweredMessage.REQ, LONGEST));
            pair.runMs(50);
        }
        assertEquals(List.of(CmEventType.UNREACHABLE), pair.client.types());
        pair.assertNothingLeft();
    }

    @Test
    void shouldNotKeepAnAcceptedConnectionForEverForAPeerThatAsksForPatience() {
        pair.request();
        pair.clientNode.isDown = true;
        pair.server().accept();
        pair.runMs(1);
        CmRep rep = sent(CmRep.class);
        for (int i = 0; i < 200; i++) {
            pair.network.inject(
                    new CmMra(rep.transactionId(), rep.remoteCommId(), rep.localCommId(), AnsweredMessage.REP, LONGEST),
                    clientLow,
                    pair.serverNode);
            pair.runMs(50);
        }
        assertEquals(List.of(CmEventType.UNREACHABLE), pair.server().types());
        assertEquals(1, pair.server().failures);
    }

    @Test
    void shouldStayWithTheQueuePairOfTheFirstReply() {
        CmReq req = ask();
        toClient(rep(req).build());
        assertEquals(List.of(CmEventType.ESTABLISHED), pair.client.types());
        toClient(rep(req).localQpn(0x66).startingPsn(9).build());
        toClient(rep(req).localCommId(0x4321).localQpn(0x66).build());
        assertEquals(0x55, pair.client.plan.destinationQp());
        assertEquals(7, pair.client.plan.sendPsn());
        assertEquals(List.of(CmEventType.ESTABLISHED), pair.client.types());
        assertEquals(2, count(pair.clientNode, AttributeId.RTU));
        assertEquals(1, count(pair.clientNode, AttributeId.REJ), "to the one with another number");
    }

    /// QP 0 and 1 are no queue pairs of a program, and the last number stands for groups.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xFF_FFFF})
    void shouldRefuseAReplyFromAQueuePairThatNoProgramHas(int number) {
        CmReq req = ask();
        toClient(rep(req).localQpn(number).build());
        assertEquals(List.of(CmEventType.CONNECT_ERROR), pair.client.types());
        assertEquals(1, count(pair.clientNode, AttributeId.REJ));
        pair.assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xFF_FFFF})
    void shouldRefuseARequestFromAQueuePairThatNoProgramHas(int number) {
        pair.client.connect(pair.clientNode, pair.serverNode);
        CmReq req = sent(CmReq.class);
        pair.network.inject(req.toBuilder().localCommId(77).localQpn(number).build(), clientLow, pair.serverNode);
        pair.runMs(1);
        assertEquals(1, pair.listener.requests.size(), "the good one");
        assertEquals(1, pair.serverNode.counters().get(Counter.CONNECTION_REQUESTS_REFUSED));
    }

    @Test
    void shouldGrantAPeerThatAsksForEverythingNoMoreThanThereIs() {
        CmReq req = ask();
        toClient(rep(req).responderResources(255)
                .initiatorDepth(255)
                .targetAckDelay(LONGEST)
                .rnrRetryCount(7)
                .startingPsn(0xFF_FFFF)
                .build());
        assertEquals(16, pair.client.plan.maxReadAtomic());
        assertEquals(16, pair.client.plan.maxDestinationReadAtomic());
        assertEquals(16, pair.client.plan.ackTimeout(), "not hours");
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(7_000);
        pair.assertNothingLeft();
    }

    @Test
    void shouldGrantARequestForEverythingNoMoreThanThereIs() {
        Gid from = pair.clientNode.facts().gid();
        Gid to = pair.serverNode.facts().gid();
        pair.client.connect(pair.clientNode, pair.serverNode);
        CmReq req = sent(CmReq.class).toBuilder()
                .responderResources(255)
                .initiatorDepth(255)
                .retryCount(7)
                .rnrRetryCount(7)
                .startingPsn(0xFF_FFFF)
                .localCmResponseTimeout(LONGEST)
                .remoteCmResponseTimeout(LONGEST)
                .primaryPath(CmPath.between(from.high(), from.low(), to.high(), to.low())
                        .withLocalAckTimeout(LONGEST))
                .build();
        CmPair other = new CmPair();
        other.network.inject(req, clientLow, other.serverNode);
        other.runMs(1);
        other.server().accept();
        assertEquals(16, other.server().plan.maxReadAtomic());
        assertEquals(16, other.server().plan.maxDestinationReadAtomic());
        assertEquals(16, other.server().plan.ackTimeout(), "not hours");
        other.network.inject(
                new CmRtu(
                        1, req.localCommId(), other.server().connection.names().localId()),
                clientLow,
                other.serverNode);
        other.runMs(1);
        other.server().connection.disconnect(RecordingHandler.TIMEOUT_NS);
        other.runMs(7_000);
        other.assertNothingLeft();
    }

    @Test
    void shouldAskAgainWithAnotherMtuOnlyAsOftenAsThereAreSmallerOnes() {
        ask();
        for (int i = 0; i < 50; i++) {
            CmReq last = (CmReq) pair.network.sent.reversed().stream()
                    .map(SimulatedCmNetwork.Sent::message)
                    .filter(CmReq.class::isInstance)
                    .findFirst()
                    .orElseThrow();
            toClient(new CmRej(1, 0x1234, last.localCommId(), AnsweredMessage.REQ, RejectReason.INVALID_PATH_MTU)
                    .withAdditionalInfo(new byte[] {(byte) Math.max(1, last.pathMtu() - 1)}));
        }
        assertEquals(5, count(pair.clientNode, AttributeId.REQ));
        assertEquals(List.of(CmEventType.REJECTED), pair.client.types());
        pair.assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 6, 127, -1, -128})
    void shouldNotAskAgainWithAnMtuThatIsNoSmallerOne(int code) {
        CmReq req = ask();
        toClient(new CmRej(1, 0x1234, req.localCommId(), AnsweredMessage.REQ, RejectReason.INVALID_PATH_MTU)
                .withAdditionalInfo(new byte[] {(byte) code}));
        assertEquals(1, count(pair.clientNode, AttributeId.REQ));
        assertEquals(List.of(CmEventType.REJECTED), pair.client.types());
        pair.assertNothingLeft();
    }

    /// Whatever comes back is refused by this side itself, and the refusal comes back as well.
    @Test
    void shouldFailToConnectToAMirror() {
        ask();
        for (int i = 0; i < 100; i++) {
            toClient(pair.network.sent.getLast().message());
        }
        assertEquals(List.of(CmEventType.REJECTED), pair.client.types());
        assertEquals(
                List.of(AttributeId.REQ, AttributeId.REJ),
                pair.network.kindsFrom(pair.clientNode),
                "no echo of an echo");
        pair.assertNothingLeft();
    }

    @Test
    void shouldShowTheProgramTheFirstOfRequestsWithOneNumber() {
        pair.request();
        CmReq req = sent(CmReq.class);
        byte[] first = pair.server().requested.privateData();
        byte[] other = req.privateData().toBytes();
        other[other.length - 1] = 99;
        for (int i = 0; i < 100; i++) {
            pair.network.inject(
                    req.toBuilder()
                            .privateData(other)
                            .localQpn(0x7700 + i)
                            .serviceId(RecordingHandler.SERVICE + i)
                            .startingPsn(i)
                            .build(),
                    clientLow,
                    pair.serverNode);
        }
        pair.runMs(1);
        assertArrayEquals(first, pair.server().requested.privateData());
        assertEquals(100, count(pair.serverNode, AttributeId.MRA), "one each");
        pair.server().accept();
        pair.runMs(1);
        assertEquals(req.localQpn(), pair.server().plan.destinationQp());
        assertEquals(CmState.ESTABLISHED, pair.server().connection.state());
    }

    @Test
    void shouldKeepNothingOfConnectionsThatStrangersWantToEnd() {
        pair.establish();
        int before = pair.network.sent.size();
        for (int i = 0; i < 10_000; i++) {
            pair.network.inject(new CmDreq(i, i, i, i), STRANGER, pair.serverNode);
        }
        pair.runMs(1);
        assertEquals(10_000, pair.network.sent.size() - before, "at most one answer each");
        assertEquals(1, pair.serverNode.agent.tables().size());
        assertEquals(1, pair.serverNode.timers().size() + 1, "no timer for any");
        assertEquals(CmState.ESTABLISHED, pair.server().connection.state());
    }

    /// A peer that asks twice from one queue pair harms itself at most.
    @Test
    void shouldServeTheFirstOfTwoRequestsFromOneQueuePair() {
        pair.request();
        CmReq req = sent(CmReq.class);
        pair.network.inject(req.toBuilder().localCommId(88).build(), clientLow, pair.serverNode);
        pair.runMs(1);
        assertEquals(1, pair.listener.requests.size());
        pair.server().accept();
        pair.runMs(1);
        assertEquals(List.of(CmEventType.ESTABLISHED), pair.server().types());
        assertEquals(List.of(CmEventType.ESTABLISHED), pair.client.types());
    }

    @Test
    void shouldIgnoreMessagesThatComeTooSoon() {
        pair.request();
        CmReq req = sent(CmReq.class);
        int server = pair.server().connection.names().localId();
        List.of(
                        new CmRtu(1, req.localCommId(), server),
                        new CmDreq(1, req.localCommId(), server, 0),
                        new CmMra(1, req.localCommId(), server, AnsweredMessage.REQ, LONGEST),
                        new CmMra(1, req.localCommId(), server, AnsweredMessage.REP, LONGEST),
                        new CmMra(1, req.localCommId(), server, AnsweredMessage.OTHER, LONGEST))
                .forEach(message -> pair.network.inject(message, clientLow, pair.serverNode));
        pair.runMs(1);
        assertEquals(CmState.REQ_RECEIVED, pair.server().connection.state());
        pair.server().accept();
        pair.runMs(1);
        assertEquals(List.of(CmEventType.ESTABLISHED), pair.server().types());
        assertTrue(pair.serverNode.counters().get(Counter.CONNECTION_MESSAGES_IGNORED) >= 5);
    }

    /// A peer that connects and leaves again and again finds the tables as they were before, soon after.
    @Test
    void shouldForgetAThousandConnectionsThatCameAndWent() {
        for (int i = 0; i < 1000; i++) {
            RecordingHandler client = new RecordingHandler();
            client.connect(pair.clientNode, pair.serverNode);
            pair.runMs(1);
            pair.listener.requests.removeLast().accept();
            pair.runMs(1);
            client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
            pair.runMs(1);
            assertEquals(List.of(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED), client.types());
        }
        pair.runMs(300);
        pair.assertNothingLeft();
        assertTrue(pair.serverNode.agent.answers().size() <= 256);
    }
}
