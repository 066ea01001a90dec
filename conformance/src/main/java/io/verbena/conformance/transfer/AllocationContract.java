package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/// Posting and polling allocate nothing.
public abstract class AllocationContract extends Contract {
    private static final int MEASURED = Deadline.rounds(5_000);
    /// Far below one object a round, and room for what the JVM does on its own account.
    private static final long ALLOWED_BYTES = 4L * MEASURED;

    protected AllocationContract() {}

    private static final class Rounds implements WorkCompletionHandler {
        private final QueuePairLink link;
        private final SendRequest send;
        private final ReceiveRequest receive;
        private int failed;

        Rounds(QueuePairLink link, SendRequest send, ReceiveRequest receive) {
            this.link = link;
            this.send = send;
            this.receive = receive;
        }

        @Override
        public void onCompletion(WorkCompletion completion) {
            failed += completion.isSuccess() ? 0 : 1;
        }

        void run(int count) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                link.right().qp().post(receive.wrId(i));
                link.left().qp().post(send.wrId(i));
                boolean received = false;
                boolean sent = false;
                while (!(received && sent)) {
                    received |= link.right().receiveCq().poll(this, 1) == 1;
                    sent |= link.left().sendCq().poll(this, 1) == 1;
                    if (System.nanoTime() - start > Deadline.PATIENCE.toNanos()) {
                        throw new AssertionError("round " + i + " of " + count + " does not end");
                    }
                }
            }
        }
    }

    @Test
    @Rule("THR-4")
    void shouldPostAndPollWithoutGarbage() {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
                        && bean.isThreadAllocatedMemorySupported(),
                "this JVM does not count the bytes a thread allocates");
        ThreadMXBean counter = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        QueuePairLink link = link();
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(64);
        Rounds rounds = new Rounds(
                link,
                link.left().request(0).send().from(source, 0, 64),
                link.right().qp().newReceiveRequest().into(target, 0, 64));
        long[] allocated = {0};
        Deadline.await(() -> MEASURED + " rounds of post and poll allocate " + allocated[0] + " bytes", () -> {
            long before = counter.getCurrentThreadAllocatedBytes();
            rounds.run(MEASURED);
            allocated[0] = counter.getCurrentThreadAllocatedBytes() - before;
            return allocated[0] < ALLOWED_BYTES; // in the end: code that is not compiled yet may make some
        });
        assertTrue(rounds.failed == 0, () -> rounds.failed + " completions failed");
    }
}
