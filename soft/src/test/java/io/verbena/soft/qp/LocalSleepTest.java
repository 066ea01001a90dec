package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A device's thread sleeps while nothing can make progress, and a thread that waits for an event need not wait for it.
@EnabledOnOs(OS.LINUX)
class LocalSleepTest {
    /// Longer than the ring of answers.
    private static final int LONG = 64 * 1024;

    private static void assertSleeps(SimulatedLocalPair.Side side, boolean sleeps) {
        LocalDevice device = ((SoftContext) side.context).engines().first().local();
        assertEquals(sleeps, device.fallAsleep());
        device.wakeUp();
    }

    @Test
    void shouldSleepWhenAReadIsPostedThatMayNeverLeave() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096)
                .sending(rts -> rts.maxReadAtomic(0))
                .connect()) {
            GuardedMemory there = host.right.privateMemory(100);
            host.left.post(
                    host.left.request(1).read(there.address(), there.rkey()).into(host.left.memory, 0, 100));
            host.left.send(2, 0, 100);
            host.run(Duration.ofMillis(1));
            assertEquals(0, host.left.messages());
            assertSleeps(host.left, true);
        }
    }

    @Test
    void shouldSleepWhenThePeerDoesNotTakeItsAnswers() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(LONG).connect()) {
            GuardedMemory there = host.right.privateMemory(LONG);
            host.left.standStill(true);
            host.left.post(
                    host.left.request(1).read(there.address(), there.rkey()).into(host.left.memory, 0, LONG));
            host.run(Duration.ofMillis(1));
            assertSleeps(host.right, true);
            host.left.poll();
            assertSleeps(host.right, false);
            host.left.standStill(false);
            host.expect(host.left, 1);
            assertEquals(List.of(CompletionStatus.SUCCESS), host.left.statuses());
        }
    }

    @Test
    void shouldSleepWhenAFailedRequestWaitsForTheOneBeforeIt() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096).connect()) {
            GuardedMemory unwritable = new GuardedMemory(host.left.pd, 100, Access.REMOTE_READ);
            host.right.receive(9, 0, 100);
            host.right.standStill(true);
            host.left.send(1, 0, 100);
            host.left.post(host.left
                    .request(2)
                    .read(host.right.memory.address(), host.right.memory.rkey())
                    .into(unwritable.region(), 0, 100));
            host.run(Duration.ofMillis(1));
            assertEquals(List.of(), host.left.statuses());
            host.run(Duration.ofMillis(1));
            assertSleeps(host.left, true);
            host.right.standStill(false);
            host.expect(host.left, 2);
            assertEquals(
                    List.of(CompletionStatus.SUCCESS, CompletionStatus.LOCAL_PROTECTION_ERROR), host.left.statuses());
        }
    }

    @Test
    void shouldNotSleepWhileAMessageLiesInTheLane() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096).connect()) {
            host.right.receive(9, 0, 100);
            host.right.standStill(true);
            host.left.send(1, 0, 100);
            assertSleeps(host.right, false);
        }
    }

    /// Another thread polled while this one fell asleep, and does not come back.
    @Test
    void shouldNotSleepBeforeAnExecutedMessageIsAcknowledged() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096).connect()) {
            for (int id = 1; id <= 2; id++) {
                host.right.receive(id, 0, 100);
            }
            host.left.send(1, 0, 100);
            host.expect(host.left, 1); // the engine runs for the first message of a connection
            host.run(Duration.ofMillis(1));
            host.right.standStill(true);
            host.left.send(2, 0, 100);
            host.right.poll();
            assertEquals(2, host.right.completions.size());
            host.left.poll();
            assertEquals(List.of(1L), host.left.wrIds());
            assertSleeps(host.right, false);
            host.right.standStill(false);
            host.run(Duration.ofMillis(1));
            assertSleeps(host.right, true);
            host.left.poll();
            assertEquals(List.of(1L, 2L), host.left.wrIds());
        }
    }

    @Test
    void shouldFireTheEventOfADirectWriteInTheCallThatPostsIt() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096).connect()) {
            host.left.standStill(true);
            host.left.cq.arm(false);
            byte[] bytes = host.left.fill(0, 100, 1);
            host.left.write(1, 0, 100, 0);
            // Waiting at the channel would step the engine.
            assertFalse(((SoftCompletionQueue) host.left.cq).isArmed(), "no event was fired");
            assertSame(host.left.cq, host.left.channel.tryTake());
            assertEquals(List.of(1L), host.left.wrIds());
            assertEquals(List.of(CompletionStatus.SUCCESS), host.left.statuses());
            assertEquals(0, host.right.completions.size());
            assertArrayEquals(bytes, host.right.bytes(0, 100));
        }
    }

    @Test
    void shouldFireTheEventOfADirectReadThatTookItsTurn() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(4096).connect()) {
            host.left.standStill(true);
            host.left.cq.arm(false);
            host.left.post(host.left
                    .request(1)
                    .read(host.right.memory.address(), host.right.memory.rkey())
                    .into(host.left.memory, 0, 50)
                    .into(host.left.memory, 50, 50));
            assertFalse(((SoftCompletionQueue) host.left.cq).isArmed(), "no event was fired");
            assertSame(host.left.cq, host.left.channel.tryTake());
            assertEquals(List.of(CompletionStatus.SUCCESS), host.left.statuses());
        }
    }
}
