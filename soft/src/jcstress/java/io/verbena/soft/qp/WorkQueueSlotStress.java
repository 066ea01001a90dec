package io.verbena.soft.qp;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// A request that reports keeps its slot until its completion was taken and the engine is through with it,
/// whoever comes first; a slot that was free stays free.
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "not yet taken")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "taken between the looks")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "taken")
@State
public class WorkQueueSlotStress {
    private final ReceiveQueue queue = new ReceiveQueue(1, 1);
    private volatile boolean reported;

    public WorkQueueSlotStress() {
        queue.write(new SoftReceiveRequest(null, 1));
    }

    @Actor
    public void engine() {
        queue.onReported();
        reported = true;
        queue.retire();
    }

    @Actor
    public void program(ZZ_Result full) {
        if (reported) {
            queue.onTaken();
        }
        full.r1 = queue.isFull();
        full.r2 = queue.isFull();
    }
}
