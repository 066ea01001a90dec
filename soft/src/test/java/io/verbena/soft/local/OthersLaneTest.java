package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.SealedMemory;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A peer whose queue pair still has the lane of another connection, or of this one before a reset.
@EnabledOnOs(OS.LINUX)
class OthersLaneTest implements OverSharedMemory {
    private final SharedPair pair = new SharedPair(Loopback.next(), Loopback.next());

    @AfterEach
    void close() {
        pair.close();
    }

    /// Shows a lane as the right queue pair's.
    private SealedMemory showLane(int meantFor) {
        SealedMemory lane = pair.rightHost.neighbourhood.create(LaneLayout.BYTES, false);
        Gid left = Gid.of(pair.left.address);
        OwnLane own = new OwnLane(lane, left.high(), left.low(), meantFor, SharedPair.LEFT_PSN, 0);
        own.allowAccess(-1, 0);
        MemorySegment page = pair.page(pair.right);
        long at = DeviceLayout.queuePairAt(pair.right.qp.number());
        page.set(ValueLayout.JAVA_INT, at + DeviceLayout.LANE_DESCRIPTOR, lane.fd());
        page.set(ValueLayout.JAVA_LONG, at + DeviceLayout.LANE_NONCE, lane.nonce());
        page.set(ValueLayout.JAVA_INT, at + DeviceLayout.PATH, QueuePairPath.LOCAL.ordinal());
        return lane;
    }

    private static byte[] requests(MemorySegment lane) {
        return lane.asSlice(LaneLayout.REQUESTS_AT, (long) LaneLayout.REQUEST_CELLS * LaneLayout.CELL_BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private void expectMessage() {
        assertTrue(
                pair.driveUntil(() -> !pair.left.completions.isEmpty() && !pair.right.completions.isEmpty()),
                pair::state);
        assertEquals(CompletionStatus.SUCCESS, pair.left.completions.getFirst().status());
        assertArrayEquals(pair.left.bytes(0, 1000), pair.right.bytes(5000, 1000));
        assertEquals(0, pair.packets());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotTouchItAndTakeTheNextOne(boolean ofAnotherConnection) {
        SealedMemory lane = showLane(pair.left.qp.number() + (ofAnotherConnection ? 1 : 0));
        if (!ofAnotherConnection) {
            lane.memory().set(ValueLayout.JAVA_INT, LaneLayout.ATTACHED_AT, 1);
        }
        byte[] before = requests(lane.memory());
        pair.initialise();
        pair.joinLeft(SharedPair.PATIENT);
        pair.left.fill(0, 1000, 3);
        pair.left.send(1, 0, 1000);
        OpenPair.pollOften(pair);
        assertEquals(0, pair.left.completions.size());
        pair.right.receive(2, 5000, 1000);
        pair.joinRight(SharedPair.PATIENT);
        expectMessage();
        assertArrayEquals(before, requests(lane.memory()), "entries in another one's lane");
        assertEquals(ofAnotherConnection ? 0 : 1, lane.memory().get(ValueLayout.JAVA_INT, LaneLayout.ATTACHED_AT));
        lane.close();
    }

    /// Only one side is reset: its messages must not reach the old connection of the peer.
    @Test
    void shouldNotSpeakToAnEarlierLifeOfThePeer() {
        pair.connect(SharedPair.PATIENT);
        OpenPair.exchange(pair, pair.left, pair.right);
        pair.right.receive(7, 9000, 1000);
        pair.left.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        ConnectionEnd.initialise(pair.left.qp);
        pair.joinLeft(SharedPair.PATIENT);
        pair.left.fill(0, 1000, 3);
        pair.left.send(1, 0, 1000);
        OpenPair.pollOften(pair);
        assertEquals(0, pair.left.completions.size() + pair.right.completions.size(), pair::state);
        pair.right.qp.modify(QueuePairChange.to(QueuePairState.RESET));
        ConnectionEnd.initialise(pair.right.qp);
        pair.right.receive(9, 5000, 1000);
        pair.joinRight(SharedPair.PATIENT);
        expectMessage();
        assertEquals(9, pair.right.completions.getFirst().wrId());
    }

    /// A peer that expects another first PSN gets nothing delivered, and the requests fail.
    @Test
    void shouldDeliverNothingToAPeerThatIsNotInStep() {
        pair.initialise();
        SharedPair.join(
                pair.left.qp, pair.right, pair.right.qp.number(), SharedPair.RIGHT_PSN, 101, SharedPair.IMPATIENT);
        pair.joinRight(SharedPair.PATIENT);
        pair.right.receive(9, 5000, 1000);
        pair.left.send(1, 0, 1000);
        assertTrue(pair.driveUntil(() -> !pair.left.completions.isEmpty()), pair::state);
        assertEquals(
                CompletionStatus.RETRY_EXCEEDED,
                pair.left.completions.getFirst().status());
        assertEquals(0, pair.right.completions.size());
    }

    /// The first message of a peer may be there before this side has looked for the peer's lane.
    @Test
    void shouldFetchALongMessageThatComesBeforeThePeersLaneIsKnown() {
        pair.initialise();
        pair.joinLeft(SharedPair.PATIENT);
        pair.left.receive(9, 100_000, 50_000);
        byte[] data = pair.right.fill(0, 50_000, 4);
        SharedPair.hold(pair.left, () -> {
            pair.joinRight(SharedPair.PATIENT);
            pair.right.send(1, 0, 50_000);
            OpenPair.pollOften(pair);
        });
        assertTrue(
                pair.driveUntil(() -> pair.left.completions.size() == 1 && pair.right.completions.size() == 1),
                pair::state);
        assertEquals(CompletionStatus.SUCCESS, pair.left.completions.getFirst().status(), pair::state);
        assertArrayEquals(data, pair.left.bytes(100_000, 50_000));
        assertEquals(0, pair.packets());
    }
}
