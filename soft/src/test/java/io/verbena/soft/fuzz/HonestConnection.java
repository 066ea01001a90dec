package io.verbena.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A new connection between two devices, to see that they still work: one WRITE, one SEND.
final class HonestConnection implements AutoCloseable {
    private static final int HALF = 4096;

    private static final class End implements AutoCloseable {
        final Context context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemoryRegion memory;
        final List<CompletionStatus> done = new ArrayList<>();

        End(Context context) {
            this.context = context;
            pd = context.allocateProtectionDomain();
            cq = context.createCompletionQueue(16);
            qp = pd.createQueuePair(QueuePairOptions.rc(cq));
            memory = pd.allocate(2 * HALF, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        }

        void connect(End peer) {
            qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
            qp.modify(QueuePairChange.toRtr(AddressVector.to(peer.context.gid(1, 0)), peer.qp.number(), 5)
                    .pathMtu(Mtu.MTU_256));
            qp.modify(QueuePairChange.toRts(5));
        }

        void poll() {
            cq.poll(completion -> done.add(completion.status()), 16);
        }

        @Override
        public void close() {
            qp.close();
            memory.close();
            cq.close();
            pd.close();
        }
    }

    private final End tested;
    private final End friend;
    private final SimulatedNetwork network;
    private int length;

    HonestConnection(Context tested, Context friend, SimulatedNetwork network) {
        this.tested = new End(tested);
        this.friend = new End(friend);
        this.network = network;
        this.tested.connect(this.friend);
        this.friend.connect(this.tested);
    }

    /// The friend writes and sends; the first bad status, or SUCCESS.
    CompletionStatus transfer(byte[] data, Duration timeout) {
        length = data.length;
        MemorySegment.copy(data, 0, friend.memory.memory(), ValueLayout.JAVA_BYTE, 0, length);
        assertTrue(tested.qp.post(tested.qp.newReceiveRequest().wrId(1).into(tested.memory, HALF, HALF)));
        assertTrue(friend.qp.post(friend.qp
                .newSendRequest()
                .wrId(1)
                .write(tested.memory.remote())
                .from(friend.memory, 0, length)
                .signaled()));
        assertTrue(friend.qp.post(friend.qp
                .newSendRequest()
                .wrId(2)
                .send()
                .from(friend.memory, 0, length)
                .signaled()));
        boolean ended = network.runUntil(
                () -> {
                    tested.poll();
                    friend.poll();
                    return tested.done.size() == 1 && friend.done.size() == 2;
                },
                timeout.toNanos());
        assertTrue(
                ended,
                () -> "an honest peer waits: here " + tested.done + ", there " + friend.done + ", "
                        + tested.context.counters());
        tested.done.addAll(friend.done);
        return tested.done.stream()
                .filter(status -> status != CompletionStatus.SUCCESS)
                .findFirst()
                .orElse(CompletionStatus.SUCCESS);
    }

    byte[] written() {
        return tested.memory.memory().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    byte[] received() {
        return tested.memory.memory().asSlice(HALF, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        tested.close();
        friend.close();
    }
}
