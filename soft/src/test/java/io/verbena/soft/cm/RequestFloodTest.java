package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.soft.engine.Counter;
import io.verbena.verbs.attr.Gid;
import org.junit.jupiter.api.Test;

/// Hosts that request connections and never answer get a share of the half-open connections, and others get in.
class RequestFloodTest {
    private static final long STRANGERS = 0xFFFF_0A01_0000L;
    private static final int BACKLOG = 1024;

    private final CmPair pair = new CmPair();
    private int asked;

    /// A request with a number and a queue pair of its own.
    private void ask(int host) {
        asked++;
        Gid to = pair.serverNode.facts().gid();
        long low = STRANGERS + host;
        CmReq req = CmReq.builder()
                .localCommId(asked)
                .serviceId(RecordingHandler.SERVICE)
                .localCaGuid(host)
                .localQpn(100 + asked)
                .pathMtu(3)
                .primaryPath(CmPath.between(0, low, to.high(), to.low()))
                .privateData(CmaHeader.of(5, 0, low, to.high(), to.low()).encode())
                .build();
        pair.serverNode.agent.onMessage(req, 0, low);
    }

    private void flood(int hosts, int requests) {
        pair.listener.room = BACKLOG;
        for (int i = 0; i < requests; i++) {
            ask(i % hosts);
        }
    }

    private RecordingHandler connectHonestly() {
        RecordingHandler client = new RecordingHandler();
        client.connect(pair.clientNode, pair.serverNode);
        pair.runMs(1);
        RecordingHandler server = pair.listener.requests.getLast();
        server.accept();
        pair.runMs(1);
        assertEquals(CmState.ESTABLISHED, client.connection.state());
        return client;
    }

    @Test
    void shouldLetAnotherHostInWhenManyAskAndNeverAnswer() {
        flood(32, 20_000);
        assertTrue(pair.listener.requests.size() < BACKLOG, pair.listener.requests.size() + " taken");
        for (int i = 0; i < 100; i++) {
            connectHonestly();
        }
    }

    @Test
    void shouldLetAnotherHostInWhenOneAsksAndNeverAnswers() {
        flood(1, 20_000);
        assertEquals(HalfOpenConnections.MANY, pair.listener.requests.size());
        assertEquals(
                20_000 - HalfOpenConnections.MANY, pair.serverNode.counters().get(Counter.CONNECTION_REQUESTS_DROPPED));
        connectHonestly();
    }

    @Test
    void shouldTakeMoreFromAHostWhenItAnswers() {
        pair.listener.room = Integer.MAX_VALUE;
        for (int i = 0; i < 2 * HalfOpenConnections.MANY; i++) {
            connectHonestly();
        }
        assertTrue(pair.serverNode.agent.halfOpen().isEmpty());
    }

    @Test
    void shouldTakeMoreFromAHostWhenItsRequestsAreGivenUp() {
        flood(1, 20_000);
        pair.listener.requests.forEach(end -> end.connection.reject(new byte[0]));
        assertTrue(pair.serverNode.agent.halfOpen().isEmpty());
        flood(1, 100);
        assertEquals(HalfOpenConnections.MANY + 100, pair.listener.requests.size());
        pair.runMs(PassiveOpening.REQUEST_LIFE_NS / SimulatedCmNetwork.MS + 1000);
        pair.assertNothingLeft();
    }

    @Test
    void shouldLeaveEveryHostItsShareWhenTheyComeOneAfterTheOther() {
        for (int host = 0; host < 100; host++) {
            int before = pair.listener.requests.size();
            pair.listener.room = Integer.MAX_VALUE;
            for (int i = 0; i < 1000; i++) {
                ask(host);
            }
            int its = pair.listener.requests.size() - before;
            assertTrue(its >= HalfOpenConnections.SMALLEST_SHARE, "host " + host + " has " + its);
            assertTrue(host < 60 || its == HalfOpenConnections.SMALLEST_SHARE, "host " + host + " has " + its);
        }
    }
}
