package io.verbena.soft.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.RecordedEvents;
import io.verbena.soft.rig.SimulatedLocalPair;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What queue pairs tell the flight recorder.
class QueuePairEventsTest {
    private final RecordedEvents recorded = new RecordedEvents(
            "StateChange", "ErrorCompletion", "Retransmission", "ReceiverNotReady", "NoReceive", "PathChoice");

    @AfterEach
    void close() {
        recorded.close();
    }

    private static String text(ConnectionEnd side) {
        return "0x" + Integer.toHexString(side.qp.number());
    }

    private List<RecordedEvent> of(String name, ConnectionEnd side) {
        return recorded.of(name).stream()
                .filter(event -> event.getString("device").equals(side.address.getHostAddress()))
                .filter(event -> event.getString("queuePair").equals(text(side)))
                .toList();
    }

    private static List<String> steps(List<RecordedEvent> changes) {
        return changes.stream()
                .map(event ->
                        "%s->%s %s".formatted(event.getString("from"), event.getString("to"), event.getString("cause")))
                .toList();
    }

    @Test
    void shouldTellEachStateOfAQueuePairAndWhyItFailed() {
        SimulatedPair pair =
                new SimulatedPair(1, 4096).sending(rts -> rts.rnrRetry(1)).connect(Mtu.MTU_256);
        pair.right.receive(5, 0, 100);
        pair.left.receive(6, 0, 100);
        pair.left.write(7, 0, 100, 4090);
        pair.left.send(8, 0, 10);
        pair.expect(pair.left, 3);
        pair.close();

        assertEquals(
                List.of(
                        "RESET->INIT program",
                        "INIT->RTR program",
                        "RTR->RTS program",
                        "RTS->ERR a request failed",
                        "ERR->RESET close"),
                steps(of("StateChange", pair.left)));
        RecordedEvent failed = of("StateChange", pair.left).get(3);
        assertEquals(2, failed.getInt("flushed"), "the SEND and the receive");
        assertEquals("10.0.0.1", failed.getString("device"));
        assertEquals("10.0.0.2", failed.getString("peer"));
        assertEquals(text(pair.right), failed.getString("peerQueuePair"));
        assertEquals("UDP", failed.getString("path"));
        assertEquals(
                "RTS->ERR a request of the peer was refused: REMOTE_ACCESS",
                steps(of("StateChange", pair.right)).get(3));
    }

    @Test
    void shouldTellTheRequestThatFailedAndNotThoseThatWereFlushed() {
        SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256);
        pair.left.write(7, 0, 100, 4090);
        pair.left.send(8, 0, 10);
        pair.expect(pair.left, 2);
        pair.close();

        List<RecordedEvent> errors = of("ErrorCompletion", pair.left);
        assertEquals(1, errors.size(), errors::toString);
        RecordedEvent error = errors.getFirst();
        assertEquals(7, error.getLong("requestId"));
        assertEquals("RDMA_WRITE", error.getString("operation"));
        assertEquals(100, error.getLong("bytes"));
        assertEquals("REMOTE_ACCESS_ERROR", error.getString("status"));
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR.explain(), error.getString("explanation"));
    }

    @Test
    void shouldTellAReceiveThatIsTooShort() {
        SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256);
        pair.right.receive(5, 0, 10);
        pair.left.send(8, 0, 100);
        pair.expect(pair.left, 1);
        pair.expect(pair.right, 1);
        pair.close();

        RecordedEvent error = of("ErrorCompletion", pair.right).getFirst();
        assertEquals(5, error.getLong("requestId"));
        assertEquals("RECEIVE", error.getString("operation"));
        assertEquals("LOCAL_LENGTH_ERROR", error.getString("status"));
    }

    @Test
    void shouldTellWhyPacketsAreSentAgain() {
        SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256);
        pair.right.receive(5, 0, 1024);
        pair.left.tap.lose(1, Opcode.RC_SEND_FIRST);
        pair.left.send(8, 0, 1024);
        pair.expect(pair.left, 1);
        pair.right.receive(6, 0, 100);
        pair.left.tap.lose(1, Opcode.RC_SEND_ONLY);
        pair.left.send(9, 0, 100);
        pair.expect(pair.left, 2);
        pair.close();

        List<RecordedEvent> bursts = of("Retransmission", pair.left);
        assertEquals(
                List.of("the peer misses a packet (sequence NAK)", "no acknowledgement in time"),
                bursts.stream().map(event -> event.getString("cause")).toList());
        assertEquals(SimulatedPair.LEFT_PSN, bursts.getFirst().getInt("firstPsn"));
        assertEquals(4, bursts.getFirst().getInt("packets"));
        assertEquals(1, bursts.getLast().getInt("packets"));
    }

    @Test
    void shouldTellBothSidesThatAReceiveIsMissing() {
        SimulatedPair pair = new SimulatedPair(1, 4096)
                .receiving(rtr -> rtr.minRnrTimer(12))
                .sending(rts -> rts.rnrRetry(3))
                .connect(Mtu.MTU_256);
        pair.left.send(8, 0, 100);
        assertTrue(
                pair.fabric.runUntil(() -> pair.left.counter(Counter.RNR_NAKS_RECEIVED) >= 1, Duration.ofSeconds(10)));
        pair.right.receive(5, 0, 100);
        pair.expect(pair.left, 1);
        pair.close();

        List<RecordedEvent> waits = of("ReceiverNotReady", pair.left);
        assertEquals(1, waits.size());
        assertEquals(Duration.ofNanos(640_000), waits.getFirst().getDuration("waitTime"));
        assertEquals(2, waits.getFirst().getInt("retriesLeft"));
        assertEquals(1, of("NoReceive", pair.right).size());
    }

    @Test
    void shouldTellWhyAConnectionGoesOverUdpWhenMemoryIsNotShared() {
        SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256);
        pair.close();

        RecordedEvent choice = of("PathChoice", pair.left).getFirst();
        assertEquals("UDP", choice.getString("path"));
        assertTrue(choice.getString("reason").startsWith("unavailable: "), choice.getString("reason"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellThatAConnectionGoesThroughSharedMemoryAndHowItFailed() {
        SimulatedLocalPair pair = new SimulatedLocalPair(4096).connect();
        pair.right.receive(5, 0, 10);
        pair.left.send(8, 0, 100);
        pair.expect(pair.left, 1);
        pair.right.poll();
        pair.close();

        assertEquals("shared memory", of("PathChoice", pair.left).getFirst().getString("path"));
        assertEquals("shared memory", of("StateChange", pair.left).get(3).getString("path"));
        assertEquals(
                "REMOTE_INVALID_REQUEST",
                of("ErrorCompletion", pair.left).getFirst().getString("status"));
        assertEquals(
                "LOCAL_LENGTH_ERROR",
                of("ErrorCompletion", pair.right).getFirst().getString("status"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellThatAConnectionFallsBackToUdp() {
        SimulatedLocalPair pair = new SimulatedLocalPair(4096);
        pair.connectLeft();
        pair.right.refuseLanes();
        pair.connectRight();
        pair.right.receive(5, 0, 100);
        pair.left.send(8, 0, 100);
        pair.expect(pair.left, 1);
        pair.close();

        assertEquals(
                List.of("shared memory", "UDP"),
                of("PathChoice", pair.left).stream()
                        .map(event -> event.getString("path"))
                        .toList());
        assertEquals(
                "the peer goes over UDP", of("PathChoice", pair.left).getLast().getString("reason"));
    }
}
