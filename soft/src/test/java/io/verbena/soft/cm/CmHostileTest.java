package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDrep;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmMra;
import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmReqBuilder;
import io.verbena.roce.mad.CmRtu;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.MalformedMadException;
import io.verbena.roce.mad.RejectReason;
import io.verbena.soft.engine.Counter;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Hostile or wrong connection messages.
class CmHostileTest {
    private static final long STRANGER = 0xFFFF_0A00_0063L;
    private static final byte[] NOTHING = {};

    private final CmPair pair = new CmPair(Mtu.MTU_4096, Mtu.MTU_1024);
    private final long clientLow = pair.clientNode.facts().gid().low();

    private CmReqBuilder goodReq() {
        Gid from = pair.clientNode.facts().gid();
        Gid to = pair.serverNode.facts().gid();
        return CmReq.builder()
                .localCommId(0x1234)
                .serviceId(RecordingHandler.SERVICE)
                .localCaGuid(0x55)
                .localQpn(0x77)
                .pathMtu(3)
                .primaryPath(CmPath.between(from.high(), from.low(), to.high(), to.low()))
                .privateData(CmaHeader.of(5, from.high(), from.low(), to.high(), to.low())
                        .encode());
    }

    static Stream<Arguments> badRequests() {
        return Stream.of(
                bad(RejectReason.INVALID_SERVICE_ID, r -> r.serviceId(RecordingHandler.SERVICE + 1)),
                bad(RejectReason.INVALID_TRANSPORT_TYPE, r -> r.transportServiceType(CmReq.UC)),
                bad(RejectReason.UNSUPPORTED_REQUEST, r -> r.localQpn(1)),
                bad(RejectReason.UNSUPPORTED_REQUEST, r -> r.partitionKey(0x8001)),
                bad(RejectReason.INVALID_GID, r -> r.primaryPath(CmPath.between(0, STRANGER, 0, 0xFFFF_0A00_0002L))),
                bad(RejectReason.INVALID_GID, r -> r.primaryPath(CmPath.between(0, 0xFFFF_0A00_0001L, 0, STRANGER))),
                bad(RejectReason.INVALID_PATH_MTU, r -> r.pathMtu(0)),
                bad(RejectReason.INVALID_PATH_MTU, r -> r.pathMtu(4)),
                bad(RejectReason.INVALID_PATH_MTU, r -> r.pathMtu(15)),
                bad(RejectReason.CONSUMER_REJECT, r -> r.privateData(new byte[] {9, 9, 9})),
                bad(RejectReason.CONSUMER_REJECT, r -> r.privateData(NOTHING)),
                bad(
                        RejectReason.CONSUMER_REJECT,
                        r -> r.privateData(CmaHeader.of(5, 0, STRANGER, 0, 0xFFFF_0A00_0002L)
                                .encode())));
    }

    private static Arguments bad(RejectReason reason, UnaryOperator<CmReqBuilder> change) {
        return Arguments.of(reason, change);
    }

    @ParameterizedTest
    @MethodSource("badRequests")
    void shouldRefuseBadRequestWithReason(RejectReason reason, UnaryOperator<CmReqBuilder> change) {
        pair.network.inject(change.apply(goodReq()).build(), clientLow, pair.serverNode);
        pair.runMs(1);
        CmRej rej = (CmRej) pair.network.sent.getFirst().message();
        assertEquals(reason, RejectReason.of(rej.reason()));
        assertEquals(0x1234, rej.remoteCommId());
        if (reason == RejectReason.INVALID_PATH_MTU) {
            assertArrayEquals(new byte[] {3}, rej.additionalInfo());
        }
        if (reason == RejectReason.INVALID_GID) {
            assertArrayEquals(pair.serverNode.facts().gid().bytes(), rej.additionalInfo());
        }
        assertTrue(pair.listener.requests.isEmpty());
        pair.assertNothingLeft();
        assertEquals(1, pair.serverNode.counters().get(Counter.CONNECTION_REQUESTS_REFUSED));
    }

    @Test
    void shouldAcceptTheRequestThatTheBadOnesWereMadeFrom() {
        pair.network.inject(goodReq().build(), clientLow, pair.serverNode);
        pair.runMs(1);
        assertEquals(1, pair.listener.requests.size());
    }

