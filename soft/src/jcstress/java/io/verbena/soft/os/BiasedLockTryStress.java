package io.verbena.soft.os;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/// Two threads try to take a lock that prefers one of them: never both at once, and never neither, because who is
/// turned away relies on the other.
@JCStressTest
@Outcome(id = "true, true, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(
        id = {"true, false, 1", "false, true, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "one was turned away")
@State
public class BiasedLockTryStress extends Guarded {
    public BiasedLockTryStress() {
        preferMe();
    }

    private boolean tryCount() {
        if (!lock.tryLock()) {
            return false;
        }
        add();
        lock.unlock();
        return true;
    }

    @Actor
    public void one(ZZI_Result result) {
        result.r1 = tryCount();
    }

    @Actor
    public void other(ZZI_Result result) {
        result.r2 = tryCount();
    }

    @Arbiter
    public void sum(ZZI_Result result) {
        result.r3 = sum();
    }
}
