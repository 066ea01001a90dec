package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.GuardedMemory;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The order of requests on the local path, and requests that take many turns.
@EnabledOnOs(OS.LINUX)
class LocalOrderTest {
    private static final int LONG = 1 << 20;

    private static void read(SimulatedLocalPair.Side side, long wrId, GuardedMemory from, long into, int length) {
        side.post(side.request(wrId).read(from.address(), from.rkey()).into(side.memory, into, length));
    }

    private static byte[] fill(MemoryRegion region, int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, region.memory(), ValueLayout.JAVA_BYTE, 0, length);
        return bytes;
    }

    private static void assertAllSucceeded(SimulatedLocalPair.Side side, int count) {
        assertEquals(count, side.statuses().size());
        assertTrue(side.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals), side.completions::toString);
    }

    @Test
    void shouldSendAFencedRequestOnlyAfterTheReadsBeforeIt() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096).connect()) {
            GuardedMemory there = host.right.privateMemory(4096);
            host.right.receive(9, 0, 100);
            host.right.standStill(true);
            read(host.left, 1, there, 0, 100);
            host.left.post(
                    host.left.request(2).send().from(host.left.memory, 0, 100).fenced());
            assertEquals(1, host.left.messages());
            host.right.standStill(false);
            host.expect(host.left, 2);
            assertEquals(List.of(1L, 2L), host.left.wrIds());
            assertEquals(2, host.left.messages());
            assertAllSucceeded(host.left, 2);
        }
    }

    @Test
    void shouldNotFenceWhatFollowsOnlySends() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096).connect()) {
            host.right.standStill(true);
            host.left.send(1, 0, 100);
            host.left.post(
                    host.left.request(2).send().from(host.left.memory, 0, 100).fenced());
            assertEquals(2, host.left.messages());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldHaveNoMoreReadsOutThanAgreed(int most) {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096)
                .sending(rts -> rts.maxReadAtomic(most))
                .connect()) {
            GuardedMemory there = host.right.privateMemory(4096);
            host.right.standStill(true);
            for (int i = 0; i < 6; i++) {
                read(host.left, i, there, 0, 100);
            }
            host.left.send(6, 0, 100);
            assertEquals(most, host.left.messages(), "and nothing overtakes");
            host.right.receive(9, 0, 100);
            host.right.standStill(false);
            host.expect(host.left, 7);
            assertAllSucceeded(host.left, 7);
        }
    }

    @Test
    void shouldCompleteAReadThatIsLongerThanTheReplyRing() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(LONG).connect()) {
            GuardedMemory there = host.right.privateMemory(LONG);
            byte[] bytes = fill(there.region(), LONG);
            read(host.left, 1, there, 0, LONG);
            read(host.left, 2, there, 0, LONG - 1);
            host.expect(host.left, 2);
            assertAllSucceeded(host.left, 2);
            assertArrayEquals(bytes, host.left.bytes(0, LONG));
        }
    }

    @Test
    void shouldCompleteALongReadWhenOnlyTheProgramsPoll() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(LONG).connect()) {
            GuardedMemory there = host.right.privateMemory(LONG);
            byte[] bytes = fill(there.region(), LONG);
            read(host.left, 1, there, 0, LONG);
            for (int i = 0; i < 1000 && host.left.completions.isEmpty(); i++) {
                host.right.poll();
                host.left.poll();
            }
            assertAllSucceeded(host.left, 1);
            assertArrayEquals(bytes, host.left.bytes(0, LONG));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCompleteASendFromPrivateMemoryThatIsLongerThanTheRing(boolean polls) {
        try (SimulatedLocalPair host = new SimulatedLocalPair(LONG).connect()) {
            GuardedMemory here = host.left.privateMemory(LONG);
            byte[] bytes = fill(here.region(), LONG);
            host.right.receive(9, 0, LONG);
            host.left.post(host.left.request(1).send().from(here.region(), 0, LONG));
            for (int i = 0; polls && i < 2000 && host.left.completions.isEmpty(); i++) {
                host.right.poll();
                host.left.poll();
            }
            if (!polls) {
                host.expect(host.left, 1);
            }
            assertAllSucceeded(host.left, 1);
            assertEquals(List.of(9L), host.right.wrIds());
            assertEquals(LONG, host.right.completions.getFirst().byteLength());
            assertArrayEquals(bytes, host.right.bytes(0, LONG));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 3000, 30_000})
    void shouldRevokeTheKeyBeforeTheReceiveTellsOfIt(int length) {
        try (SimulatedLocalPair host = new SimulatedLocalPair(64 * 1024).connect()) {
            MemoryRegion region =
                    host.right.pd.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND);
            MemoryWindow window = host.right.pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
            int rkey = Keys.increment(window.rkey());
            host.right.post(host.right
                    .request(1)
                    .bindMemoryWindow(window, rkey, region, region.address(), 4096, Access.REMOTE_WRITE));
            host.expect(host.right, 1);
            host.right.receive(9, 0, 64 * 1024);
            host.left.post(host.left.request(1).write(region.address(), rkey).from(host.left.memory, 0, 8));
            host.left.post(host.left.request(2).sendWithInvalidate(rkey).from(host.left.memory, 0, length));
            host.left.post(host.left.request(3).write(region.address(), rkey).from(host.left.memory, 0, 8));
            host.expect(host.left, 3);
            assertEquals(
                    List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS, CompletionStatus.REMOTE_ACCESS_ERROR),
                    host.left.statuses());
            host.right.poll();
            WorkCompletion received = host.right.completions.get(1);
            assertEquals(9, received.wrId());
            assertEquals(length, received.byteLength());
            assertTrue(received.hasInvalidatedKey());
            assertEquals(rkey, received.invalidatedKey());
        }
    }

    /// In pieces through the ring it would take a hundred times longer.
    @Test
    void shouldHoldALongReadBackUntilTheSendBeforeItIsExecuted() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(LONG).connect()) {
            byte[] bytes = fill(host.right.memory, LONG);
            MemoryRegion there = host.right.memory;
            host.right.receive(9, 0, 0);
            host.right.standStill(true);
            host.left.send(1, 0, 0);
            host.left.post(
                    host.left.request(2).read(there.address(), there.rkey()).into(host.left.memory, 0, LONG));
            host.left.post(
                    host.left.request(3).read(there.address(), there.rkey()).into(host.left.memory, 0, 8));
            assertEquals(1, host.left.messages(), "and nothing overtakes");
            host.right.standStill(false);
            host.expect(host.left, 3);
            assertEquals(List.of(1L, 2L, 3L), host.left.wrIds());
            assertAllSucceeded(host.left, 3);
            assertArrayEquals(bytes, host.left.bytes(0, LONG));
        }
    }

    @Test
    void shouldNotHoldAShortReadBack() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(LONG).connect()) {
            MemoryRegion there = host.right.memory;
            host.right.standStill(true);
            host.left.send(1, 0, 0);
            host.left.post(
                    host.left.request(2).read(there.address(), there.rkey()).into(host.left.memory, 0, 8));
            assertEquals(2, host.left.messages());
        }
    }
}
