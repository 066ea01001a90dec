package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.AttributeId;
import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.PrivateData;
import io.verbena.roce.mad.ServiceId;
import io.verbena.roce.mad.SidrStatus;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Lookups of datagram services between two agents.
class SidrTest {
    private static final long SERVICE = ServiceId.of(ServiceId.UDP, 7174);
    private static final long TIMEOUT_NS = 5_000 * SimulatedCmNetwork.MS;
    private static final int QKEY = 0x0123_4567;

    private record Heard(CmEventType type, int status, ConnectionParameters seen, DatagramPeer peer) {}

    private final SimulatedCmNetwork network = new SimulatedCmNetwork(1);
    private final SimulatedCmNetwork.Node client = network.node(1);
    private final SimulatedCmNetwork.Node server = network.node(2);
    private final List<Heard> heard = new ArrayList<>();
    private final List<PendingSidrReply> requests = new ArrayList<>();
    private byte[] seen;
    private boolean hasRoom = true;

    private void serve() {
        server.agent.datagrams().serve(SERVICE, (answer, header, parameters) -> {
            if (hasRoom) {
                requests.add(answer);
                seen = parameters.privateData();
            }
            return hasRoom;
        });
    }

    private SidrLookup ask() {
        Gid from = client.facts().gid();
        Gid to = server.facts().gid();
        CmaHeader header = CmaHeader.of(40001, from.high(), from.low(), to.high(), to.low());
        SidrLookup lookup = new SidrLookup(
                client.agent.datagrams(), (type, status, data, peer) -> heard.add(new Heard(type, status, data, peer)));
        lookup.start(new ConnectTarget(to, SERVICE, header, 4), "hello".getBytes(), TIMEOUT_NS);
        return lookup;
    }

    private void runMs(long ms) {
        network.run(ms * SimulatedCmNetwork.MS);
    }

    private void assertNothingLeft() {
        for (SimulatedCmNetwork.Node node : network.nodes) {
            assertTrue(node.agent.isIdle());
            assertEquals(0, node.timers().size());
        }
    }

    @Test
    void shouldTellQueuePairAndKeyOfAService() {
        serve();
        ask();
        runMs(1);
        assertFalse(client.agent.isIdle());
        assertArrayEquals(Arrays.copyOf("hello".getBytes(), 180), seen);
        requests.getFirst().accept(0x77, QKEY, "welcome".getBytes());
        runMs(1);
        Heard only = heard.getFirst();
        assertEquals(CmEventType.ESTABLISHED, only.type);
        assertEquals(0x77, only.peer.qpNumber());
        assertEquals(QKEY, only.peer.qkey());
        assertEquals(server.facts().gid(), only.peer.address().destination());
        assertEquals(4, only.peer.address().trafficClass());
        assertArrayEquals(Arrays.copyOf("welcome".getBytes(), 136), only.seen.privateData());
        runMs(10_000);
        assertEquals(1, heard.size());
        assertNothingLeft();
    }

    @Test
    void shouldSayWhoServesNothingAndWhoRefuses() {
        ask();
        runMs(1);
        assertEquals(CmEventType.UNREACHABLE, heard.getFirst().type);
        assertEquals(SidrStatus.UNSUPPORTED.code(), heard.getFirst().status);
        serve();
        ask();
        runMs(1);
        requests.getFirst().reject(new byte[] {7});
        runMs(1);
        assertEquals(CmEventType.UNREACHABLE, heard.getLast().type);
        assertEquals(SidrStatus.REJECTED.code(), heard.getLast().status);
        assertEquals(7, heard.getLast().seen.privateData()[0]);
        assertNull(heard.getLast().peer);
        assertNothingLeft();
    }

    @Test
    void shouldShowTheProgramARequestOnceAlthoughAnswersGetLost() {
        serve();
        network.loseNext(2, AttributeId.SIDR_REP);
        ask();
        runMs(1);
        requests.getFirst().accept(0x77, QKEY, new byte[0]);
        runMs(2_000);
        assertEquals(1, requests.size());
        assertEquals(CmEventType.ESTABLISHED, heard.getFirst().type);
        assertEquals(1, heard.size());
        assertNothingLeft();
    }

    @Test
    void shouldRepeatTheQuestionWhileTheProgramThinksAndAfterLosses() {
        serve();
        network.loseNext(2, AttributeId.SIDR_REQ);
        ask();
        runMs(1_000);
        assertEquals(1, requests.size());
        requests.getFirst().accept(0x77, QKEY, new byte[0]);
        runMs(1);
        assertEquals(CmEventType.ESTABLISHED, heard.getFirst().type);
    }

    @Test
    void shouldGiveUpWhenNobodyAnswers() {
        server.isDown = true;
        ask();
        runMs(6_000);
        assertEquals(CmEventType.UNREACHABLE, heard.getFirst().type);
        assertEquals(-Errno.ETIMEDOUT.number(), heard.getFirst().status);
        assertNothingLeft();
    }

    @Test
    void shouldDropRequestsBeyondTheBacklogAndTakeThemLater() {
        serve();
        hasRoom = false;
        ask();
        runMs(150);
        assertTrue(requests.isEmpty());
        hasRoom = true;
        runMs(1_000);
        assertEquals(1, requests.size());
        requests.getFirst().close();
        runMs(1);
        assertEquals(SidrStatus.REJECTED.code(), heard.getFirst().status);
        assertNothingLeft();
    }

    @Test
    void shouldAnswerOnceOnly() {
        serve();
        ask();
        runMs(1);
        PendingSidrReply answer = requests.getFirst();
        answer.accept(0x77, QKEY, new byte[0]);
        assertThrows(RdmaException.class, () -> answer.accept(0x77, QKEY, new byte[0]));
        assertThrows(RdmaException.class, () -> answer.reject(new byte[0]));
        answer.close();
        runMs(1);
        assertEquals(List.of(AttributeId.SIDR_REP), network.kindsFrom(server));
    }

    @Test
    void shouldForgetAQuestionThatIsClosed() {
        serve();
        SidrLookup lookup = ask();
        runMs(1);
        lookup.close();
        requests.getFirst().accept(0x77, QKEY, new byte[0]);
        runMs(1);
        assertTrue(heard.isEmpty());
        assertNothingLeft();
    }

    @Test
    void shouldNotBelieveStrangers() {
        serve();
        ask();
        runMs(1);
        int number = ((CmSidrReq) network.sent.getFirst().message()).requestId();
        network.inject(
                new CmSidrRep(1, number, SidrStatus.VALID, 5, SERVICE, QKEY, PrivateData.NONE),
                0xFFFF_0A00_0009L,
                client);
        runMs(1);
        assertTrue(heard.isEmpty());
        // A request that names another host as its sender.
        network.inject(network.sent.getFirst().message(), 0xFFFF_0A00_0009L, server);
        runMs(1);
        assertEquals(1, requests.size());
    }
}
