package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Undamaged packets pass, whatever identifications their sender uses and whatever the network does to their order. An
/// identification out of sequence passes only until damage was seen.
class IdentificationCheckTest {
    private static final int PEER = 0x0A00_0001;
    private static final int SELF = 0x0A00_0002;
    private static final int GROUP = 0xEF00_0001;
    private static final int OWN_PORT = 4791;
    private static final int PORT = 0xC123;
    private static final long MS = 1_000_000;

    private boolean isShared;
    private final IdentificationCheck check = new IdentificationCheck(() -> isShared);
    private long nowNs = -5_000;

    private boolean accepts(int port, int identification) {
        return check.accepts(PEER, port, SELF, identification & 0xFFFF, nowNs);
    }

    private void expectAll(int port, int first, int count) {
        for (int i = 0; i < count; i++) {
            assertTrue(accepts(port, first + i), "packet " + i + " from " + first);
        }
    }

    private void seeDamage(int port) {
        check.onDamage(PEER, port, SELF);
    }

    @Test
    void shouldRefuseWhatASenderOfZerosCannotHaveSentWhenDamageWasSeen() {
        for (int i = 0; i < 8; i++) {
            assertTrue(accepts(OWN_PORT, 0));
        }
        seeDamage(OWN_PORT);
        assertFalse(accepts(OWN_PORT, 1234));
        nowNs += 10_000 * MS;
        assertFalse(accepts(OWN_PORT, 65));
        expectAll(OWN_PORT, 0, 64);
        assertTrue(accepts(OWN_PORT, 0));
    }

    @Test
    void shouldRefuseWhatACountingSenderCannotHaveSentWhenDamageWasSeen() {
        expectAll(PORT, 40_000, 100);
        seeDamage(PORT);
        for (int wrong : new int[] {0, 20_000, 39_900, 40_300, 63}) {
            assertFalse(accepts(PORT, wrong), "identification " + wrong);
        }
        expectAll(PORT, 40_100, 100);
    }

    /// The kernel counts for each pair of hosts, and the other shards get a part of the packets.
    @Test
    void shouldTakeJumpsWhileOtherShardsHaveTheAddress() {
        expectAll(PORT, 40_000, 100);
        seeDamage(PORT);
        isShared = true;
        for (int next = 40_300; next < 100_000; next += 200) {
            expectAll(PORT, next, 8);
        }
        isShared = false;
        assertFalse(accepts(PORT, 20_000));
    }

    @Test
    void shouldRefuseWhatASenderOfZerosCannotHaveSentWhoeverHasTheAddress() {
        isShared = true;
        for (int i = 0; i < 8; i++) {
            assertTrue(accepts(OWN_PORT, 0));
        }
        seeDamage(OWN_PORT);
        assertFalse(accepts(OWN_PORT, 1234));
    }

    @Test
    void shouldBelieveASenderAgainThatAlwaysJumps() {
        expectAll(PORT, 40_000, 100);
        seeDamage(PORT);
        int refused = 0;
        for (int i = 1; i <= 100; i++) {
            refused += accepts(PORT, 40_100 + 1_000 * i) ? 0 : 1;
        }
        assertEquals(6, refused, "so that the seventh copy of a packet gets through");
    }

    @Test
    void shouldGoOnPastTheLastIdentificationWhenDamageWasSeen() {
        expectAll(PORT, 65_000, 10);
        seeDamage(PORT);
        expectAll(PORT, 65_010, 200_000);
    }

    @Test
    void shouldTakeTheFirstPacketAfterManyLossesWhileThereIsNoDamage() {
        int next = 1000;
        for (int lost : new int[] {65, 500, 10_000, 40_000, 65_535}) {
            expectAll(PORT, next, 20);
            next += 20 + lost;
        }
    }

    @Test
    void shouldLoseOnePacketToAJumpWhenDamageWasSeen() {
        expectAll(PORT, 1000, 20);
        seeDamage(PORT);
        assertFalse(accepts(PORT, 9000));
        expectAll(PORT, 9001, 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 63})
    void shouldTakeWhatComesAfterAFewLossesWhenDamageWasSeen(int lost) {
        expectAll(PORT, 1000, 20);
        seeDamage(PORT);
        for (int next = 1020; next < 100_000; next += lost + 1) {
            assertTrue(accepts(PORT, next), "identification " + next);
        }
    }

