package io.verbena.soft.qp;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/// A program posts two requests to a queue of one slot while the engine works on them: requests are seen whole
/// and in order, and a slot is filled again only when the engine is through with it.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "looked too early")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first, whole")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the first, at the second look")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "both, in order")
@State
public class WorkQueueStress {
    private final ReceiveQueue queue = new ReceiveQueue(1, 1);

    @Actor
    public void program() {
        post(1);
        if (!queue.isFull()) {
            post(2);
        }
    }

    private void post(long id) {
        SoftReceiveRequest request = new SoftReceiveRequest(null, 1);
        request.wrId(id).intoAddress(id, id, 7);
        queue.write(request);
    }

    @Actor
    public void engine(JJ_Result seen) {
        seen.r1 = work();
        seen.r2 = work();
    }

    private long work() {
        if (queue.isEmpty()) {
            return 0;
        }
        long[] words = queue.words(queue.head());
        int slot = queue.slot(queue.head());
        long id = ReceiveQueue.wrId(words, slot);
        boolean whole = ReceiveQueue.bufferCount(words, slot) == 1
                && ReceiveQueue.capacityBytes(words, ReceiveQueue.buffersAt(slot), 1) == id;
        queue.retire();
        return whole ? id : -1;
    }
}
