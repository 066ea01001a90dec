package io.verbena.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.Context;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two sides without a side channel: the test gives each the address of the other.
@Timeout(60)
class PingPongLoopTest {
    private static final int ITERATIONS = 500;
    /// Far below one object per message, with room for allocations of the JVM itself.
    private static final long ALLOWED_BYTES = 8L * ITERATIONS;

    private static PingPongSettings settings(PingPongKind kind, boolean isServer) {
        Duration patience = Duration.ofSeconds(20);
        int queuePairs = kind == PingPongKind.SRQ ? 4 : 1;
        return new PingPongSettings(
                kind,
                isServer,
                64,
                Mtu.MTU_1024,
                queuePairs,
                8,
                ITERATIONS,
                0,
                -1,
                -1,
                false,
                false,
                true,
                patience,
                patience);
    }

    private static PingPongEndpoint endpoint(Context context, PingPongSettings settings) {
        return new PingPongEndpoint(settings, context, 1, context.gids(1).getFirst());
    }

    @ParameterizedTest
    @EnumSource(PingPongKind.class)
    void shouldTakeEachQueuePairToReadyToSend(PingPongKind kind) {
        try (Context context = Rdma.provider("soft")
                        .device(LoopbackAddress.any())
                        .orElseThrow()
                        .open();
                PingPongEndpoint left = endpoint(context, settings(kind, true));
                PingPongEndpoint right = endpoint(context, settings(kind, false))) {
            left.queuePairs().forEach(qp -> assertEquals(QueuePairState.INIT, qp.state()));
            left.connect(right.destinations());
            left.queuePairs().forEach(qp -> assertEquals(QueuePairState.RTS, qp.state()));
        }
    }

    @Test
    void shouldSetTheAttributesOfTheOriginal() {
        try (Context context = Rdma.provider("soft")
                        .device(LoopbackAddress.any())
                        .orElseThrow()
                        .open();
                PingPongEndpoint left = endpoint(context, settings(PingPongKind.RC, true));
                PingPongEndpoint right = endpoint(context, settings(PingPongKind.RC, false))) {
            left.connect(right.destinations());
            var attributes = left.queuePairs().getFirst().query();
            Destination peer = right.destinations().getFirst();
            assertEquals(peer.qpNumber(), attributes.destinationQp());
            assertEquals(peer.psn(), attributes.receivePsn());
            assertEquals(left.destinations().getFirst().psn(), attributes.sendPsn());
            assertEquals(Mtu.MTU_1024, attributes.pathMtu());
            assertEquals(1, attributes.address().hopLimit());
            assertEquals(14, attributes.timeout());
            assertEquals(7, attributes.retryCount());
            assertEquals(7, attributes.rnrRetry());
            assertEquals(12, attributes.minRnrTimer());
            assertEquals(1, attributes.maxReadAtomic());
            assertEquals(1, attributes.maxDestinationReadAtomic());
        }
    }

    private static PingPongLoop loop(PingPongEndpoint endpoint, PingPongSettings settings) {
        return new PingPongLoop(settings, endpoint, new PingPongWatch(settings, () -> false));
    }

    /// Not with a shared receive queue: there a side may end while messages of the other are in flight.
    @ParameterizedTest
    @EnumSource(
            value = PingPongKind.class,
            names = {"RC", "UC", "UD"})
    void shouldExchangeMessagesWithoutGarbageWhenItSpins(PingPongKind kind) {
        var counter = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Context context = Rdma.provider("soft")
                        .device(LoopbackAddress.any())
                        .orElseThrow()
                        .open();
                PingPongEndpoint left = endpoint(context, settings(kind, true));
                PingPongEndpoint right = endpoint(context, settings(kind, false))) {
            left.connect(right.destinations());
            right.connect(left.destinations());
            long allocated = Long.MAX_VALUE;
            // several rounds: code that is not compiled yet may allocate
            for (int round = 0; allocated > ALLOWED_BYTES && round < 100; round++) {
                PingPongLoop server = loop(left, settings(kind, true));
                PingPongLoop client = loop(right, settings(kind, false));
                long before = counter.getCurrentThreadAllocatedBytes();
                client.start();
                while (!client.isDone() || !server.isDone()) {
                    server.step();
                    client.step();
                }
                allocated = counter.getCurrentThreadAllocatedBytes() - before;
                assertEquals(ITERATIONS, client.iterations());
                assertEquals(ITERATIONS, server.iterations());
            }
            assertTrue(allocated <= ALLOWED_BYTES, ITERATIONS + " messages allocate " + allocated + " bytes");
        }
    }
}
