package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.RawPacket;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A connection has one path: the local one, or the network when one side has no other.
@EnabledOnOs(OS.LINUX)
class LocalPathChoiceTest {
    private static void exchange(SimulatedLocalPair host, boolean leftFirst) {
        if (!leftFirst) {
            host.right.refuseLanes();
            host.connectRight();
        }
        host.connectLeft();
        byte[] message = host.left.fill(0, 5000, 1);
        for (int i = 0; i < 5; i++) {
            host.left.send(i, 1000L * i, 1000);
        }
        if (leftFirst) {
            host.right.refuseLanes();
            host.connectRight();
        }
        for (int i = 0; i < 5; i++) {
            host.right.receive(i, 1000L * i, 1000);
        }
        host.expect(host.left, 5);
        assertEquals(LongStream.range(0, 5).boxed().toList(), host.left.wrIds());
        assertEquals(LongStream.range(0, 5).boxed().toList(), host.right.wrIds());
        assertTrue(host.left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
        assertArrayEquals(message, host.right.bytes(0, 5000));
        assertEquals(0, host.left.messages());
        assertTrue(host.left.counter(Counter.PACKETS_SENT) >= 5);
    }

    @Test
    void shouldTakeToTheNetworkWithAllThatWasPostedWhenThePeerDecidesForIt() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(8192)) {
            exchange(host, true);
        }
    }

    @Test
    void shouldTakeTheNetworkWhenThePeerHadDecidedForItBefore() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(8192)) {
            exchange(host, false);
        }
    }

    @Test
    void shouldServeThePeersRequestsAfterItTookToTheNetwork() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(8192)) {
            host.connectLeft();
            host.right.refuseLanes();
            host.connectRight();
            byte[] message = host.right.fill(0, 3000, 1);
            host.right.write(1, 0, 3000, 0);
            host.right.read(2, 0, 3000, 4096);
            host.expect(host.right, 2);
            assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), host.right.statuses());
            assertArrayEquals(message, host.left.bytes(0, 3000));
            assertArrayEquals(message, host.right.bytes(4096, 3000));
        }
    }

    @Test
    void shouldDropPacketsOfAConnectionThatIsLocal() {
        try (SimulatedLocalPair host = new SimulatedLocalPair(8192).connect()) {
            host.right.receive(9, 0, 100);
            int qp = host.right.qp.number();
            host.left.forge(new RawPacket(Opcode.RC_SEND_ONLY, qp, SimulatedLocalPair.LEFT_PSN).payload(50));
            host.left.forge(new RawPacket(Opcode.RC_RDMA_WRITE_ONLY, qp, SimulatedLocalPair.LEFT_PSN)
                    .reth(host.right.memory.address(), host.right.memory.rkey(), 50)
                    .payload(50));
            host.left.forge(new RawPacket(Opcode.RC_ACKNOWLEDGE, qp, SimulatedLocalPair.RIGHT_PSN).aeth(0x60, 0));
            host.run(Duration.ofSeconds(1));
            assertEquals(3, host.right.counter(Counter.DROPPED_LOCAL));
            assertEquals(List.of(), host.right.statuses());
            assertArrayEquals(new byte[50], host.right.bytes(0, 50));
            assertEquals(0, host.right.counter(Counter.PACKETS_SENT));
            byte[] message = host.left.fill(0, 100, 1);
            host.left.send(1, 0, 100);
            host.expect(host.left, 1);
            assertEquals(List.of(9L), host.right.wrIds());
            assertArrayEquals(message, host.right.bytes(0, 100));
            assertEquals(QueuePairState.RTS, host.right.qp.state());
        }
    }

    @Test
    void shouldSendNoPacketsWhereASimulatedFabricSharesMemory() {
        try (SimulatedPair pair = SimulatedPair.ofOneHost(4096).connect(Mtu.MTU_1024)) {
            pair.right.receive(9, 0, 100);
            pair.left.send(1, 0, 100);
            pair.expect(pair.left, 1);
            assertEquals(List.of(CompletionStatus.SUCCESS), pair.left.statuses());
            assertEquals(List.of(), pair.left.tap.frames());
            assertEquals(1, pair.left.counter(Counter.SHARED_MESSAGES));
        }
    }

    @Test
    void shouldSendPacketsWhereNobodyAsksForSharedMemory() {
        try (SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_1024)) {
            pair.right.receive(9, 0, 100);
            pair.left.send(1, 0, 100);
            pair.expect(pair.left, 1);
            assertEquals(1, pair.left.tap.frames().size());
            assertEquals(
                    "the network is simulated",
                    pair.left.context.paths().get("shared memory").cause());
        }
    }
}
