package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.local.SimulatedNeighbourhood;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Traffic;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// Two devices that share memory, with a queue pair each, under a virtual clock. Each can be stopped like a process.
/// Skips the test where there is no shared memory.
public final class SimulatedLocalPair implements AutoCloseable {
    public static final int LEFT_PSN = 0xFF_FFF0;
    public static final int RIGHT_PSN = 0x12_3456;

    private static final int PORT = 4791;

    public final SimulatedNetwork network = new SimulatedNetwork(1);
    public final Side left;
    public final Side right;
    private UnaryOperator<QueuePairChange> receiving = UnaryOperator.identity();
    private UnaryOperator<QueuePairChange> sending = UnaryOperator.identity();

    public static final class Side extends ConnectionEnd {
        private final StoppableEnvironment ground;

        private Side(StoppableEnvironment ground, InetAddress address, int bytes) {
            super(new SoftDevice(address, ground).open(), address, bytes);
            this.ground = ground;
            assumeTrue(context.paths().get("shared memory").isAvailable(), "no shared memory");
        }

        /// Stops or continues the stepping of its engine.
        public void standStill(boolean still) {
            ground.still = still;
        }

        /// Refuses memory for more lanes.
        public void refuseLanes() {
            ground.refuseMemory();
        }

        /// Sends the peer a packet from this side's address.
        public void forge(RawPacket packet) {
            Gid to = Gid.of(peer().address);
            byte[] frame = packet.encode(Gid.of(address), PORT, to);
            int at = ground.wire.claim();
            ground.wire.sendBytes().put(at, frame);
            ground.wire.commit(at, frame.length, to.high(), to.low(), Traffic.DEFAULT);
            ground.wire.flush();
        }

        /// Memory without direct access for the peer.
        public GuardedMemory privateMemory(int bytes) {
            return new GuardedMemory(pd, bytes);
        }

        public long messages() {
            return counter(Counter.SHARED_MESSAGES);
        }
    }

    public SimulatedLocalPair(int bytes) {
        SimulatedNeighbourhood neighbourhood = new SimulatedNeighbourhood();
        left = side("10.0.0.1", neighbourhood, bytes);
        right = side("10.0.0.2", neighbourhood, bytes);
        left.peer(right);
        right.peer(left);
        left.initialise();
        right.initialise();
    }

    private Side side(String address, SimulatedNeighbourhood neighbourhood, int bytes) {
        return new Side(new StoppableEnvironment(network, neighbourhood), InetAddress.ofLiteral(address), bytes);
    }

    /// Sets the change of both sides to RTR.
    public SimulatedLocalPair receiving(UnaryOperator<QueuePairChange> change) {
        receiving = change;
        return this;
    }

    /// Sets the change of both sides to RTS.
    public SimulatedLocalPair sending(UnaryOperator<QueuePairChange> change) {
        sending = change;
        return this;
    }

    public SimulatedLocalPair connect() {
        connectLeft();
        connectRight();
        run(Duration.ofNanos(1));
        return this;
    }

    public void connectLeft() {
        left.connect(LEFT_PSN, RIGHT_PSN, Mtu.MTU_1024, receiving, sending);
    }

    public void connectRight() {
        right.connect(RIGHT_PSN, LEFT_PSN, Mtu.MTU_1024, receiving, sending);
    }

    /// Runs until that many completions have come on a side, at most that long in virtual time.
    public boolean await(Side side, int completions, Duration timeout) {
        return network.runUntil(
                () -> {
                    side.poll();
                    return side.completions.size() >= completions;
                },
                timeout.toNanos());
    }

    /// As [#await], and fails when they do not come within ten virtual seconds.
    public void expect(Side side, int completions) {
        assertTrue(
                await(side, completions, Duration.ofSeconds(10)),
                () -> side.completions + " of " + completions + ", " + side.context.counters());
    }

    public void run(Duration time) {
        network.run(time);
    }

    @Override
    public void close() {
        assertEquals(0, left.counter(Counter.ENGINE_FAULTS));
        assertEquals(0, right.counter(Counter.ENGINE_FAULTS));
        left.context.closeAll();
        right.context.closeAll();
    }
}
