package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// SENDs that revoke a key of the peer.
class SendWithInvalidateTest {
    private static final int MTU = 256;

    private final SimulatedPair pair = new SimulatedPair(1, 64 * 1024).connect(Mtu.MTU_256);
    private final MemoryRegion region = pair.right.pd.allocate(
            4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.MEMORY_WINDOW_BIND);

    @AfterEach
    void close() {
        assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS));
        pair.close();
    }

    /// The key of a new window over the region.
    private int bind() {
        MemoryWindow window = pair.right.pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        int rkey = Keys.increment(window.rkey());
        pair.right.post(pair.right
                .request(99)
                .bindMemoryWindow(window, rkey, region, region.address(), 4096, Access.REMOTE_WRITE));
        pair.expect(pair.right, 1);
        assertEquals(List.of(CompletionStatus.SUCCESS), pair.right.statuses());
        pair.right.completions.clear();
        return rkey;
    }

    private void send(long wrId, int rkey, int length) {
        pair.left.post(pair.left.request(wrId).sendWithInvalidate(rkey).from(pair.left.memory, 0, length));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, MTU, 3 * MTU + 1})
    void shouldTellTheKeyThatIsDeadThen(int length) {
        int rkey = bind();
        byte[] data = pair.left.fill(0, length, 4);
        pair.right.receive(5, 0, 4096);
        send(1, rkey, length);
        pair.expect(pair.right, 1);
        WorkCompletion received = pair.right.completions.getFirst();
        assertEquals(CompletionStatus.SUCCESS, received.status());
        assertEquals(CompletionOpcode.RECEIVE, received.opcode());
        assertTrue(received.hasInvalidatedKey());
        assertFalse(received.hasImmediate());
        assertEquals(rkey, received.invalidatedKey());
        assertEquals(length, received.byteLength());
        assertArrayEquals(data, pair.right.bytes(0, length));
        pair.expect(pair.left, 1);
        pair.left.post(pair.left.request(2).write(region.address(), rkey).from(pair.left.memory, 0, 8));
        pair.expect(pair.left, 2);
        assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.REMOTE_ACCESS_ERROR), pair.left.statuses());
    }

    @Test
    void shouldPutTheKeyBehindTheHeadersOfTheLastPacket() {
        int rkey = bind();
        pair.right.receive(5, 0, 4096);
        send(1, rkey, MTU + 1);
        pair.expect(pair.left, 1);
        byte[] last = pair.left
                .tap
                .frames(Opcode.RC_SEND_LAST_WITH_INVALIDATE)
                .getFirst()
                .bytes();
        assertEquals("%08x".formatted(rkey), HexFormat.of().formatHex(last, 12, 16));
    }

    @Test
    void shouldRevokeOnceWhenTheAcknowledgementIsLost() {
        int rkey = bind();
        pair.right.receive(5, 0, 4096);
        pair.right.receive(6, 0, 4096);
        pair.right.tap.lose(1, Opcode.RC_ACKNOWLEDGE);
        send(1, rkey, 7);
        pair.expect(pair.left, 1);
        assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
        assertEquals(List.of(5L), pair.right.wrIds());
        assertEquals(QueuePairState.RTS, pair.right.qp.state());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldRevokeEachKeyOnceWhenTheNetworkMisbehaves(long seed) {
        int[] keys = new int[10];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = bind();
            pair.right.receive(i, 0, 4096);
        }
        pair.faults(
                FaultPlan.none().withSeed(seed).withLoss(0.1).withDuplicate(0.2).withReorder(0.1));
        for (int i = 0; i < keys.length; i++) {
            send(i, keys[i], i * 100);
        }
        assertTrue(pair.await(pair.left, keys.length, Duration.ofSeconds(600)));
        pair.right.poll();
        assertTrue(pair.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals), "seed " + seed);
        for (int i = 0; i < keys.length; i++) {
            assertEquals(keys[i], pair.right.completions.get(i).invalidatedKey(), "seed " + seed);
        }
    }

    @Test
    void shouldFailTheReceiverInSilenceWhenTheKeyCannotBeRevoked() {
        pair.right.receive(4, 0, 4096);
        pair.right.receive(5, 0, 4096);
        pair.right.receive(6, 0, 4096);
        pair.left.send(1, 0, 7);
        send(2, region.rkey(), 7);
        pair.expect(pair.right, 3);
        assertEquals(
                List.of(
                        CompletionStatus.SUCCESS,
                        CompletionStatus.REMOTE_INVALID_REQUEST,
                        CompletionStatus.WORK_REQUEST_FLUSHED),
                pair.right.statuses());
        assertEquals(QueuePairState.ERR, pair.right.qp.state());
        assertEquals(0, pair.right.counter(Counter.ERROR_NAKS_SENT));
        assertTrue(pair.await(pair.left, 2, Duration.ofSeconds(600)));
        assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.RETRY_EXCEEDED), pair.left.statuses());
    }
}
