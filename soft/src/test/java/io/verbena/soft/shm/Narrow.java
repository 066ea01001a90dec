package io.verbena.soft.shm;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.End;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A process that connects more queue pairs than its shared memory has room for, each to one of another device of its
/// own, and says how many messages went which way.
final class Narrow {
    private static final int CONNECTIONS = 12;
    private static final int BYTES = 5000;

    private Narrow() {}

    public static void main(String[] arguments) {
        End left = open();
        End right = open();
        List<MemoryRegion> filler = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            QueuePair one = left.pd.createQueuePair(QueuePairOptions.rc(left.cq));
            QueuePair other = right.pd.createQueuePair(QueuePairOptions.rc(right.cq));
            SharedPair.connect(one, right, other.number(), 1, 2, SharedPair.PATIENT);
            if (i == CONNECTIONS / 2) {
                // What is left of the room, so that the second end finds none.
                fill(right, filler);
            }
            try {
                SharedPair.connect(other, left, one.number(), 2, 1, SharedPair.PATIENT);
            } catch (RdmaException e) {
                System.out.println("refused: " + e.getMessage());
                continue;
            }
            exchange(left, right, one, other, i);
        }
        System.out.println("shared " + left.counter(Counter.SHARED_MESSAGES) + " packets "
                + left.counter(Counter.PACKETS_SENT) + " faults "
                + (left.counter(Counter.ENGINE_FAULTS) + right.counter(Counter.ENGINE_FAULTS)));
    }

    private static End open() {
        InetAddress address = Loopback.next();
        return new End(LoopbackPair.openDevice(address), address, BYTES);
    }

    private static void fill(End end, List<MemoryRegion> filler) {
        for (int i = 0; i < 2000; i++) {
            filler.add(end.pd.allocate(4096, Access.LOCAL_WRITE));
        }
    }

    private static void exchange(End left, End right, QueuePair one, QueuePair other, int number) {
        byte[] data = left.fill(0, BYTES, number);
        other.post(other.newReceiveRequest().into(right.memory, 0, BYTES));
        one.post(one.newSendRequest().signaled().send().from(left.memory, 0, BYTES));
        int done = left.completions.size() + 1;
        boolean came = SharedPair.driveUntil(
                () -> left.completions.size() == done && !right.completions.isEmpty(), left, right);
        boolean good = came
                && left.completions.getLast().status() == CompletionStatus.SUCCESS
                && Arrays.equals(data, right.memory.memory().asSlice(0, BYTES).toArray(ValueLayout.JAVA_BYTE));
        right.completions.clear();
        if (!good) {
            throw new IllegalStateException("connection " + number + ": " + left.statuses());
        }
    }
}
