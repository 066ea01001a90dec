package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.device.SoftContext;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.soft.shard.ShardNumbers;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueuePairTableTest {
    private static QueuePair make(ScriptedPeer peer) {
        return peer.pd.createQueuePair(
                QueuePairOptions.rc(peer.cq).sendRequests(1).receiveRequests(1));
    }

    @Test
    void shouldFindEachQueuePairByItsNumberAndNoOther() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            QueuePairTable table =
                    ((SoftContext) peer.context).engines().first().queuePairs();
            int before = table.size();
            List<SoftQueuePair> made = new ArrayList<>();
            Set<Integer> numbers = new HashSet<>();
            for (int i = 0; i < 300; i++) {
                SoftQueuePair qp = (SoftQueuePair) make(peer);
                made.add(qp);
                assertTrue(numbers.add(qp.number()), "given twice");
                assertTrue(qp.number() >= 16 && qp.number() <= 0xFF_FFFE);
            }
            for (SoftQueuePair qp : made) {
                assertSame(qp.service(), table.find(qp.number()));
                assertNull(table.find(qp.number() ^ 0x80_0000));
            }
            assertNull(table.find(0));
            assertNull(table.find(1));
            assertNull(table.find(0xFF_FFFF));
            for (SoftQueuePair qp : made.subList(0, 150)) {
                qp.close();
                qp.close();
                assertNull(table.find(qp.number()));
            }
            assertEquals(before + 150, table.size());
            assertSame(made.get(200).service(), table.find(made.get(200).number()));
        }
    }

    @Test
    void shouldNotGiveANumberAgainSoon() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            Set<Integer> numbers = new HashSet<>();
            for (int i = 0; i < 200; i++) {
                QueuePair qp = make(peer);
                assertTrue(numbers.add(qp.number()), "a peer of an earlier life would match");
                qp.close();
            }
        }
    }

    @Test
    void shouldNotLetTheNextNumberBeToldFromTheLast() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            int last = peer.qp.number();
            int near = 0;
            for (int i = 0; i < 200; i++) {
                int next = make(peer).number();
                near += Math.abs(next - last) < 1024 ? 1 : 0;
                last = next;
            }
            assertTrue(near <= 2, "neighbours: " + near);
        }
    }

    @Test
    void shouldRefuseMoreThanTheLimit() {
        QueuePairTable table = new QueuePairTable(ShardNumbers.all(new Random(1)), 0);
        RdmaException refused = assertThrows(RdmaException.class, () -> table.add(null));
        assertEquals(Errno.ENOMEM, refused.errno());
    }
}
