package io.verbena.soft.cm;

import static io.verbena.verbs.cm.CmEventType.DISCONNECTED;
import static io.verbena.verbs.cm.CmEventType.ESTABLISHED;
import static io.verbena.verbs.cm.CmEventType.TIMEWAIT_EXIT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.AttributeId;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.PrivateData;
import io.verbena.roce.mad.SidrStatus;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Mtu;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The usual sequence of a connection, and the events of each side.
class CmSequenceTest {
    private final CmPair pair = new CmPair();

    @Test
    void shouldEstablishWithThreeMessages() {
        pair.establish();
        assertEquals(List.of(AttributeId.REQ, AttributeId.RTU), pair.network.kindsFrom(pair.clientNode));
        assertEquals(List.of(AttributeId.REP), pair.network.kindsFrom(pair.serverNode));
        assertEquals(List.of(ESTABLISHED), pair.client.types());
        assertEquals(List.of(ESTABLISHED), pair.server().types());
    }

    @Test
    void shouldShowPrivateDataPaddedToFullLength() {
        pair.establish();
        assertArrayEquals(
                Arrays.copyOf("hello".getBytes(), 56), pair.server().requested.privateData());
        assertArrayEquals(
                Arrays.copyOf("welcome".getBytes(), 196),
                pair.client.last().parameters().privateData());
    }

    @Test
    void shouldCrossSequenceNumbersAndDepths() {
        pair.client.connection = pair.clientNode.agent.newConnection(pair.client);
        pair.client.connection.connect(
                RecordingHandler.target(pair.clientNode, pair.serverNode), pair.client.settings("", 3, 7));
        pair.runMs(1);
        assertEquals(7, pair.server().requested.responderResources());
        assertEquals(3, pair.server().requested.initiatorDepth());
        pair.server().connection.accept(pair.server().settings("", 16, 2));
        pair.runMs(1);
        QueuePairPlan active = pair.client.plan;
        QueuePairPlan passive = pair.server().plan;
        assertEquals(active.sendPsn(), passive.receivePsn());
        assertEquals(passive.sendPsn(), active.receivePsn());
        assertEquals(7, active.maxReadAtomic());
        assertEquals(7, passive.maxDestinationReadAtomic());
        assertEquals(2, passive.maxReadAtomic());
        assertEquals(2, active.maxDestinationReadAtomic());
        assertEquals(pair.server().qpNumber, active.destinationQp());
        assertEquals(pair.client.qpNumber, passive.destinationQp());
        assertEquals(5, active.retryCount());
        assertEquals(5, passive.retryCount());
        assertEquals(6, active.rnrRetry());
        assertEquals(pair.serverNode.facts().gid(), active.peer().destination());
        assertEquals(pair.clientNode.facts().gid(), passive.peer().destination());
    }

    @Test
    void shouldFillReqAsLinuxExpects() {
        pair.request();
        CmReq req = (CmReq) pair.network.sent.getFirst().message();
        assertEquals(0x0106_0000L + RecordingHandler.PORT, req.serviceId());
        assertEquals(0xFFFF, req.primaryPath().localLid());
        assertEquals(64, req.primaryPath().hopLimit());
        assertEquals(16, req.primaryPath().localAckTimeout());
        assertEquals(
                (40001 * 31 + RecordingHandler.PORT) & 0xF_FFFF,
                req.primaryPath().flowLabel());
        assertEquals(0, req.alternatePath().localLid());
        assertEquals(40001, pair.server().header.sourcePort());
    }

    @Test
    void shouldDisconnectBothWhenClientDoes() {
        pair.establish();
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        assertEquals(1, pair.client.failures);
        pair.runMs(1);
        assertEquals(List.of(ESTABLISHED, DISCONNECTED), pair.client.types());
        assertEquals(List.of(ESTABLISHED, DISCONNECTED), pair.server().types());
        assertEquals(0, pair.client.last().status());
        assertEquals(1, pair.server().failures);
        pair.runMs(300);
        assertEquals(TIMEWAIT_EXIT, pair.client.last().type());
        assertEquals(TIMEWAIT_EXIT, pair.server().last().type());
        pair.assertNothingLeft();
        assertEquals(1, pair.clientNode.idleCount);
    }

