package io.verbena.soft.wait;

import io.verbena.soft.engine.Engine;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// One thread puts two events while another takes: they come in order, none is lost, none comes twice. The
/// third number is what is left.
@JCStressTest
@Outcome(id = "0, 0, 3", expect = Expect.ACCEPTABLE, desc = "came too early")
@Outcome(
        id = {"1, 0, 2", "0, 1, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "got the first")
@Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "got both")
@State
public class EventSourceStress {
    private final SoftEventSource<Integer> queue = new SoftEventSource<>("wait") {
        @Override
        protected List<Engine> engines() {
            return List.of();
        }
    };

    @Actor
    public void device() {
        queue.put(1);
        queue.put(2);
    }

    @Actor
    public void program(III_Result got) {
        got.r1 = take();
        got.r2 = take();
    }

    @Arbiter
    public void rest(III_Result got) {
        got.r3 = take() + take();
    }

    private int take() {
        Integer event = queue.poll();
        return event == null ? 0 : event;
    }
}
