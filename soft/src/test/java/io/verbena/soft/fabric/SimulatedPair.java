package io.verbena.soft.fabric;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Mtu;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Two simulated hosts with one queue pair each, to be connected.
final class SimulatedPair implements AutoCloseable {
    static final int LEFT_PSN = 0xFF_FFF0;
    static final int RIGHT_PSN = 0x12_3456;

    final SimulatedFabric fabric;
    final Side left;
    final Side right;

    static final class Side {
        final SimulatedHost host;
        final Context context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemoryRegion memory;
        final List<WorkCompletion> completions = new ArrayList<>();

        Side(SimulatedHost host, int bytes) {
            this.host = host;
            this.context = host.device().open();
            this.pd = context.allocateProtectionDomain();
            this.cq = context.createCompletionQueue(1024);
            this.qp =
                    pd.createQueuePair(QueuePairOptions.rc(cq).sendRequests(64).receiveRequests(64));
            this.memory = pd.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        }

        /// Collects what has completed so far.
        int poll() {
            return cq.poll(completion -> completions.add(completion.copy()), 64);
        }

        long counter(String label) {
            return context.counters().getOrDefault(label, 0L);
        }
    }

    SimulatedPair(long seed, int bytes) {
        fabric = new SimulatedFabric(seed);
        left = new Side(fabric.host("10.0.0.1"), bytes);
        right = new Side(fabric.host("10.0.0.2"), bytes);
    }

    SimulatedPair connect(Mtu mtu) {
        initialise(left.qp);
        initialise(right.qp);
        toReadyToSend(left, right, LEFT_PSN, RIGHT_PSN, mtu);
        toReadyToSend(right, left, RIGHT_PSN, LEFT_PSN, mtu);
        return this;
    }

    private static void initialise(QueuePair qp) {
        qp.modify(QueuePairChange.toInit().access(Access.REMOTE_READ, Access.REMOTE_WRITE));
    }

    private static void toReadyToSend(Side from, Side to, int sendPsn, int receivePsn, Mtu mtu) {
        AddressVector address = AddressVector.to(to.host.address());
        from.qp.modify(
                QueuePairChange.toRtr(address, to.qp.number(), receivePsn).pathMtu(mtu));
        from.qp.modify(QueuePairChange.toRts(sendPsn));
    }

    /// Runs until that many completions have come on a side, at most that long in virtual time.
    boolean await(Side side, int completions, Duration timeout) {
        return fabric.runUntil(
                () -> {
                    side.poll();
                    return side.completions.size() >= completions;
                },
                timeout);
    }

    @Override
    public void close() {
        left.context.closeAll();
        right.context.closeAll();
    }
}
