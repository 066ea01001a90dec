package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.fault.FaultRule;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Mtu;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// Two simulated hosts with one queue pair each, to be connected. Every frame passes a [Tap].
public final class SimulatedPair implements AutoCloseable {
    public static final int LEFT_PSN = 0xFF_FFF0;
    public static final int RIGHT_PSN = 0x12_3456;

    public final SimulatedFabric fabric;
    public final Side left;
    public final Side right;
    private UnaryOperator<QueuePairChange> receiving = UnaryOperator.identity();
    private UnaryOperator<QueuePairChange> sending = UnaryOperator.identity();
    private int leftPsn = LEFT_PSN;

    public static final class Side extends ConnectionEnd {
        public final SimulatedHost host;
        /// The frames that this side sends.
        public final Tap tap;

        Side(SimulatedFabric fabric, String address, int bytes) {
            super(fabric.host(address).device().open(), fabric.host(address).address(), bytes);
            this.host = fabric.host(address);
            this.tap = new Tap(fabric::elapsed);
        }
    }

    public SimulatedPair(long seed, int bytes) {
        this(new SimulatedFabric(seed), bytes);
    }

    /// Two devices that share memory, as on one host. Only on Linux with native access.
    public static SimulatedPair ofOneHost(int bytes) {
        return new SimulatedPair(new SimulatedFabric(1).sharedMemory(), bytes);
    }

    private SimulatedPair(SimulatedFabric fabric, int bytes) {
        this.fabric = fabric;
        left = new Side(fabric, "10.0.0.1", bytes);
        right = new Side(fabric, "10.0.0.2", bytes);
        left.peer(right);
        right.peer(left);
        faultsFrom(left, FaultPlan.none());
        faultsFrom(right, FaultPlan.none());
    }

    /// Sets the change of both sides to RTR.
    public SimulatedPair receiving(UnaryOperator<QueuePairChange> change) {
        receiving = change;
        return this;
    }

    /// Sets the change of both sides to RTS.
    public SimulatedPair sending(UnaryOperator<QueuePairChange> change) {
        sending = change;
        return this;
    }

    /// Sets the first PSN of the left side.
    public SimulatedPair leftPsn(int psn) {
        leftPsn = psn;
        return this;
    }

    public SimulatedPair connect(Mtu mtu) {
        left.initialise();
        right.initialise();
        left.connect(leftPsn, RIGHT_PSN, mtu, receiving, sending);
        right.connect(RIGHT_PSN, leftPsn, mtu, receiving, sending);
        return this;
    }

    /// Sets the faults of frames that a side sends, besides those that its tap drops.
    public void faultsFrom(Side side, FaultPlan plan) {
        FaultPlan watched = plan.withRule(new FaultRule(Fault.LOSS, side.tap, Long.MAX_VALUE));
        fabric.faults(side.host.address(), side.peer().address, watched);
    }

    /// Faults of both directions.
    public void faults(FaultPlan plan) {
        faultsFrom(left, plan);
        faultsFrom(right, plan);
    }

    /// Runs until that many completions have come on a side, at most that long in virtual time.
    public boolean await(Side side, int completions, Duration timeout) {
        return fabric.runUntil(
                () -> {
                    side.poll();
                    return side.completions.size() >= completions;
                },
                timeout);
    }

    /// As [#await], and fails when they do not come within ten virtual seconds.
    public void expect(Side side, int completions) {
        assertTrue(
                await(side, completions, Duration.ofSeconds(10)),
                () -> side.completions + " of " + completions + ", " + side.context.counters());
    }

    public void run(Duration time) {
        fabric.run(time);
        left.poll();
        right.poll();
    }

    @Override
    public void close() {
        left.context.closeAll();
        right.context.closeAll();
    }
}