    @Test
    void shouldTakePacketsInAnotherOrderWhenDamageWasSeen() {
        long seed = 20261116;
        Random random = new Random(seed);
        expectAll(PORT, 0xFFF0, 5);
        seeDamage(PORT);
        for (int block = 0; block < 1000; block++) {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                order.add(0xFFF5 + block * 32 + i);
            }
            Collections.shuffle(order, random);
            order.forEach(id -> assertTrue(accepts(PORT, id), "identification " + id + " seed " + seed));
        }
    }

    /// Linux increments its counter by one for a datagram that it splits, and numbers the frames onwards from there.
    @Test
    void shouldTakeTrainsOfACountingSocketWhenDamageWasSeen() {
        long seed = 10;
        Random random = new Random(seed);
        expectAll(PORT, 100, 10);
        seeDamage(PORT);
        for (int datagram = 110; datagram < 200_000; datagram++) {
            expectAll(PORT, datagram, random.nextInt(4) == 0 ? 1 + random.nextInt(64) : 1);
        }
    }

    @Test
    void shouldTakeDuplicatesWhenDamageWasSeen() {
        expectAll(PORT, 700, 20);
        seeDamage(PORT);
        expectAll(PORT, 700 + 19, 1);
        expectAll(PORT, 700 + 10, 1);
        expectAll(PORT, 720, 1);
    }

    @Test
    void shouldTakeEverySocketOfAPeerForItself() {
        expectAll(OWN_PORT, 0, 64);
        seeDamage(OWN_PORT);
        for (int i = 0; i < 1000; i++) {
            assertTrue(accepts(OWN_PORT, i % 3));
            assertTrue(accepts(PORT, 30_000 + i));
            assertTrue(accepts(PORT + 1, 50_000 + i));
        }
    }

    @Test
    void shouldTakeAPeerThatComesBackWithAnotherSocketAndStart() {
        for (int life = 0; life < 10; life++) {
            expectAll(OWN_PORT, 0, 10);
            expectAll(PORT + life, 7000 * life + 100, 300);
            seeDamage(PORT + life);
        }
    }

    /// Linux's soft-RoCE counts for each pair of addresses, whatever the source port, which differs for each queue
    /// pair.
    @Test
    void shouldTakeQueuePairsThatShareOneCounterWhenDamageWasSeen() {
        long seed = 7;
        Random random = new Random(seed);
        expectAll(PORT, 100, 10);
        seeDamage(PORT);
        int next = 110;
        for (int i = 0; i < 100_000; i++) {
            int port = PORT + (random.nextInt(100) == 0 ? random.nextInt(8) : 0);
            assertTrue(accepts(port, next), "packet " + i + " seed " + seed);
            next++;
        }
    }

    /// The identification advances by up to one for each tick without a packet.
    @Test
    void shouldTakeSoftRoceAfterAPauseWhenDamageWasSeen() {
        long seed = 8;
        Random random = new Random(seed);
        expectAll(PORT, 100, 10);
        seeDamage(PORT);
        int next = 110;
        for (int i = 0; i < 10_000; i++) {
            int ticks = random.nextInt(10) == 0 ? random.nextInt(100_000) : 0;
            nowNs += ticks * MS;
            next += 1 + (ticks == 0 ? 0 : random.nextInt(ticks));
            assertTrue(accepts(PORT, next), "packet " + i + " seed " + seed);
        }
    }

    @Test
    void shouldTakeAGroupsPacketsForThemselves() {
        expectAll(PORT, 100, 10);
        seeDamage(PORT);
        for (int i = 0; i < 1000; i++) {
            assertTrue(check.accepts(PEER, PORT, GROUP, 40_000 + i, nowNs));
            assertTrue(accepts(PORT, 110 + i));
        }
    }

    @Test
    void shouldTakeEverythingFromASenderThatDoesNotCount() {
        long seed = 9;
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            int identification = random.nextInt(0x10000);
            assertTrue(accepts(PORT, identification), "packet " + i + " seed " + seed);
            seeDamage(PORT);
        }
    }

    @Test
    void shouldTakeACounterThatStartsLikeSegmentsWhenDamageWasSeen() {
        expectAll(PORT, 3, 10);
        seeDamage(PORT);
        expectAll(PORT, 13, 70_000);
    }

    @Test
    void shouldTakeTheFirstRetransmissionOfSoftRoceAfterAJumpWhenDamageWasSeen() {
        expectAll(PORT, 100, 10);
        seeDamage(PORT);
        nowNs += MS;
        assertFalse(accepts(PORT, 30_000));
        nowNs += 1000 * MS;
        assertTrue(accepts(PORT, 30_000 + 900), "its counter steps on by up to one for each tick");
    }

    @Test
    void shouldWidenNothingAfterAJumpWhenTheSourceWentOnInSequence() {
        expectAll(PORT, 100, 10);
        seeDamage(PORT);
        nowNs += MS;
        assertFalse(accepts(PORT, 30_000));
        nowNs += MS;
        assertTrue(accepts(PORT, 110));
        nowNs += 1000 * MS;
        assertFalse(accepts(PORT, 30_000 + 900));
    }

    @Test
    void shouldNotBecomeStrictByWhatStrangersSend() {
        expectAll(PORT, 100, 10);
        check.onDamage(PEER + 1, PORT, SELF);
        check.onDamage(PEER, PORT + 1, SELF);
        assertTrue(accepts(PORT, 30_000));
    }

    @Test
    void shouldForgetTheLongestSilentWhenThereAreTooManySources() {
        for (int port = 0; port < 60_000; port++) {
            nowNs++;
            expectAll(PORT, 2 * port, 2);
            assertTrue(accepts(port, 30_000));
        }
        seeDamage(PORT);
        assertFalse(accepts(PORT, 60_000), "the busy one is still known");
        assertEquals(1024, IdentificationCheck.PLACES);
    }
}
