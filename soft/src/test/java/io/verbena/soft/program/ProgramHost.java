package io.verbena.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One peer of a program: a device with a queue pair to each other peer, and a counter that all of them draw tickets
/// from.
final class ProgramHost {
    static final Access[] ALL_RIGHTS = {
        Access.LOCAL_WRITE,
        Access.REMOTE_READ,
        Access.REMOTE_WRITE,
        Access.REMOTE_ATOMIC,
        Access.MEMORY_WINDOW_BIND,
        Access.FLUSH_GLOBAL
    };

    final String name;
    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    final GuardedMemory tickets;
    final List<ModelledQueuePair> queuePairs = new ArrayList<>();
    final ProgramEnvironment environment;
    private final CompletionChannel channel;
    /// For all completions.
    private boolean armed;

    private final Map<Integer, ModelledQueuePair> queuePairByNumber = new HashMap<>();
    private final BitSet drawn = new BitSet();

    ProgramHost(ProgramEnvironment environment, String address) {
        name = address;
        this.environment = environment;
        context = environment.open(address);
        pd = context.allocateProtectionDomain();
        channel = environment.hasEvents() ? context.createCompletionChannel() : null;
        cq = channel == null ? context.createCompletionQueue(1024) : context.createCompletionQueue(1024, channel);
        tickets = environment.memory(pd, Long.BYTES, ALL_RIGHTS);
        tickets.region().memory().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 0);
    }

    Gid gid() {
        return context.gid(1, 0);
    }

    void add(ModelledQueuePair queuePair) {
        queuePairs.add(queuePair);
        queuePairByNumber.put(queuePair.qp.number(), queuePair);
    }

    int poll(int limit) {
        boolean queued = ((SoftCompletionQueue) cq).hasQueued();
        int taken = cq.poll(this::onCompletion, limit);
        if (taken > 0) {
            environment.note(queued ? "polled a queue" : "polled queue pairs");
        }
        if (taken > 0 && armed) {
            armed = false;
            assertSame(cq, channel.tryTake(), name + ": an event before what came since the queue was armed");
            environment.note("event");
        }
        return taken;
    }

    /// Arms the queue: later completions raise an event.
    void arm(boolean solicitedOnly) {
        if (armed) {
            return;
        }
        boolean quiet = false;
        while (!quiet) {
            // Polling for events advances the environment.
            quiet = channel.tryTake() == null & poll(64) == 0;
        }
        cq.arm(solicitedOnly);
        // Earlier completions raise none.
        armed = poll(64) == 0 && !solicitedOnly;
    }

    private void onCompletion(WorkCompletion completion) {
        ModelledQueuePair queuePair = queuePairByNumber.get(completion.qpNumber());
        WorkCompletion copy = completion.copy();
        if (queuePair.isOver()) {
            queuePair.ending.add(copy);
        } else if (copy.opcode().isReceive()) {
            queuePair.onReceived(copy);
        } else {
            queuePair.onSent(copy);
        }
    }

    /// A ticket that a peer drew here.
    void onTicket(long value) {
        if (value < 0 || value >= Integer.MAX_VALUE || drawn.get((int) value)) {
            throw new AssertionError(name + ": ticket " + value + " was drawn before");
        }
        drawn.set((int) value);
    }

    void verify() {
        long count = tickets.region().memory().get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        assertEquals(drawn.cardinality(), count, name + ": tickets");
        assertEquals(count, drawn.length(), name + ": tickets without a gap");
        tickets.assertGuardsUntouched();
        if (context.counters().getOrDefault(Counter.RNR_NAKS_SENT.label(), 0L) > 0) {
            environment.note("receiver not ready");
        }
        assertEquals(0, context.counters().getOrDefault(Counter.ENGINE_FAULTS.label(), 0L), name);
        queuePairs.forEach(ModelledQueuePair::verify);
    }
}
