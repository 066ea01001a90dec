package io.verbena.soft.os;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// A thread takes the lock so often that it becomes preferred, while another one takes it now and then.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the right sum")
@State
public class BiasedLockBecomesStress extends Guarded {
    private static final int OFTEN = 1_200;
    private static final int NOW_AND_THEN = 3;

    private void count(int times) {
        for (int i = 0; i < times; i++) {
            lock.lock();
            add();
            lock.unlock();
        }
    }

    @Actor
    public void often() {
        count(OFTEN);
    }

    @Actor
    public void seldom() {
        count(NOW_AND_THEN);
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = sum() - OFTEN - NOW_AND_THEN + 1;
    }
}