    @Test
    void shouldIgnoreMessagesThatNameTheConnectionWrongly() {
        pair.establish();
        int server = pair.server().connection.names().localId();
        int client = pair.client.connection.names().localId();
        int qp = pair.server().qpNumber;
        List<CmMessage> wrong = List.of(
                new CmDreq(1, client, server, qp + 1),
                new CmDreq(1, client + 1, server, qp),
                new CmDreq(1, client, server + 1, qp),
                new CmDreq(1, 0, 0, 0),
                new CmRej(1, client + 1, server, AnsweredMessage.OTHER, RejectReason.CONSUMER_REJECT),
                new CmRej(1, 0, server, AnsweredMessage.REQ, RejectReason.INVALID_SERVICE_ID),
                new CmRej(1, client, 0, AnsweredMessage.OTHER, RejectReason.TIMEOUT),
                new CmRtu(1, client + 1, server),
                new CmRtu(1, 0, 0),
                new CmMra(1, client, server, AnsweredMessage.REP, 31),
                new CmDrep(1, client, server));
        wrong.forEach(message -> pair.network.inject(message, clientLow, pair.serverNode));
        List<CmMessage> stranger = List.of(
                new CmDreq(1, client, server, qp),
                new CmRej(1, client, server, AnsweredMessage.OTHER, RejectReason.CONSUMER_REJECT),
                new CmRtu(1, client, server));
        stranger.forEach(message -> pair.network.inject(message, STRANGER, pair.serverNode));
        pair.runMs(100);
        assertEquals(CmState.ESTABLISHED, pair.server().connection.state());
        assertEquals(CmState.ESTABLISHED, pair.client.connection.state());
        assertTrue(pair.serverNode.counters().get(Counter.CONNECTION_MESSAGES_IGNORED) >= 10);
    }

    @Test
    void shouldNotLetStrangerEndAConnectionByQuotingItsQueuePair() {
        pair.establish();
        CmReq original = pair.network.sent.stream()
                .map(SimulatedCmNetwork.Sent::message)
                .filter(CmReq.class::isInstance)
                .map(CmReq.class::cast)
                .findFirst()
                .orElseThrow();
        pair.network.inject(original.toBuilder().localCommId(99).build(), STRANGER, pair.serverNode);
        pair.runMs(1000);
        assertEquals(CmState.ESTABLISHED, pair.server().connection.state());
    }

    @Test
    void shouldKeepMemoryBoundedUnderFloodOfRequests() {
        pair.listener.room = 16;
        for (int i = 1; i <= 20_000; i++) {
            CmReq req = goodReq().localCommId(i).localQpn(100 + i).build();
            pair.network.inject(req, clientLow, pair.serverNode);
        }
        pair.runMs(1);
        assertEquals(16, pair.serverNode.agent.tables().size());
        assertEquals(20_000 - 16, pair.serverNode.counters().get(Counter.CONNECTION_REQUESTS_DROPPED));
        pair.listener.requests.forEach(end -> end.connection.reject(NOTHING));
        pair.assertNothingLeft();
        for (int i = 30_000; i < 40_000; i++) {
            pair.listener.requests.clear();
            pair.network.inject(goodReq().localCommId(i).build(), clientLow, pair.serverNode);
            pair.runMs(1);
            pair.listener.only().connection.reject(NOTHING);
        }
        assertTrue(pair.serverNode.agent.answers().size() <= 256);
    }

    @Test
    void shouldSurviveRandomBytesInEveryMessage() {
        Random random = new Random(42);
        pair.listener.room = 64;
        pair.establish();
        int server = pair.server().connection.names().localId();
        List<CmMessage> seeds =
                pair.network.sent.stream().map(SimulatedCmNetwork.Sent::message).toList();
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = seeds.get(random.nextInt(seeds.size())).toBytes();
            for (int flips = random.nextInt(6); flips >= 0; flips--) {
                bytes[24 + random.nextInt(232)] = (byte) random.nextInt();
            }
            bytes[17] = (byte) (0x10 + random.nextInt(9));
            try {
                CmMessage message = CmMessage.decode(MemorySegment.ofArray(bytes), 0);
                pair.serverNode.agent.onMessage(message, 0, random.nextBoolean() ? clientLow : STRANGER);
            } catch (MalformedMadException refusedByTheCodec) {
                continue;
            }
            if (i % 1000 == 0) {
                pair.runMs(1);
            }
        }
        assertTrue(pair.serverNode.agent.tables().size() <= 65, "server " + server);
    }
}
