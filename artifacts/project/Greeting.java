package org.example.greeting;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import java.time.Duration;

/// Sends a message from one queue pair to another, on the software device of the address that it is given.
public final class Greeting {
    private Greeting() {}

    public static void main(String[] arguments) {
        Context context = Rdma.openDevice(arguments[0]);
        try {
            ProtectionDomain pd = context.allocateProtectionDomain();
            CompletionQueue cq = context.createCompletionQueue(16);
            QueuePair left = pd.createQueuePair(QueuePairOptions.rc(cq));
            QueuePair right = pd.createQueuePair(QueuePairOptions.rc(cq));
            connect(left, right.number(), context.gid(1, 0));
            connect(right, left.number(), context.gid(1, 0));

            MemoryRegion buffer = pd.allocate(128, Access.LOCAL_WRITE);
            buffer.memory().setString(0, "a message between two queue pairs");
            right.post(right.newReceiveRequest().into(buffer, 64, 64));
            left.post(left.newSendRequest().send().from(buffer, 0, 64).signaled());
            for (int done = 0; done < 2; ) {
                int more = cq.poll(completion -> IO.println(completion.status()), 2, Duration.ofSeconds(10));
                if (more == 0) {
                    throw new IllegalStateException("no completion in ten seconds");
                }
                done += more;
            }
            IO.println(buffer.memory().getString(64));
            IO.println(Rdma.class.getModule().isNamed() ? "module path" : "class path");
        } finally {
            context.closeAll();
        }
    }

    private static void connect(QueuePair qp, int peer, Gid address) {
        qp.modify(QueuePairChange.toInit());
        qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer, 0));
        qp.modify(QueuePairChange.toRts(0));
    }
}