    @Test
    void shouldDisconnectBothWhenServerDoes() {
        pair.establish();
        pair.server().connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(1);
        assertEquals(DISCONNECTED, pair.client.last().type());
        assertEquals(DISCONNECTED, pair.server().last().type());
        pair.server().connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(300);
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        assertEquals(List.of(ESTABLISHED, DISCONNECTED, TIMEWAIT_EXIT), pair.client.types());
        pair.assertNothingLeft();
    }

    @Test
    void shouldReportOneDisconnectionEachWhenBothDisconnectAtOnce() {
        pair.establish();
        pair.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.server().connection.disconnect(RecordingHandler.TIMEOUT_NS);
        pair.runMs(1000);
        assertEquals(List.of(ESTABLISHED, DISCONNECTED, TIMEWAIT_EXIT), pair.client.types());
        assertEquals(
                List.of(ESTABLISHED, DISCONNECTED, TIMEWAIT_EXIT), pair.server().types());
        pair.assertNothingLeft();
    }

    @Test
    void shouldRefuseToDisconnectBeforeConnected() {
        pair.request();
        assertEquals(
                Errno.EINVAL,
                assertThrows(RdmaException.class, () -> pair.client.connection.disconnect(1))
                        .errno());
        assertEquals(
                Errno.EINVAL,
                assertThrows(RdmaException.class, () -> pair.server().connection.disconnect(1))
                        .errno());
    }

    @Test
    void shouldConnectWithinOneDevice() {
        SimulatedCmNetwork network = pair.network;
        RecordingHandler.Listener local = RecordingHandler.Listener.on(pair.clientNode);
        RecordingHandler client = new RecordingHandler();
        client.connect(pair.clientNode, pair.clientNode);
        network.run(SimulatedCmNetwork.MS);
        local.only().accept();
        network.run(SimulatedCmNetwork.MS);
        assertEquals(List.of(ESTABLISHED), client.types());
        assertEquals(List.of(ESTABLISHED), local.only().types());
        client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        network.run(1000 * SimulatedCmNetwork.MS);
        assertEquals(List.of(ESTABLISHED, DISCONNECTED, TIMEWAIT_EXIT), client.types());
        assertEquals(
                List.of(ESTABLISHED, DISCONNECTED, TIMEWAIT_EXIT), local.only().types());
        pair.assertNothingLeft();
    }

    @Test
    void shouldAskAgainWithTheMtuThatThePeerCanDo() {
        CmPair uneven = new CmPair(Mtu.MTU_4096, Mtu.MTU_1024);
        uneven.establish();
        assertEquals(Mtu.MTU_1024, uneven.client.plan.mtu());
        assertEquals(Mtu.MTU_1024, uneven.server().plan.mtu());
        assertEquals(List.of(AttributeId.REJ, AttributeId.REP), uneven.network.kindsFrom(uneven.serverNode));
        uneven.client.connection.disconnect(RecordingHandler.TIMEOUT_NS);
        uneven.runMs(1000);
        uneven.assertNothingLeft();
    }

    @Test
    void shouldAnswerServiceResolutionWithUnsupported() {
        pair.network.inject(
                new CmSidrReq(1, 2, 0xFFFF, RecordingHandler.SERVICE, PrivateData.NONE),
                0xFFFF_0A00_0001L,
                pair.serverNode);
        pair.runMs(1);
        CmSidrRep reply = (CmSidrRep) pair.network.sent.getFirst().message();
        assertEquals(SidrStatus.UNSUPPORTED, reply.status());
        assertEquals(2, reply.requestId());
        assertTrue(pair.listener.requests.isEmpty());
    }
}
