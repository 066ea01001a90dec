package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.fabric.Fault;
import io.verbena.soft.fabric.FaultPlan;
import io.verbena.soft.fabric.FaultRule;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

    public static final class Side {
        public final SimulatedHost host;
        public final Context context;
        public final ProtectionDomain pd;
        public final CompletionQueue cq;
        public final QueuePair qp;
        public final MemoryRegion memory;
        /// What leaves this side.
        public final Tap tap;

        public final List<WorkCompletion> completions = new ArrayList<>();
        private Side peer;

        Side(SimulatedFabric fabric, String address, int bytes) {
            this.host = fabric.host(address);
            this.tap = new Tap(fabric::elapsed);
            this.context = host.device().open();
            this.pd = context.allocateProtectionDomain();
            this.cq = context.createCompletionQueue(1024);
            this.qp =
                    pd.createQueuePair(QueuePairOptions.rc(cq).sendRequests(64).receiveRequests(64));
            this.memory = pd.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        }

        /// Collects what has completed so far.
        public int poll() {
            return cq.poll(completion -> completions.add(completion.copy()), 64);
        }

        public long counter(Counter counter) {
            return counter(counter.label());
        }

        public long counter(String label) {
            return context.counters().getOrDefault(label, 0L);
        }

        /// Statuses of all completions so far.
        public List<CompletionStatus> statuses() {
            poll();
            return completions.stream().map(WorkCompletion::status).toList();
        }

        public List<Long> wrIds() {
            poll();
            return completions.stream().map(WorkCompletion::wrId).toList();
        }

        public SendRequest request(long wrId) {
            return qp.newSendRequest().wrId(wrId).signaled();
        }

        public void post(SendRequest request) {
            assertTrue(qp.post(request), "the send queue is full");
        }

        public void send(long wrId, long from, long length) {
            post(request(wrId).send().from(memory, from, length));
        }

        public void write(long wrId, long from, long length, long to) {
            post(request(wrId)
                    .write(peer.memory.address() + to, peer.memory.rkey())
                    .from(memory, from, length));
        }

        public void read(long wrId, long from, long length, long into) {
            post(request(wrId)
                    .read(peer.memory.address() + from, peer.memory.rkey())
                    .into(memory, into, length));
        }

        public void receive(long wrId, long into, long length) {
            assertTrue(qp.post(qp.newReceiveRequest().wrId(wrId).into(memory, into, length)), "the queue is full");
        }

        /// Random bytes into the memory; returns them.
        public byte[] fill(long at, int length, long seed) {
            byte[] bytes = new byte[length];
            new Random(seed).nextBytes(bytes);
            MemorySegment.copy(bytes, 0, memory.memory(), ValueLayout.JAVA_BYTE, at, length);
            return bytes;
        }

        public byte[] bytes(long at, int length) {
            return memory.memory().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    public SimulatedPair(long seed, int bytes) {
        fabric = new SimulatedFabric(seed);
        left = new Side(fabric, "10.0.0.1", bytes);
        right = new Side(fabric, "10.0.0.2", bytes);
        left.peer = right;
        right.peer = left;
        faultsFrom(left, FaultPlan.none());
        faultsFrom(right, FaultPlan.none());
    }

    /// What both sides change in their step to RTR.
    public SimulatedPair receiving(UnaryOperator<QueuePairChange> change) {
        receiving = change;
        return this;
    }

    /// What both sides change in their step to RTS.
    public SimulatedPair sending(UnaryOperator<QueuePairChange> change) {
        sending = change;
        return this;
    }

    /// Where the left side starts to count.
    public SimulatedPair leftPsn(int psn) {
        leftPsn = psn;
        return this;
    }

    public SimulatedPair connect(Mtu mtu) {
        initialise(left.qp);
        initialise(right.qp);
        toReadyToSend(left, right, leftPsn, RIGHT_PSN, mtu);
        toReadyToSend(right, left, RIGHT_PSN, leftPsn, mtu);
        return this;
    }

    private static void initialise(QueuePair qp) {
        qp.modify(QueuePairChange.toInit().access(Access.REMOTE_READ, Access.REMOTE_WRITE));
    }

    private void toReadyToSend(Side from, Side to, int sendPsn, int receivePsn, Mtu mtu) {
        AddressVector address = AddressVector.to(to.host.address());
        QueuePairChange rtr =
                QueuePairChange.toRtr(address, to.qp.number(), receivePsn).pathMtu(mtu);
        from.qp.modify(receiving.apply(rtr));
        from.qp.modify(sending.apply(QueuePairChange.toRts(sendPsn)));
    }

    /// Faults of what a side sends from now on, besides what its tap loses.
    public void faultsFrom(Side side, FaultPlan plan) {
        FaultPlan watched = plan.withRule(new FaultRule(Fault.LOSS, side.tap, Long.MAX_VALUE));
        fabric.faults(side.host.address(), side.peer.host.address(), watched);
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
