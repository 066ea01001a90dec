package io.verbena.soft.cq;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/// The engine adds two completions to a ring that has room for one while a program takes: entries are seen
/// whole, in order, and each once.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "looked too early")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first, whole")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the first, at the second look")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "both, in order")
@State
public class CompletionRingStress {
    private final CompletionRing ring = new CompletionRing(1, true);
    private final CompletionView view = new CompletionView();

    @Actor
    public void engine() {
        ring.offer(() -> {}, 1, 1, 1, 1, 1);
        ring.offer(() -> {}, 2, 2, 2, 2, 2);
    }

    @Actor
    public void program(JJ_Result seen) {
        seen.r1 = take();
        seen.r2 = take();
    }

    /// The number of the entry, 0 when there was none, -1 when its parts do not belong together.
    private long take() {
        if (!ring.take(view)) {
            return 0;
        }
        long id = view.wrId();
        return view.byteLength() == id && view.qpNumber() == id ? id : -1;
    }
}
